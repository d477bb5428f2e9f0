import type { JournalHead } from '../../domain/journal/chain.ts'
import { chainEvents } from '../../domain/journal/change-events.ts'
import type { JournalEvent } from '../../domain/journal/event.ts'
import { JOURNAL } from '../judge-journal.ts'
import type { HeadKeeper } from './head.ts'
import { judgeHead, seenJournal } from './inspect-journal.ts'
import type { Append, Write } from './intent.ts'
import { endsAs, journalEnd, readJournal } from './journal-file.ts'
import type { RecordFolder } from './record-folder.ts'

export interface Appended {
  /** Undefined if nothing is appended. */
  readonly append: Append | undefined
  /** The whole journal, if lines were inserted. */
  readonly rewrite?: Write
  /** The end of the journal after the change. */
  readonly end: JournalHead
  /** Journal ends known to this machine that have disappeared; reported until a person accepts the loss. */
  readonly lost: readonly string[]
}

export interface JournalParts {
  readonly folder: RecordFolder
  readonly head: HeadKeeper
  readonly inRepository: boolean
}

/** Events for the end of the journal, each pinning the previous one. */
export async function appendEvents(
  parts: JournalParts,
  make: (isFirst: boolean) => Promise<readonly JournalEvent[]>,
): Promise<Appended> {
  const { size, closed, last } = await journalEnd(parts.folder)
  const start = await startOf(parts)
  const events = await make(last === undefined)
  const { lines, tips } = chainEvents(events, { tips: start.known.tips, last: last?.id })
  const text = lines.map((line) => `${line}\n`).join('')
  const append = { path: JOURNAL, offset: size, text: closed ? text : `\n${text}` }
  return {
    append,
    end: { size: size + Buffer.byteLength(append.text), lines: start.known.lines + events.length, tips },
    lost: start.lost,
  }
}

/** The current end of the journal; not read again if it is unchanged. */
async function startOf({
  folder,
  head,
  inRepository,
}: JournalParts): Promise<{ known: JournalHead; lost: readonly string[] }> {
  const kept = head.read()
  for (const known of [kept?.seen.journal, kept?.next?.journal])
    if (known !== undefined && (await endsAs(folder, known))) return { known, lost: kept!.lost }
  const journal = await readJournal(folder)
  const { kind, gone } = await judgeHead(folder, journal, { known: kept?.seen.journal, inRepository })
  return { known: seenJournal(journal), lost: [...new Set([...(kept?.lost ?? []), ...(kind === 'lost' ? gone : [])])] }
}
