import { AppError } from '../../kernel/domain/errors.ts'
import type { QuantizedVector } from '../domain/ranking/vector.ts'
import type { VectorScan } from '../ports/vector-scan.ts'
import { compileKernel, newMemory, plainKernel } from './kernel.ts'

// The start of the memory, before the records, is used for one block of rows at a time: query, mask and scores.
const BLOCK = 4096
const MAX_DIMENSIONS = 4096
const MASK = MAX_DIMENSIONS
const OUT = MASK + BLOCK / 8
const RECORDS = OUT + BLOCK * 4
const PAGE = 65_536

/** `plain: true` runs the JavaScript kernel, as in a runtime without WebAssembly SIMD. */
export function openVectorScan(dimensions: number, { plain = false } = {}): VectorScan {
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > MAX_DIMENSIONS) {
    throw new AppError('invalid_input', `a vector has 1 to ${MAX_DIMENSIONS} dimensions, not ${dimensions}`)
  }
  // Records are padded to multiples of 16 bytes, with the scale in a separate 16 bytes, so that they stay aligned.
  const stride = Math.ceil(dimensions / 16) * 16 + 16
  const start = () => {
    const memory = newMemory(1)
    return { memory, kernel: (plain ? undefined : compileKernel(memory)) ?? plainKernel(memory) }
  }
  let { memory, kernel } = start()
  let size = 0

  function write(row: number, bytes: Int8Array, scale: number): void {
    const at = RECORDS + row * stride
    new Int8Array(memory.buffer, at, dimensions).set(bytes)
    new Float32Array(memory.buffer, at + stride - 16, 1)[0] = scale
  }

  function reserve(rows: number): void {
    const missing = Math.ceil((RECORDS + rows * stride - memory.buffer.byteLength) / PAGE)
    if (missing <= 0) return
    const spare = Math.ceil(memory.buffer.byteLength / PAGE / 2)
    const pages = Math.min(Math.max(missing, spare), 65_536 - memory.buffer.byteLength / PAGE)
    if (pages < missing)
      throw new AppError('unavailable', `${rows} vectors of ${dimensions} dimensions need more than 4 GB`)
    memory.grow(pages)
  }

  /** Passes the scores of all rows to `take`, block by block; -Infinity for rows that are not allowed. */
  function score(
    query: QuantizedVector,
    allowed: Uint8Array | undefined,
    take: (scores: Float32Array, first: number) => void,
  ): void {
    assertLength(query, dimensions)
    const mask = new Uint8Array(memory.buffer, MASK, BLOCK / 8)
    const out = new Float32Array(memory.buffer, OUT, BLOCK)
    new Int8Array(memory.buffer, 0, MAX_DIMENSIONS).fill(0).set(query.bytes)
    if (!allowed) mask.fill(255)
    for (let first = 0; first < size; first += BLOCK) {
      if (allowed) mask.fill(0).set(allowed.subarray(first >> 3, (first + BLOCK) >> 3))
      const count = Math.min(BLOCK, size - first)
      kernel({ query: 0, records: RECORDS + first * stride, mask: MASK, out: OUT }, stride, count)
      take(out.subarray(0, count), first)
    }
  }

  return {
    dimensions,
    get size() {
      return size
    },
    add(bytes, scales) {
      if (bytes.length !== scales.length * dimensions) {
        throw new AppError(
          'invalid_input',
          `${scales.length} vectors of ${dimensions} dimensions are ${scales.length * dimensions} bytes, not ${bytes.length}`,
        )
      }
      const first = size
      reserve(size + scales.length)
      scales.forEach((scale, i) => write(first + i, bytes.subarray(i * dimensions, (i + 1) * dimensions), scale))
      size += scales.length
      return first
    },
    set(row, vector) {
      if (!Number.isInteger(row) || row < 0 || row >= size) throw new AppError('not_found', `vector ${row} not found`)
      assertLength(vector, dimensions)
      write(row, vector.bytes, vector.scale)
    },
    top(query, k, allowed) {
      const best = keepBest(k)
      score(query, allowed, best.offer)
      return best.rows().map(({ row, score: found }) => ({ row, score: found * query.scale }))
    },
    scores(query, allowed) {
      const all = new Float32Array(size)
      score(query, allowed, (found, first) => all.set(found, first))
      for (let row = 0; row < size; row++) all[row]! *= query.scale
      return all
    },
    close() {
      ;({ memory, kernel } = start())
      size = 0
    },
  }
}

function assertLength(vector: QuantizedVector, dimensions: number): void {
  if (vector.bytes.length === dimensions) return
  throw new AppError('invalid_input', `the vector has ${vector.bytes.length} dimensions, the scan ${dimensions}`)
}

/**
 * The k best scores so far; later rows lose ties because only a strictly better score enters. Sorted when there are
 * twice as many as needed, so that a large k costs no more per row than a small one.
 */
function keepBest(k: number) {
  const kept: { row: number; score: number }[] = []
  let floor = -Infinity
  const cut = () => {
    kept.sort((a, b) => b.score - a.score || a.row - b.row)
    if (kept.length <= k) return
    kept.length = k
    floor = kept[k - 1]!.score
  }
  return {
    offer(scores: Float32Array, first: number): void {
      if (k < 1) return
      for (let i = 0; i < scores.length; i += 1) {
        const score = scores[i]!
        if (!(score > floor)) continue
        kept.push({ row: first + i, score })
        if (kept.length >= 2 * k + LEAST_SORTED) cut()
      }
    },
    rows() {
      if (k > 0) cut()
      return kept
    },
  }
}

const LEAST_SORTED = 32
