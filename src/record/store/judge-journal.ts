import { plural } from '../../kernel/domain/text.ts'
import { chainFaults, givenUp, type JournalHead } from '../domain/journal/chain.ts'
import type { JournalEvent } from '../domain/journal/event.ts'
import { type JournalLine, toLine } from '../domain/journal/journal-lines.ts'
import type { Discrepancy } from '../ports/store.ts'
import { sha256 } from './record-text.ts'

export const JOURNAL = 'journal/events.jsonl'

export interface JournalReading {
  readonly size: number
  readonly lines: readonly JournalLine[]
  readonly events: readonly JournalEvent[]
}

/** How the journal relates to its last seen end. */
export interface HeadVerdict {
  readonly kind: 'new' | 'same' | 'grown' | 'as-git-has-it' | 'lost'
  /** Known tips that are missing. */
  readonly gone: readonly string[]
}

export interface JournalFindings {
  readonly discrepancies: readonly Discrepancy[]
  readonly notes: readonly string[]
}

/**
 * Checks every byte of the journal: the lines against one another, and their end against the end last seen on this
 * machine.
 */
export function judgeJournal(
  journal: JournalReading,
  verdict: HeadVerdict,
  head: { known: JournalHead | undefined; lost: readonly string[] },
): JournalFindings {
  const { lines } = journal
  const given = givenUp(lines)
  const present = new Set(lines.map((line) => line.sha256))
  const found = (message: string, about: readonly string[]): Discrepancy => ({
    path: JOURNAL,
    kind: 'damaged',
    message,
    about,
  })
  const unreadable = lines.filter((line) => !line.readable && !given.has(line.sha256)).map((line) => line.sha256)
  const lost = [...new Set([...(verdict.kind === 'lost' ? verdict.gone : []), ...head.lost])].filter(
    (tip) => !given.has(tip) && !present.has(tip),
  )
  const faults = chainFaults(lines, new Set(head.known?.tips)).filter(
    (fault) => !fault.lines.every((line) => unreadable.includes(line)),
  )
  return {
    discrepancies: [
      ...(unreadable.length === 0 ? [] : [found(`${unreadable.length} of its lines cannot be read`, unreadable)]),
      ...faults.map((fault) => found(fault.message, fault.lines)),
      ...(lost.length === 0 ? [] : [lostEnd(journal, head.known, lost)]),
      ...(isPadded(journal, head.known) ? [found('has empty lines that Ken did not write', [])] : []),
    ],
    notes: notesOn(journal, verdict, head.known),
  }
}

function lostEnd({ lines }: JournalReading, known: JournalHead | undefined, lost: readonly string[]): Discrepancy {
  if (lines.length === 0)
    return {
      path: JOURNAL,
      kind: 'missing',
      message:
        known === undefined
          ? 'is gone, though git has it'
          : `is gone, though it had ${plural(known.lines, 'line')} when Ken last saw it`,
      about: lost,
    }
  const message =
    known === undefined
      ? 'lacks lines that git has'
      : 'does not hold the newest event that Ken knew here: its end was changed, cut off, or all of it replaced'
  return { path: JOURNAL, kind: 'damaged', message, about: lost }
}

function notesOn(journal: JournalReading, { kind }: HeadVerdict, known: JournalHead | undefined): string[] {
  const { events, lines } = journal
  if (kind === 'new' && lines.length > 0)
    return [
      `This machine sees this journal for the first time: its ${plural(events.length, 'event')} are taken as they are and remembered from now on.`,
    ]
  if (kind === 'as-git-has-it')
    return [
      'The journal is the one that git has checked out; it does not hold the newest event that was written here, which is on another branch or in a later commit.',
    ]
  const more = lines.length - (known?.lines ?? 0)
  return kind === 'grown' && more > 0
    ? [`${plural(more, 'line')} came into the journal since this machine last looked.`]
    : []
}

/** True if the size changed but the number of lines did not: some bytes belong to no line. */
const isPadded = ({ lines, size }: JournalReading, known: JournalHead | undefined): boolean =>
  known !== undefined && known.lines === lines.length && size !== known.size

export function readLines(texts: Iterable<string>): JournalReading {
  const lines = Array.from(texts, (text) => toLine(text, sha256(text)))
  return {
    size: lines.reduce((sum, { text }) => sum + Buffer.byteLength(text) + 1, 0),
    lines,
    events: lines.flatMap(({ event }) => event ?? []),
  }
}
