import { chunksFrom, putChunk } from './chunks.ts'
import type { IndexDatabase } from './database.ts'
import { coresSince, documentOf, putDocument, type DocumentCore } from './documents.ts'
import type { Head } from './head.ts'
import { openPlaces, placesOf } from './places.ts'
import { minus, mustBe, plus, sealOf } from './seal.ts'
import { joinSegments, mayJoin, segmentsOf, type Segment } from './segments.ts'
import { changeRegistry, shelvesOf, vectorsSince } from './shelves.ts'

// Postings of removed chunks cost time in every question with their terms.
const LEAST_GONE = 16_384

/** Rewrites the postings without removed chunks once there are as many removed as live chunks. */
export function compactIfWorthIt(database: IndexDatabase): void {
  const head = database.head()
  if (head.nextChunk < LEAST_GONE) return
  const live = database.look(() => placesOf(database, database.head())).reduce((sum, place) => sum + place.chunks, 0)
  if (head.nextChunk - live < Math.max(LEAST_GONE, live)) return
  compact(database)
}

/**
 * Rewrites the index without removed chunks. Everything moved is checked first: a new seal on damaged data would hide
 * the damage permanently.
 */
export function compact(database: IndexDatabase): void {
  database.change((head) => {
    const documents = [...coresSince(database, -1)]
    const tally = placesOf(database, head).reduce((sum, place) => plus(sum, place.tally), 0)
    mustBe(
      documents.reduce((sum, { seal }) => plus(sum, seal), 0),
      tally,
      'its documents are',
    )
    const newId = renumber(database, head, documents)
    moveVectors(database, head, newId)
    moveDocuments(database, head, { documents, newId })
    for (const group of groupsOf(segmentsOf(database, head), newId))
      joinSegments(database, head, { segments: group, idOf: (id) => newId[id]! })
    database.run('DELETE FROM removed')
    head.nextChunk = documents.reduce((sum, { chunks }) => sum + chunks, 0)
    head.epoch++
  })
}

/** Groups of neighbours that are as large as joined segments may be. */
function groupsOf(segments: readonly Segment[], newId: Int32Array): Segment[][] {
  const groups: Segment[][] = []
  let [size, leaves] = [Infinity, 0]
  for (const segment of segments) {
    const live = newId.subarray(segment.first, segment.first + segment.span).filter((id) => id >= 0).length
    if (!mayJoin(size + live, leaves + segment.leaves)) {
      groups.push([])
      ;[size, leaves] = [0, 0]
    }
    size += live
    leaves += segment.leaves
    groups.at(-1)!.push(segment)
  }
  return groups
}

/**
 * New chunk ids without gaps, in the old order. They are never larger than the old ones, so none is overwritten before
 * it is read.
 */
function renumber(database: IndexDatabase, head: Head, documents: readonly DocumentCore[]): Int32Array {
  const newId = new Int32Array(head.nextChunk).fill(-1)
  let next = 0
  for (const { firstChunk, chunks } of documents.toSorted((a, b) => a.firstChunk - b.firstChunk)) {
    const own = chunksFrom(database, firstChunk, chunks)
    mustBe(own.length, chunks, 'the parts of a document are')
    for (const chunk of own) {
      newId[chunk.id] = next
      if (chunk.id !== next) {
        database.run('DELETE FROM chunk WHERE id = ?', chunk.id)
        putChunk(database, { ...chunk, id: next })
      }
      next++
    }
  }
  return newId
}

function moveVectors(database: IndexDatabase, head: Head, newId: Int32Array): void {
  for (const { embedder } of shelvesOf(database, head)) {
    changeRegistry(database, head, embedder, (shelf) => {
      const rows = [...vectorsSince(database, embedder, -1)]
      mustBe(
        rows.reduce((sum, { seal }) => plus(sum, seal), 0),
        shelf.tally,
        'its vectors are',
      )
      for (const { chunk, scale, data, generation, seal } of rows.toSorted((a, b) => a.chunk - b.chunk)) {
        const moved = newId[chunk]!
        if (moved === chunk) continue
        const fresh = sealOf(moved, embedder, scale, data, generation)
        database.run(
          'UPDATE vector SET chunk = ?, seal = ? WHERE embedder = ? AND chunk = ?',
          moved,
          fresh,
          embedder,
          chunk,
        )
        shelf.tally = plus(minus(shelf.tally, seal), fresh)
      }
    })
  }
}

function moveDocuments(
  database: IndexDatabase,
  head: Head,
  { documents, newId }: { documents: readonly DocumentCore[]; newId: Int32Array },
): void {
  const places = openPlaces(database, head)
  for (const core of documents) {
    const first = core.chunks === 0 ? 0 : newId[core.firstChunk]!
    if (first === core.firstChunk) continue
    places.take(core.place, core)
    const seal = putDocument(database, documentOf(database, core.id), {
      place: core.place,
      first,
      count: core.chunks,
      generation: core.generation,
      outline: core.outline,
    })
    places.add(core.place, { seal, chunks: core.chunks })
  }
  places.keep()
}
