import { HOLDS, LAID_ASIDE } from '../../../core/ranking/rank-documents.ts'
import { ownersOf, readParts, startsOf } from './segment.ts'

/** The chunks and documents of an index as rows of numbers, at one generation: what scoring reads of each. */
export interface Ground {
  readonly generation: number
  /** By row. A row that nothing stands in any more is led to by no posting. */
  readonly lengths: Uint32Array
  readonly marks: Uint8Array
  readonly ownerOf: Uint32Array
  /** By document. */
  readonly ids: Float64Array
  readonly firstChunks: Float64Array
  readonly firstRows: Uint32Array
  readonly sizes: Uint32Array
  /** As a ranking has it: `HOLDS` or `LAID_ASIDE`. */
  readonly standing: Uint8Array
  /** The first row of a segment. */
  rowsOf(segment: number): number
  readonly segments: ReadonlyMap<number, LoadedSegment>
}

export interface LoadedSegment {
  readonly generation: number
  readonly size: number
  readonly lengths: Uint32Array
  readonly marks: Uint8Array
  readonly owners: Uint32Array
  readonly ids: Float64Array
  readonly firstChunks: Float64Array
  readonly starts: Uint32Array
  readonly sizes: Uint32Array
  readonly standing: Uint8Array
}

export function loadSegment(generation: number, documents: Uint8Array): LoadedSegment {
  const parts = readParts(documents)
  const owners = ownersOf(parts)
  return {
    generation,
    size: owners.length,
    lengths: Uint32Array.from(parts.flatMap(({ lengths }) => lengths)),
    marks: Uint8Array.from(parts.flatMap(({ marks, lengths }) => lengths.map((_, i) => marks[i] ?? 0))),
    owners,
    ids: Float64Array.from(parts, ({ id }) => id ?? GONE),
    firstChunks: Float64Array.from(parts, ({ firstChunk }) => firstChunk),
    starts: Uint32Array.from(startsOf(parts)),
    sizes: Uint32Array.from(parts, ({ lengths }) => lengths.length),
    standing: Uint8Array.from(parts, ({ isLaidAside }) => (isLaidAside ? LAID_ASIDE : HOLDS)),
  }
}

/** The id of no document. */
const GONE = -1

/** Puts segments one behind the other. */
export function layGround(generation: number, segments: ReadonlyMap<number, LoadedSegment>): Ground {
  const all = [...segments.values()]
  const rows = all.reduce((sum, { size }) => sum + size, 0)
  const documents = all.reduce((sum, { ids }) => sum + ids.length, 0)
  const ground = {
    generation,
    segments,
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
  let [row, document] = [0, 0]
  for (const [number, segment] of segments) {
    begins.set(number, row)
    ground.lengths.set(segment.lengths, row)
    ground.marks.set(segment.marks, row)
    ground.ids.set(segment.ids, document)
    ground.firstChunks.set(segment.firstChunks, document)
    ground.sizes.set(segment.sizes, document)
    ground.standing.set(segment.standing, document)
    for (let i = 0; i < segment.size; i++) ground.ownerOf[row + i] = document + segment.owners[i]!
    for (let i = 0; i < segment.ids.length; i++) ground.firstRows[document + i] = row + segment.starts[i]!
    row += segment.size
    document += segment.ids.length
  }
  return { ...ground, rowsOf: (segment) => begins.get(segment)! }
}

/** How the bytes of a ground are counted: its rows and those of its segments. */
export const bytesOf = ({ lengths, ids }: Ground): number => 18 * lengths.length + 64 * ids.length
