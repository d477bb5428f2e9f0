import { closeSync, openSync, readSync } from 'node:fs'
import { AppError } from '../../../core/errors.ts'

/**
 * One model file, little-endian: a header of 64 bytes, where each vocabulary entry ends (u32 each), the entries sorted
 * by bytes, one scale per row (f32 each), one row of signed bytes per entry. Written by scripts/static-model/fit.py.
 */
export interface ModelFile {
  readonly id: string
  readonly dimensions: number
  readonly calibration: { readonly beta: number; readonly noise: number; readonly strong: number }
  /** The row of a vocabulary entry, or -1. */
  find(entry: string): number
  /** The rows of entries of two and three words, which are stored behind two spaces. */
  phrases(): ReadonlyMap<string, number>
  /** Adds a row times a weight to a sum. */
  addRow(sum: Float32Array, row: number, weight: number): void
  close(): void
}

const MAGIC = 'KENVEC01'
const HEADER = 64
// One query needs a dozen rows, which are read one by one; after this many, reading all of them at once is cheaper.
const SINGLE_READS = 256

export function openModelFile(path: string): ModelFile {
  const file = openOrExplain(path)
  const header = readAt(file, { path, at: 0, length: HEADER })
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
  let vocabulary: Vocabulary | undefined
  let scales: Float32Array | undefined
  let table: Int8Array | undefined
  let singleReads = 0

  const loadVocabulary = (): Vocabulary =>
    (vocabulary ??= {
      ends: new Uint32Array(toArrayBuffer(read(HEADER, 4 * rows))),
      bytes: read(entriesAt, scalesAt - entriesAt),
    })
  const read = (at: number, length: number) => readAt(file, { path, at, length })
  const readRow = (row: number): Int8Array => {
    singleReads += 1
    return new Int8Array(toArrayBuffer(read(rowsAt + row * dimensions, dimensions)))
  }

  return {
    id: header.toString('utf8', 32, HEADER).replace(/\0+$/, ''),
    dimensions,
    calibration: { beta: header.readFloatLE(20), noise: header.readFloatLE(24), strong: header.readFloatLE(28) },
    find: (entry) => findEntry(loadVocabulary(), Buffer.from(entry)),
    phrases: () => findPhrases(loadVocabulary()),
    addRow(sum, row, weight) {
      scales ??= new Float32Array(toArrayBuffer(read(scalesAt, 4 * rows)))
      if (singleReads >= SINGLE_READS) table ??= new Int8Array(toArrayBuffer(read(rowsAt, rows * dimensions)))
      const bytes = table ?? readRow(row)
      const start = table ? row * dimensions : 0
      const factor = weight * (scales[row] as number)
      for (let d = 0; d < dimensions; d += 1) sum[d] = (sum[d] as number) + (bytes[start + d] as number) * factor
    },
    close: () => closeSync(file),
  }
}

interface Vocabulary {
  readonly ends: Uint32Array
  readonly bytes: Buffer
}

function findEntry({ ends, bytes }: Vocabulary, entry: Buffer): number {
  let low = 0
  let high = ends.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const start = middle === 0 ? 0 : (ends[middle - 1] as number)
    const order = bytes.compare(entry, 0, entry.length, start, ends[middle] as number)
    if (order === 0) return middle
    if (order < 0) low = middle + 1
    else high = middle - 1
  }
  return -1
}

/** They sort before everything else. */
function findPhrases({ ends, bytes }: Vocabulary): Map<string, number> {
  const phrases = new Map<string, number>()
  for (let row = 0, start = 0; row < ends.length; start = ends[row++] as number) {
    const entry = bytes.toString('utf8', start, ends[row])
    if (!entry.startsWith('  ')) break
    phrases.set(entry.slice(2), row)
  }
  return phrases
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

function readAt(file: number, { path, at, length }: { path: string; at: number; length: number }): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length)
  if (readSync(file, bytes, 0, length, at) === length) return bytes
  throw new AppError('damaged', `the embedding model ${path} is cut short`, {
    hint: 'Install Ken again; its models folder is part of the package.',
  })
}

const toArrayBuffer = (bytes: Buffer): ArrayBuffer => bytes.buffer as ArrayBuffer
