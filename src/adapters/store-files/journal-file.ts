import { open } from 'node:fs/promises'
import type { JournalEvent } from '../../core/journal/event.ts'
import { parseEvent, parseJournal, type JournalReading } from '../../core/journal/journal-lines.ts'
import { isAbsent } from './fs-failure.ts'
import type { RecordFolder } from './record-folder.ts'

export const JOURNAL = 'journal/events.jsonl'

const TAIL = 65_536

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
  const { size, tail } = await readTail(await folder.locate(JOURNAL))
  const near = tail.split('\n').flatMap((line) => parseEvent(line) ?? []).at(-1)
  const last = near === undefined && size > TAIL ? (await readJournal(folder)).events.at(-1) : near
  return { size, closed: size === 0 || tail.endsWith('\n'), last }
}

async function readTail(path: string): Promise<{ size: number; tail: string }> {
  try {
    const file = await open(path, 'r')
    try {
      const { size } = await file.stat()
      const length = Math.min(size, TAIL)
      const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length)
      return { size, tail: buffer.toString('utf8') }
    } finally {
      await file.close()
    }
  } catch (error) {
    if (isAbsent(error)) return { size: 0, tail: '' }
    throw error
  }
}
