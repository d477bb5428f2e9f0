import type { CodeOutline } from '../../../retrieval/domain/chunking/code-outline.ts'
import type { QuantizedVector } from '../../../retrieval/domain/ranking/vector.ts'
import type { IndexBatch } from '../../ports/search-index.ts'
import { chunksFrom, putChunk, putRemoved } from './chunks.ts'
import { putOutline } from './code-graph.ts'
import type { IndexDatabase } from './database.ts'
import { coreOf, documentId, documentOf, putDocument } from './documents.ts'
import type { Head } from './head.ts'
import { openPlaces } from './places.ts'
import { insertSegment, joinLast } from './segments.ts'
import { addVector, changeRegistry, shelvesOf, takeVectors } from './shelves.ts'

type Places = ReturnType<typeof openPlaces>

export function writeBatch(database: IndexDatabase, batch: IndexBatch): void {
  database.change((head) => {
    const places = openPlaces(database, head)
    const gone: Gone[] = []
    const forget = (document: IndexBatch['removed'][number]) =>
      gone.push(...forgetDocument(database, head, { places, id: documentId(document) }))
    for (const stamp of batch.restamped) restamp(database, head, { places, stamp })
    batch.removed.forEach(forget)
    for (const { facts } of batch.documents) forget(facts)
    forgetVectors(database, head, gone)
    if (batch.documents.length > 0) insertDocuments(database, head, { places, batch })
    places.keep()
  })
}

function insertDocuments(
  database: IndexDatabase,
  head: Head,
  { places, batch }: { places: Places; batch: IndexBatch },
): void {
  const first = head.nextChunk
  for (const { facts, chunks, outline } of batch.documents) {
    const place = places.of(facts).id
    const outlined = outline === undefined ? 0 : outlineOf(database, facts, outline)
    const seal = putDocument(database, facts, {
      place,
      first: head.nextChunk,
      count: chunks.length,
      generation: head.generation,
      outline: outlined,
    })
    places.add(place, { seal, chunks: chunks.length })
    for (const { startLine, endLine, heading } of chunks)
      putChunk(database, { id: head.nextChunk++, startLine, endLine, heading })
  }
  const lengths = Uint32Array.from(batch.documents.flatMap(({ chunks }) => chunks.map(({ length }) => length)))
  let from = 0
  for (const postings of batch.postings) {
    const own = lengths.subarray(from, from + postings.chunks)
    insertSegment(database, head, { first: first + from, lengths: own, postings })
    from += postings.chunks
  }
  if (batch.vectors !== undefined) insertVectors(database, head, { first, ...batch.vectors })
  joinLast(database, head)
}

function insertVectors(
  database: IndexDatabase,
  head: Head,
  { first, embedder, all }: { first: number; embedder: string; all: readonly QuantizedVector[] },
): void {
  changeRegistry(database, head, embedder, (shelf) => {
    takeVectors(database, shelf, first, all.length)
    all.forEach((vector, i) => addVector(database, shelf, { chunk: first + i, vector, generation: head.generation }))
  })
}

const outlineOf = (database: IndexDatabase, file: { collection: string; path: string }, outline: CodeOutline): number =>
  putOutline(database, { document: documentId(file), path: file.path, outline })

function restamp(
  database: IndexDatabase,
  head: Head,
  { places, stamp }: { places: Places; stamp: IndexBatch['restamped'][number] },
): void {
  const core = coreOf(database, documentId({ collection: stamp.collection, path: stamp.path }))
  if (core === undefined) return
  const facts = { ...documentOf(database, core.id), size: stamp.size, mtime: stamp.mtime }
  places.take(core.place, core)
  const seal = putDocument(database, facts, {
    place: core.place,
    first: core.firstChunk,
    count: core.chunks,
    generation: head.generation,
    outline: core.outline,
  })
  places.add(core.place, { seal, chunks: core.chunks })
}

interface Gone {
  readonly first: number
  readonly count: number
}

/** Keeps the document's postings until the next compaction; readers ignore those listed in `removed`. */
function forgetDocument(database: IndexDatabase, head: Head, { places, id }: { places: Places; id: number }): Gone[] {
  const core = coreOf(database, id)
  if (core === undefined) return []
  const { firstChunk: first, chunks: count } = core
  places.take(core.place, core)
  database.run('DELETE FROM document WHERE id = ?', id)
  database.run('DELETE FROM outline WHERE document = ?', id)
  database.run('DELETE FROM chunk WHERE id >= ? AND id < ?', first, first + count)
  putRemoved(database, { first, document: id, generation: head.generation, chunks: count })
  return [{ first, count }]
}

function forgetVectors(database: IndexDatabase, head: Head, gone: readonly Gone[]): void {
  if (gone.length === 0) return
  for (const { embedder } of shelvesOf(database, head)) {
    changeRegistry(database, head, embedder, (shelf) => {
      for (const { first, count } of gone) takeVectors(database, shelf, first, count)
    })
  }
}

/** The chunks without a vector, in order of document and chunk. */
export function unembeddedChunks(
  database: IndexDatabase,
  embedder: string,
  { limit, after }: { limit: number; after: number },
) {
  const sql = `SELECT id, first_chunk, chunks FROM document WHERE id > ? AND EXISTS (
      SELECT 1 FROM chunk c WHERE c.id >= first_chunk AND c.id < first_chunk + chunks AND NOT EXISTS (SELECT 1 FROM vector v WHERE v.embedder = ? AND v.chunk = c.id)
    ) ORDER BY id LIMIT ?`
  const { epoch } = database.head()
  return (database.rows(sql, after, embedder, limit) as [number, number, number][]).flatMap(
    ([document, first, count]) => {
      const made = new Set(
        (
          database.rows(
            'SELECT chunk FROM vector WHERE embedder = ? AND chunk >= ? AND chunk < ?',
            embedder,
            first,
            first + count,
          ) as [number][]
        ).map(([chunk]) => chunk),
      )
      return chunksFrom(database, first, count)
        .filter(({ id }) => !made.has(id))
        .map((chunk) => ({ ...chunk, document, at: chunk.id - first, epoch }))
    },
  )
}
