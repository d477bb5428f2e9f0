import { HOLDS, SUPERSEDED } from '../../../retrieval/domain/ranking/rank-documents.ts'
import { readParts } from './segment.ts'

/** The chunks and documents of an index as rows of numbers, at one generation: the data scoring reads. */
export interface Ground {
  readonly generation: number
  /** Indexed by row, as are `marks` and `ownerOf`. No posting refers to a row that is no longer used. */
  readonly lengths: Uint32Array
  readonly marks: Uint8Array
  readonly ownerOf: Uint32Array
  /** Indexed by document, as are the arrays below. */
  readonly ids: Float64Array
  readonly firstChunks: Float64Array
  readonly firstRows: Uint32Array
  readonly sizes: Uint32Array
  /** Ranking state: `HOLDS` or `SUPERSEDED`. */
  readonly standing: Uint8Array
  /** The first row of a segment. */
  rowsOf(segment: number): number
  readonly segments: ReadonlyMap<number, LoadedSegment>
}

/** Segment with separate arrays after reading; once added to the ground, with views of the ground's arrays. */
export interface LoadedSegment extends Pick<
  Ground,
  'generation' | 'lengths' | 'marks' | 'ids' | 'firstChunks' | 'sizes' | 'standing'
> {}

export function loadSegment(generation: number, documents: Uint8Array): LoadedSegment {
  const parts = readParts(documents)
  return {
    generation,
    lengths: Uint32Array.from(parts.flatMap(({ lengths }) => lengths)),
    marks: Uint8Array.from(parts.flatMap(({ marks, lengths }) => lengths.map((_, i) => marks[i] ?? 0))),
    ids: Float64Array.from(parts, ({ id }) => id ?? GONE),
    firstChunks: Float64Array.from(parts, ({ firstChunk }) => firstChunk),
    sizes: Uint32Array.from(parts, ({ lengths }) => lengths.length),
    standing: Uint8Array.from(parts, ({ isSuperseded }) => (isSuperseded ? SUPERSEDED : HOLDS)),
  }
}

/** Id in place of a removed document. */
const GONE = -1

/** Concatenates segments. */
export function layGround(generation: number, loaded: ReadonlyMap<number, LoadedSegment>): Ground {
  const all = [...loaded.values()]
  const rows = all.reduce((sum, { lengths }) => sum + lengths.length, 0)
  const documents = all.reduce((sum, { ids }) => sum + ids.length, 0)
  const ground = {
    generation,
    lengths: new Uint32Array(rows),
    marks: new Uint8Array(rows),
    ownerOf: new Uint32Array(rows),
    ids: new Float64Array(documents),
    firstChunks: new Float64Array(documents),
    firstRows: new Uint32Array(documents),
    sizes: new Uint32Array(documents),
    standing: new Uint8Array(documents),
  }
  const begins = new Map<number, number>()
  const segments = new Map<number, LoadedSegment>()
  let [row, document] = [0, 0]
  for (const [number, segment] of loaded) {
    begins.set(number, row)
    const put = <Values extends Uint8Array | Uint32Array | Float64Array>(to: Values, values: Values, at: number) => {
      to.set(values, at)
      return to.subarray(at, at + values.length) as Values
    }
    segments.set(number, {
      generation: segment.generation,
      lengths: put(ground.lengths, segment.lengths, row),
      marks: put(ground.marks, segment.marks, row),
      ids: put(ground.ids, segment.ids, document),
      firstChunks: put(ground.firstChunks, segment.firstChunks, document),
      sizes: put(ground.sizes, segment.sizes, document),
      standing: put(ground.standing, segment.standing, document),
    })
    for (const size of segment.sizes) {
      ground.firstRows[document] = row
      ground.ownerOf.fill(document++, row, (row += size))
    }
  }
  return { ...ground, segments, rowsOf: (segment) => begins.get(segment)! }
}

/** Size of a ground in bytes, with the array views of segments. */
export const bytesOf = ({ lengths, ids, segments }: Ground): number =>
  9 * lengths.length + 25 * ids.length + 1_000 * segments.size
