import { closeSync, openSync, readSync } from 'node:fs'
import { AppError } from '../../../kernel/domain/errors.ts'
import { addRow } from './kernel.ts'
import { openRowTable, type RowTable } from './row-table.ts'
import { openVocabulary, type Vocabulary } from './vocabulary.ts'

/**
 * One model file, little-endian: a header of 64 bytes, the end of each vocabulary entry (u32 each), the entries sorted
 * by bytes, one scale per row (f32 each), one row of signed bytes per entry. Written by scripts/static-model/fit.py.
 */
export interface ModelFile {
  readonly id: string
  readonly dimensions: number
  readonly calibration: { readonly beta: number; readonly noise: number; readonly strong: number }
  vocabulary(): Vocabulary
  /** The sum of some rows, each times its weight (default 1), in order. */
  sum: RowTable['sum']
  close(): void
}

const MAGIC = 'KENVEC01'
const HEADER = 64
// Searches need a few thousand rows, each read once. Indexing needs more, or the same ones again and again: after this
// many all rows are read (13 MB), which makes sums several times faster.
const SINGLE_ROWS = 6_000
const SINGLE_SUMS = 100_000

export function openModelFile(path: string, forMany = false): ModelFile {
  const file = openOrExplain(path)
  const header = Buffer.from(readAt(file, { path, at: 0, into: new Uint8Array(HEADER) }).buffer)
  if (header.toString('latin1', 0, 8) !== MAGIC) {
    closeSync(file)
    throw new AppError('damaged', `${path} is not a static embedding model`, {
      hint: 'Install Ken again; its models folder is part of the package.',
    })
  }
  const dimensions = header.readUInt32LE(8)
  const rows = header.readUInt32LE(12)
  const entriesAt = HEADER + 4 * rows
  const scalesAt = entriesAt + header.readUInt32LE(16)
  const rowsAt = scalesAt + 4 * rows
  let scales: Float32Array | undefined
  let table: RowTable | undefined
  const singleRows = new Map<number, Int8Array>()
  let summed = 0

  let isClosed = false
  const readInto = (at: number, into: Uint8Array<ArrayBuffer>) => {
    // The number of a closed file may by now belong to another one.
    if (isClosed) throw new AppError('unavailable', `the embedding model ${path} was closed`)
    return readAt(file, { path, at, into })
  }
  const read = (at: number, length: number) => readInto(at, new Uint8Array(length))
  const loadScales = () => (scales ??= new Float32Array(read(scalesAt, 4 * rows).buffer))
  const loadTable = () => {
    singleRows.clear()
    return openRowTable({
      dimensions,
      scales: loadScales(),
      fill: (bytes) => readInto(rowsAt, bytes),
    })
  }
  const rowAt = (row: number): Int8Array => {
    let bytes = singleRows.get(row)
    if (bytes === undefined) {
      bytes = new Int8Array(read(rowsAt + row * dimensions, dimensions).buffer)
      singleRows.set(row, bytes)
    }
    return bytes
  }

  return {
    id: header.toString('utf8', 32, HEADER).replace(/\0+$/, ''),
    dimensions,
    calibration: { beta: header.readFloatLE(20), noise: header.readFloatLE(24), strong: header.readFloatLE(28) },
    vocabulary: () =>
      openVocabulary(
        new Uint32Array(read(HEADER, 4 * rows).buffer),
        Buffer.from(read(entriesAt, scalesAt - entriesAt).buffer),
      ),
    sum(wanted, weights) {
      if (table !== undefined || forMany || singleRows.size > SINGLE_ROWS || summed > SINGLE_SUMS)
        return (table ??= loadTable()).sum(wanted, weights)
      summed += wanted.length
      const sum = new Float32Array(dimensions)
      wanted.forEach((row, i) => addRow(sum, rowAt(row), Math.fround(loadScales()[row]! * (weights?.[i] ?? 1))))
      return sum
    },
    close() {
      if (!isClosed) closeSync(file)
      isClosed = true
    },
  }
}

function openOrExplain(path: string): number {
  try {
    return openSync(path, 'r')
  } catch (cause) {
    throw new AppError('unavailable', `the embedding model ${path} cannot be read`, {
      hint: 'Install Ken again, or set KEN_EMBEDDINGS=0 to search by words alone.',
      cause,
    })
  }
}

function readAt(
  file: number,
  { path, at, into }: { path: string; at: number; into: Uint8Array<ArrayBuffer> },
): Uint8Array<ArrayBuffer> {
  if (readSync(file, into, 0, into.length, at) === into.length) return into
  throw new AppError('damaged', `the embedding model ${path} is truncated`, {
    hint: 'Install Ken again; its models folder is part of the package.',
  })
}
