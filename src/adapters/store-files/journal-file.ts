import type { JournalEvent } from '../../core/journal/event.ts'
import { parseEvent, parseJournal, type JournalReading } from '../../core/journal/journal-lines.ts'
import { endOf, TAIL } from './file-end.ts'
import type { RecordFolder } from './record-folder.ts'

export const JOURNAL = 'journal/events.jsonl'

export interface JournalEnd {
  readonly size: number
  /** False when the last line was cut off or written by hand without its line end. */
  readonly closed: boolean
  /** The newest event; undefined when Ken has not written here yet. */
  readonly last: JournalEvent | undefined
}

export async function readJournal(folder: RecordFolder): Promise<JournalReading> {
  const bytes = await folder.readBytes(JOURNAL)
  return parseJournal(bytes?.toString('utf8') ?? '')
}

/** Where the next event goes, and on top of what; reads the last lines only. */
export async function journalEnd(folder: RecordFolder): Promise<JournalEnd> {
  const { size, closed, tail } = endOf(folder.files, JOURNAL)
  const near = tail.split('\n').flatMap((line) => parseEvent(line) ?? []).at(-1)
  const last = near === undefined && size > TAIL ? (await readJournal(folder)).events.at(-1) : near
  return { size, closed, last }
}
