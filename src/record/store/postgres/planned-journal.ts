import { AppError } from '../../../kernel/domain/errors.ts'
import type { SqlDatabase } from '../../../kernel/ports/sql-database.ts'
import { headOf, type JournalHead } from '../../domain/journal/chain.ts'
import { chainEvents } from '../../domain/journal/change-events.ts'
import type { JournalEvent } from '../../domain/journal/event.ts'
import { type TakingChange, takeLines } from '../../domain/journal/take-lines.ts'
import { eventsOf } from '../../domain/journal/unite-journals.ts'
import { readLines } from '../judge-journal.ts'
import { type JournalRow, readJournalRows } from './journal-rows.ts'
import type { RecordHead } from './record-head.ts'

/** The journal rows of a change. */
export interface PlannedJournal {
  readonly lines: readonly (JournalRow & { readonly id: string | null })[]
  /**
   * Rows after this position are replaced: `lines` contains them again, with others in between. Undefined if no row is
   * replaced.
   */
  readonly keptTo: number | undefined
  readonly head: JournalHead
  readonly lastEvent: string | null
  /** An event that exists only once the change is committed; undefined if the change has none. */
  readonly landsWith: string | undefined
  /** Events that the journal did not have before. */
  readonly events: readonly JournalEvent[]
}

interface Place {
  readonly database: SqlDatabase
  readonly project: string
}

/** Appends events to the end of the journal, without reading it. */
export function planAppend(from: RecordHead, events: TakingChange['events']): PlannedJournal {
  const { lines, tips } = chainEvents(events, { tips: from.journal.tips, last: from.lastEvent ?? undefined })
  const last = events.at(-1)!.id
  return {
    lines: lines.map((line, i) => ({
      place: from.journal.lines + i + 1,
      revision: from.revision + 1,
      id: events[i]!.id,
      line,
    })),
    keptTo: undefined,
    head: grown(from.journal, lines, tips),
    lastEvent: last,
    landsWith: last,
    events,
  }
}

/** Merges lines from another machine. Existing lines keep their revision. */
export async function planTaking(
  { database, project }: Place,
  from: RecordHead,
  { taken, ...change }: TakingChange & { readonly taken: readonly string[] },
): Promise<PlannedJournal> {
  if (taken.some((line) => line.includes('\0')))
    throw new AppError('invalid_input', 'A journal line holds a NUL character', {
      hint: 'Run `ken verify` on its original machine.',
    })
  const rows = await readJournalRows(database, project)
  const here = readLines(rows.map(({ line }) => line))
  refuseLostEnd(from, new Set(here.lines.map(({ sha256 }) => sha256)))
  const united = takeLines(here.lines, taken, change)
  const known = new Map(rows.map((row) => [row.line, row]))
  const differs = united.findIndex(({ text }, i) => rows[i]?.line !== text || rows[i].place !== i + 1)
  const kept = differs < 0 ? united.length : differs
  const news = united.filter(({ text }) => !known.has(text))
  return {
    lines: united.slice(kept).map(({ text, event }, i) => ({
      place: kept + i + 1,
      revision: known.get(text)?.revision ?? from.revision + 1,
      id: event?.id ?? null,
      line: text,
    })),
    keptTo: kept < rows.length ? kept : undefined,
    head: headOf(united, readLines(united.map(({ text }) => text)).size),
    lastEvent: eventsOf(united).at(-1)?.id ?? null,
    landsWith: eventsOf(news).at(-1)?.id,
    events: eventsOf(news),
  }
}

/** Throws if the known end is missing: a new end would hide that the old one was removed. */
function refuseLostEnd({ journal }: RecordHead, present: ReadonlySet<string>): void {
  if (journal.tips.some((tip) => !present.has(tip)))
    throw new AppError('damaged', 'The end of the journal was changed or removed, so no lines can be merged', {
      hint: 'Restore the database from a backup, or run `ken accept` to go on without it.',
    })
}

export const grown = (head: JournalHead, lines: readonly string[], tips: readonly string[]): JournalHead => ({
  size: lines.reduce((size, line) => size + Buffer.byteLength(line) + 1, head.size),
  lines: head.lines + lines.length,
  tips,
})
