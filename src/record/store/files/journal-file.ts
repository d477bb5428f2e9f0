import type { JournalHead } from '../../domain/journal/chain.ts'
import type { JournalEvent } from '../../domain/journal/event.ts'
import { type JournalLine, parseEvent, toLine } from '../../domain/journal/journal-lines.ts'
import { JOURNAL, type JournalReading } from '../judge-journal.ts'
import { sha256 } from '../record-text.ts'
import { TAIL, endOf } from './record-file.ts'
import type { RecordFolder } from './record-folder.ts'

export interface JournalEnd {
  readonly size: number
  /** False if the last line was interrupted or edited by hand without its line end. */
  readonly closed: boolean
  /** The newest event; undefined if Ken has not written here yet. */
  readonly last: JournalEvent | undefined
}

export async function readJournal(folder: RecordFolder): Promise<JournalReading> {
  return parseJournal((await folder.readBytes(JOURNAL)) ?? Buffer.alloc(0))
}

export function parseJournal(bytes: Buffer): JournalReading {
  const lines: JournalLine[] = []
  for (let from = 0; from < bytes.length;) {
    const found = bytes.indexOf(0x0a, from)
    const line = bytes.subarray(from, found < 0 ? bytes.length : found)
    if (line.length > 0) lines.push(toLine(line.toString('utf8'), sha256(line)))
    from += line.length + 1
  }
  return { size: bytes.length, lines, events: lines.flatMap(({ event }) => event ?? []) }
}

/** Position and predecessor of the next event; reads only the last lines. */
export async function journalEnd(folder: RecordFolder): Promise<JournalEnd> {
  const { size, closed, tail } = endOf(folder.files, JOURNAL)
  const near = tail
    .split('\n')
    .flatMap((line) => parseEvent(line) ?? [])
    .at(-1)
  const last = near === undefined && size > TAIL ? (await readJournal(folder)).events.at(-1) : near
  return { size, closed, last }
}

/** True if the journal ends exactly as it did when `head` was taken; reads only the last line. */
export async function endsAs(folder: RecordFolder, head: JournalHead | undefined): Promise<boolean> {
  if (head === undefined) return false
  const { size, closed, lastLine } = endOf(folder.files, JOURNAL)
  return size === head.size && closed && lastLine !== undefined && head.tips.includes(sha256(lastLine))
}
