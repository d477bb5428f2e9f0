import type { SqlSession } from '../../../kernel/ports/sql-database.ts'
import { deleteSegments, insertSegment, movedPostings, readLeaves } from './segment-rows.ts'
import { readParts, type SegmentPart } from './segment.ts'

/**
 * Limit of a joined segment. Every question reads every segment, but rewriting a larger one would delay a small change.
 */
const LARGEST_JOINED = 4096
/** Fewer segments are not joined, because joining rewrites them. */
const FEWEST_JOINED = 8

interface Size {
  readonly number: number
  readonly chunks: number
}

/**
 * Joins neighbours of similar size, so that a thousand small writes leave a dozen segments, and segments that have lost
 * most of their content. Call it inside a change.
 */
export async function joinSegments(sql: SqlSession, project: string, generation: number): Promise<void> {
  const all = await sql.query<Size>(
    'SELECT number, chunks FROM ken.index_segments WHERE project = $1 ORDER BY number',
    [project],
  )
  for (const group of groupsToJoin(all)) await join(sql, { project, generation, numbers: group })
}

/**
 * Groups of segments to join: a segment is joined with those after it unless it is larger than they are, or the total
 * is too large.
 */
export function groupsToJoin(all: readonly Size[]): number[][] {
  const groups: number[][] = []
  let total = -1
  for (const { number, chunks } of all.toReversed()) {
    if (chunks <= total && chunks + total <= LARGEST_JOINED) {
      groups.at(-1)!.unshift(number)
      total += chunks
    } else {
      groups.push([number])
      total = chunks
    }
  }
  return groups.filter(({ length }) => length >= FEWEST_JOINED)
}

async function join(
  sql: SqlSession,
  { project, generation, numbers }: { project: string; generation: number; numbers: readonly number[] },
): Promise<void> {
  const parts: SegmentPart[] = []
  const words = new Map<string, { places: number[]; counts: number[] }>()
  let next = 0
  for (const number of numbers) {
    const [row] = await sql.query<{ documents: Uint8Array }>(
      'SELECT documents FROM ken.index_segments WHERE project = $1 AND number = $2::bigint',
      [project, number],
    )
    const own = readParts(row!.documents)
    const moved = own.flatMap(({ id, lengths }) => lengths.map(() => (id === undefined ? -1 : next++)))
    parts.push(...own.filter(({ id }) => id !== undefined))
    for (const leaf of await readLeaves(sql, { project, number }))
      for (const { term, places, counts } of movedPostings(leaf, moved)) {
        const known = words.get(term)
        if (known === undefined) words.set(term, { places, counts })
        else {
          for (const place of places) known.places.push(place)
          for (const count of counts) known.counts.push(count)
        }
      }
  }
  await deleteSegments(sql, project, numbers)
  await insertSegment(sql, { project, number: numbers[0]! }, { generation, parts, words })
}
