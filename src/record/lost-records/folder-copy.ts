import { AppError } from '../../kernel/domain/errors.ts'
import { openBoundedFolder } from '../../kernel/system/bounded-folder.ts'
import type { RecordPlace } from './places.ts'

/** A record as its files, with data that identifies it. */
export interface RecordCopy {
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly decisions: number
  readonly changed: string | undefined
  /** Lines of its journal. */
  readonly lines: readonly string[]
  /** True if its path contains the project's id. */
  readonly isNamed: boolean
}

const JOURNAL = 'journal/events.jsonl'
const MOST_FILES = 100_000
const MOST_BYTES = 1024 * 1024 * 1024

/** Only record files: Ken must not copy anything else in the folder. */
const PART_OF_RECORD =
  /^(?:[^/.][^/]*\.md|\.decision-hashes\.json|\.gitattributes|(?:decisions|context)\/[^/.][^/]*\.md|journal\/[^/.][^/]*\.jsonl|snapshots\/(?:[^/.][^/]*|\.gitignore))$/

export const isPartOfRecord = (path: string): boolean => PART_OF_RECORD.test(path)

/** Reads a record without following links anywhere in it. */
export function readFolder({ folder, isNamed }: RecordPlace): RecordCopy {
  const source = openBoundedFolder(folder)
  const files = new Map<string, Uint8Array>()
  let left = MOST_BYTES
  for (const inside of ['', 'decisions', 'context', 'journal', 'snapshots']) {
    for (const entry of source.entries(inside)) {
      const path = inside === '' ? entry.name : `${inside}/${entry.name}`
      if (!entry.isFile() || !isPartOfRecord(path)) continue
      const bytes = source.read(path, left)
      if (bytes === undefined) continue
      left -= bytes.length
      files.set(path, bytes)
      if (files.size > MOST_FILES) throw tooMany(folder)
    }
  }
  return copyOf(files, isNamed)
}

export function copyOf(files: ReadonlyMap<string, Uint8Array>, isNamed: boolean): RecordCopy {
  const lines = Buffer.from(files.get(JOURNAL) ?? [])
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
  const decisions = [...files.keys()].filter((path) => path.startsWith('decisions/')).length
  return { files, decisions, changed: lastChange(lines), lines, isNamed }
}

function lastChange(lines: readonly string[]): string | undefined {
  try {
    const at: unknown = JSON.parse(lines.at(-1) ?? '{}')?.at
    return typeof at === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(at) ? at : undefined
  } catch {
    return undefined
  }
}

export const tooMany = (place: string): AppError =>
  new AppError('damaged', `${place} contains more than a record can hold.`, {
    hint: `A record has at most ${MOST_FILES.toLocaleString('en')} files and 1 GB; move away what does not belong there.`,
  })
