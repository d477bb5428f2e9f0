import type { Ground } from './ground.ts'

/** Vectors of one embedder, in order of chunk. */
export interface VectorRows {
  readonly chunks: Float64Array
  readonly documents: Float64Array
  readonly scales: Float32Array
  /** All vectors, concatenated. */
  readonly bytes: Int8Array
}

/** All vectors of a project by one embedder, at one generation of its index. */
export interface HeldVectors extends VectorRows {
  readonly generation: number
}

/** Chunks from `first` up to, but not including, `past`. */
export interface ChunkRange {
  readonly first: number
  readonly past: number
}

/**
 * Positions of the vectors with a chunk in the index, and the chunks without a vector. An existing vector stays valid:
 * an id belongs to one chunk, and an embedder makes one vector of it.
 */
export function standing({ chunks }: Pick<VectorRows, 'chunks'>, { ids, firstChunks, sizes }: Ground) {
  const kept = new Uint32Array(chunks.length)
  const missing: { first: number; past: number }[] = []
  let [at, count] = [0, 0]
  for (let document = 0; document < ids.length; document++) {
    if (ids[document]! < 0) continue
    const past = firstChunks[document]! + sizes[document]!
    for (let chunk = firstChunks[document]!; chunk < past; chunk++) {
      while (chunks[at]! < chunk) at++
      if (chunks[at] === chunk) kept[count++] = at++
      else if (missing.at(-1)?.past === chunk) missing.at(-1)!.past++
      else missing.push({ first: chunk, past: chunk + 1 })
    }
  }
  return { kept: kept.subarray(0, count), missing: missing as readonly ChunkRange[] }
}

/** The kept old vectors and the new ones of other chunks, in order of chunk. */
export function merged(old: VectorRows, kept: Uint32Array, fresh: VectorRows): VectorRows {
  const runs: { of: VectorRows; from: number; to: number }[] = []
  const take = (of: VectorRows, at: number): void => {
    const last = runs.at(-1)
    if (last?.of === of && last.to === at) last.to++
    else runs.push({ of, from: at, to: at + 1 })
  }
  let next = 0
  for (const at of kept) {
    while (fresh.chunks[next]! < old.chunks[at]!) take(fresh, next++)
    if (fresh.chunks[next] === old.chunks[at]) next++
    take(old, at)
  }
  while (next < fresh.chunks.length) take(fresh, next++)
  return joinedRows(runs.map(({ of, from, to }) => slice(of, from, to)))
}

function slice({ chunks, documents, scales, bytes }: VectorRows, from: number, to: number): VectorRows {
  const size = chunks.length === 0 ? 0 : bytes.length / chunks.length
  return {
    chunks: chunks.subarray(from, to),
    documents: documents.subarray(from, to),
    scales: scales.subarray(from, to),
    bytes: bytes.subarray(from * size, to * size),
  }
}

export const joinedRows = (parts: readonly VectorRows[]): VectorRows => ({
  chunks: joined(Float64Array, parts, ({ chunks }) => chunks),
  documents: joined(Float64Array, parts, ({ documents }) => documents),
  scales: joined(Float32Array, parts, ({ scales }) => scales),
  bytes: joined(Int8Array, parts, ({ bytes }) => bytes),
})

/** One column of several parts, concatenated. */
export function joined<Part, Values extends Float64Array | Float32Array | Int8Array>(
  Kind: new (length: number) => Values,
  parts: readonly Part[],
  column: (part: Part) => Values,
): Values {
  const whole = new Kind(parts.reduce((sum, part) => sum + column(part).length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(column(part), at)
    at += column(part).length
  }
  return whole
}
