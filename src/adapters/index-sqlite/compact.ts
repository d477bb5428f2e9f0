import type { IndexDatabase } from './database.ts'
import { joinSegments, LARGEST_JOINED, segmentsOf, type Segment } from './segments.ts'
import { embeddersOf } from './write-batch.ts'

// Postings of chunks that are gone cost time in every question that names their terms.
const LEAST_GONE = 16_384

/** Rewrites the postings without chunks that are gone, once they are as many as those that are left. */
export function compactIfWorthIt(database: IndexDatabase): void {
  const made = database.number('next_chunk')
  if (made < LEAST_GONE) return
  const [live] = database.rows('SELECT count(*) FROM chunk')[0] as [number]
  if (made - live < Math.max(LEAST_GONE, live)) return
  compact(database)
}

export function compact(database: IndexDatabase): void {
  database.change(() => {
    const newId = renumber(database)
    for (const group of groupsOf(segmentsOf(database), newId)) joinSegments(database, group, (id) => newId[id]!)
    database.run('DELETE FROM removed')
    database.run("UPDATE meta SET value = (SELECT count(*) FROM chunk) WHERE key = 'next_chunk'")
    database.run("UPDATE meta SET value = value + 1 WHERE key = 'epoch'")
  })
}

/** Neighbours that together have about as many live chunks as a segment may. */
function groupsOf(segments: readonly Segment[], newId: Int32Array): Segment[][] {
  const groups: Segment[][] = []
  let size = Infinity
  for (const segment of segments) {
    const live = newId.subarray(segment.first, segment.first + segment.span).filter((id) => id >= 0).length
    if (size + live > LARGEST_JOINED) groups.push([])
    size = groups.at(-1)!.length === 0 ? live : size + live
    groups.at(-1)!.push(segment)
  }
  return groups
}

/** Chunk ids without gaps, in the old order. New ids are never larger than old ones, so no update meets a taken one. */
function renumber(database: IndexDatabase): Int32Array {
  const newId = new Int32Array(database.number('next_chunk')).fill(-1)
  const embedders = embeddersOf(database)
  const ids = database.rows('SELECT id FROM chunk ORDER BY id') as [number][]
  ids.forEach(([id], at) => {
    newId[id] = at
    if (id === at) return
    database.run('UPDATE chunk SET id = ? WHERE id = ?', at, id)
    for (const embedder of embedders) database.run('UPDATE vector SET chunk = ? WHERE embedder = ? AND chunk = ?', at, embedder, id)
  })
  for (const [document, first] of database.rows('SELECT id, first_chunk FROM document WHERE chunks > 0') as [number, number][]) {
    database.run('UPDATE document SET first_chunk = ? WHERE id = ?', newId[first]!, document)
  }
  return newId
}
