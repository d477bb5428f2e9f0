import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JournalLine } from '../../domain/journal/journal-lines.ts'
import { looseEvents } from '../../domain/journal/merge-journal.ts'
import { JOURNAL } from '../judge-journal.ts'
import { sha256 } from '../record-text.ts'
import { parseJournal } from './journal-file.ts'
import { endOf } from './record-file.ts'
import type { RecordFolder } from './record-folder.ts'
import type { Scratch } from './scratch.ts'

interface Known {
  /** Start and hash of the line that was last in the journal. */
  readonly from: number
  readonly end: string
}

const NAME = 'joined.json'

/**
 * True if the journal is a single chain of events, or empty. Skips the part before the last known end, because this
 * runs whenever a record is opened.
 */
export function isJoined(folder: RecordFolder, scratch: Scratch): boolean {
  const { size, closed, lastLine } = endOf(folder.files, JOURNAL)
  if (size === 0) return true
  const known = recall(scratch)
  const end = lastLine && { from: size - lastLine.length - (closed ? 1 : 0), end: sha256(lastLine) }
  if (known !== undefined && end?.from === known.from && end.end === known.end) return true
  if (!isOneEnd(linesSince(folder, known, size))) return false
  if (end !== undefined) remember(scratch, end)
  return true
}

/** The lines from the known end on, if it is still there; otherwise all. */
function linesSince(folder: RecordFolder, known: Known | undefined, size: number): readonly JournalLine[] {
  const read = (from: number) =>
    parseJournal(folder.files.readPart(JOURNAL, from, size - from) ?? Buffer.alloc(0)).lines
  const late = known === undefined || known.from >= size ? [] : read(known.from)
  return late[0] !== undefined && late[0].sha256 === known?.end ? late : read(0)
}

const isOneEnd = (lines: readonly JournalLine[]): boolean =>
  looseEvents(lines).length < 2 && !lines.some(({ readable, text }) => !readable && /^[<>]{7} /.test(text))

function recall(scratch: Scratch): Known | undefined {
  try {
    const { from, end } = JSON.parse(readFileSync(join(scratch.folder, NAME), 'utf8')) as Partial<Known>
    return typeof from === 'number' && from >= 0 && typeof end === 'string' ? { from, end } : undefined
  } catch {
    return undefined
  }
}

/** Never throws: without the known end, the next check takes longer. */
function remember(scratch: Scratch, known: Known): void {
  try {
    scratch.makeFolder()
    writeFileSync(join(scratch.folder, NAME), JSON.stringify(known), { mode: 0o600 })
  } catch {
    return
  }
}
