import { ellipsis } from '../../../kernel/domain/text.ts'
import type { TextLines } from '../../../kernel/domain/text/text-lines.ts'
import { type Chunk, CHUNK_CAP, type BreakPlan, cutChunks, type LineRange, makeChunk } from './cut-chunks.ts'

/** Lines that belong together, with a name for them. */
export interface Segment extends LineRange {
  /** Empty if the segment has no name. */
  readonly name: string
}

const LONGEST_HEADING = 200

export interface Packing {
  /**
   * Neighbours are merged up to this size: smaller chunks are too short to be found, larger ones blur their subject.
   */
  readonly small: number
  planOf(segment: Segment): BreakPlan
}

/**
 * One chunk per segment, with small neighbours merged and too long ones split by `planOf`. The segments are contiguous.
 */
export function packChunks(lines: TextLines, segments: readonly Segment[], { small, planOf }: Packing): Chunk[] {
  return joinSmall(lines, segments, small).flatMap((group) => {
    const [first, last] = [group[0]!, group.at(-1)!]
    const start = lines.start(first.from)
    const end = lines.start(last.to)
    if (end - start > CHUNK_CAP) return cutChunks(lines, planOf(first), { from: first.from, to: last.to })
    const names = new Set(group.map(({ name }) => name).filter((name) => name !== ''))
    return end === start
      ? []
      : [makeChunk(lines, { start, end, heading: ellipsis([...names].join(', '), LONGEST_HEADING) })]
  })
}

function joinSmall(lines: TextLines, segments: readonly Segment[], small: number): Segment[][] {
  const groups: Segment[][] = []
  let size = 0
  for (const segment of segments) {
    const length = lines.start(segment.to) - lines.start(segment.from)
    const group = groups.at(-1)
    if (group && size + length <= small) {
      group.push(segment)
      size += length
    } else {
      groups.push([segment])
      size = length
    }
  }
  return groups
}
