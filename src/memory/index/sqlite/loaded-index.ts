import { rememberRecent } from '../../../kernel/domain/recent-values.ts'
import type { Postings } from '../../../retrieval/domain/ranking/bm25.ts'
import { type SearchScope, scopeFilter } from '../../../retrieval/domain/ranking/indexed-document.ts'
import { entryChunk, entryCount } from '../../../retrieval/domain/ranking/packed-postings.ts'
import { HOLDS, SUPERSEDED, OUT, type RankedRows } from '../../../retrieval/domain/ranking/rank-documents.ts'
import type { ChunkCorpus } from '../../../retrieval/domain/ranking/score-chunks.ts'
import type { IndexDatabase } from './database.ts'
import { allDocuments, coresSince, type DocumentCore } from './documents.ts'
import type { Head } from './head.ts'
import { placesOf, type Place } from './places.ts'
import { mustBe, plus } from './seal.ts'
import { readEntries, segmentsOf, type Segment } from './segments.ts'

/** Document data that every question needs, kept in memory and updated with the changes since. */
export interface LoadedIndex {
  readonly corpus: ChunkCorpus
  /** Chunk ids by row; `rowOf` has the rows by chunk id, -1 for a removed one. */
  readonly chunkOf: Uint32Array
  readonly rowOf: Int32Array
  /** The tally of the seals of all outlines. */
  readonly outlines: number
  rows(scope: SearchScope): RankedRows
  documentAt(row: number): number
  has(document: number): boolean
}

/** Fields of each document that every search needs, by id, in columns: objects would take many times the memory. */
interface Documents {
  readonly size: number
  readonly ids: Float64Array
  readonly places: Uint32Array
  readonly modified: Float64Array
  /** 1 for a superseded one. */
  readonly superseded: Uint8Array
  readonly firstChunk: Uint32Array
  readonly chunks: Uint32Array
  readonly outlines: Uint32Array
  readonly seals: Uint32Array
}

export function openLoadedIndex(database: IndexDatabase) {
  let documents = room(0)
  let seen = { incarnation: -1, generation: -1, epoch: -1 }
  let loaded: LoadedIndex | undefined

  /** Must be called inside `look`, so that postings read later belong to the same snapshot. */
  return (): LoadedIndex => {
    const head = database.head()
    const now = { incarnation: database.incarnation, generation: head.generation, epoch: head.epoch }
    if (
      loaded !== undefined &&
      now.generation === seen.generation &&
      now.epoch === seen.epoch &&
      now.incarnation === seen.incarnation
    )
      return loaded
    const since =
      now.epoch === seen.epoch && now.incarnation === seen.incarnation && now.generation > seen.generation
        ? seen.generation
        : -1
    seen = { incarnation: -1, generation: -1, epoch: -1 }
    documents = since === -1 ? readAll(database) : withChanges(database, documents, since)
    loaded = arrange(database, head, documents)
    seen = now
    return loaded
  }
}

const room = (size: number): Documents => ({
  size,
  ids: new Float64Array(size),
  places: new Uint32Array(size),
  modified: new Float64Array(size),
  superseded: new Uint8Array(size),
  firstChunk: new Uint32Array(size),
  chunks: new Uint32Array(size),
  outlines: new Uint32Array(size),
  seals: new Uint32Array(size),
})

function put(documents: Documents, at: number, core: DocumentCore): void {
  documents.ids[at] = core.id
  documents.places[at] = core.place
  documents.modified[at] = core.modified
  documents.superseded[at] = core.superseded === null ? 0 : 1
  documents.firstChunk[at] = core.firstChunk
  documents.chunks[at] = core.chunks
  documents.outlines[at] = core.outline
  documents.seals[at] = core.seal
}

function readAll(database: IndexDatabase): Documents {
  const [[size]] = database.rows('SELECT count(*) FROM document') as [[number]]
  const documents = room(size)
  let at = 0
  for (const core of coresSince(database, -1)) put(documents, at++, core)
  return documents
}

/** The documents with the changes since a generation, sorted by id as before. */
function withChanges(database: IndexDatabase, before: Documents, since: number): Documents {
  const fresh = [...coresSince(database, since)]
  const replaced = new Set([
    ...fresh.map(({ id }) => id),
    ...database.rows('SELECT document FROM removed WHERE generation > ?', since).map(([id]) => id as number),
  ])
  const kept = before.ids.reduce((count, id) => count + (replaced.has(id) ? 0 : 1), 0)
  const after = room(kept + fresh.length)
  let [old, next] = [0, 0]
  for (let at = 0; at < after.size; at++) {
    while (old < before.size && replaced.has(before.ids[old]!)) old++
    if (next < fresh.length && (old === before.size || fresh[next]!.id < before.ids[old]!)) {
      put(after, at, fresh[next++]!)
      continue
    }
    for (const column of COLUMNS) after[column][at] = before[column][old]!
    old++
  }
  return after
}

const COLUMNS = [
  'ids',
  'places',
  'modified',
  'superseded',
  'firstChunk',
  'chunks',
  'outlines',
  'seals',
] as const satisfies readonly (keyof Documents)[]

/** Throws if a document is missing. */
function checkTally({ seals }: Documents, places: readonly Place[]): void {
  mustBe(
    seals.reduce((sum, seal) => plus(sum, seal), 0),
    places.reduce((sum, { tally }) => plus(sum, tally), 0),
    'its documents are',
  )
}

function arrange(database: IndexDatabase, head: Head, documents: Documents): LoadedIndex {
  const places = placesOf(database, head)
  checkTally(documents, places)
  const size = documents.chunks.reduce((sum, chunks) => sum + chunks, 0)
  const rowOf = new Int32Array(head.nextChunk).fill(-1)
  const [chunkOf, ownerOf, lengths] = [new Uint32Array(size), new Uint32Array(size), new Uint32Array(size)]
  const segments = segmentsOf(database, head)
  const lengthOf = new Uint32Array(head.nextChunk)
  for (const segment of segments) lengthOf.set(segment.lengths, segment.first)
  let row = 0
  let total = 0
  // Sorted by id, which is the same in every index: otherwise equal scores would depend on the indexing order of files.
  for (let owner = 0; owner < documents.size; owner++) {
    const firstChunk = documents.firstChunk[owner]!
    for (let chunk = firstChunk; chunk < firstChunk + documents.chunks[owner]!; chunk++) {
      chunkOf[row] = chunk
      rowOf[chunk] = row
      ownerOf[row] = owner
      lengths[row] = lengthOf[chunk]!
      total += lengthOf[chunk]!
      row++
    }
  }
  const standingIn = rememberStanding(database, documents, places)
  return {
    outlines: documents.outlines.reduce((sum, outline) => plus(sum, outline), 0),
    has: (document) => has(documents.ids, document),
    chunkOf,
    rowOf,
    corpus: {
      size,
      lengths,
      averageLength: size === 0 ? 0 : total / size,
      postings: rememberPostings((term) => loadPostings(database, term, { segments, rowOf })),
    },
    rows: (scope) => ({ size, documents: documents.size, ownerOf, standing: standingIn(scope) }),
    documentAt: (at) => documents.ids[ownerOf[at]!]!,
  }
}

/** Binary search of sorted ids. */
function has(ids: Float64Array, id: number): boolean {
  let [low, high] = [0, ids.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (ids[middle]! < id) low = middle + 1
    else high = middle
  }
  return ids[low] === id
}

const REMEMBERED_SCOPES = 16

// Read only if a scope has tags.
const NO_TAGS: readonly string[] = []

/** Caches the state of each document in a scope, because an agent repeatedly uses the same few scopes. */
function rememberStanding(
  database: IndexDatabase,
  documents: Documents,
  places: readonly Place[],
): (scope: SearchScope) => Uint8Array {
  const known = rememberRecent<Uint8Array>(REMEMBERED_SCOPES)
  const placeOf = new Map(places.map((place) => [place.id, place]))
  return (scope) => {
    const key = JSON.stringify(scope)
    const found = known.get(key)
    if (found !== undefined) return found
    const allows = scopeFilter(scope)
    const tagsOf = (scope.tags?.length ?? 0) > 0 ? readTags(database) : undefined
    const standing = documents.superseded.map((superseded, at) => {
      const { collection, origin, workspace, project } = placeOf.get(documents.places[at]!)!
      const isAllowed = allows({
        collection,
        origin,
        workspace,
        project: project === '' ? undefined : project,
        modified: documents.modified[at]!,
        tags: tagsOf?.get(documents.ids[at]!) ?? NO_TAGS,
      })
      return isAllowed ? (superseded === 1 ? SUPERSEDED : HOLDS) : OUT
    })
    known.set(key, standing)
    return standing
  }
}

const readTags = (database: IndexDatabase): Map<number, readonly string[]> =>
  new Map(allDocuments(database).map(({ id, tags }) => [id, tags]))

// Number of cached terms: a question looks up its terms three times, for typos, for their weight in its meaning, and
// for their chunks.
const REMEMBERED_TERMS = 32

function rememberPostings(load: (term: string) => Postings): (term: string) => Postings {
  const known = rememberRecent<Postings>(REMEMBERED_TERMS)
  return (term) => {
    const found = known.get(term) ?? load(term)
    known.set(term, found)
    return found
  }
}

function loadPostings(
  database: IndexDatabase,
  term: string,
  { segments, rowOf }: { segments: readonly Segment[]; rowOf: Int32Array },
): Postings {
  const found = readEntries(database, segments, term)
  const size = found.reduce((sum, { entries }) => sum + entries.length, 0)
  const docs = new Uint32Array(size)
  const counts = new Uint16Array(size)
  let at = 0
  for (const { first, entries } of found) {
    for (let i = 0; i < entries.length; i++) {
      const row = rowOf[first + entryChunk(entries[i]!)]!
      if (row < 0) continue
      docs[at] = row
      counts[at++] = entryCount(entries[i]!)
    }
  }
  return { docs: docs.subarray(0, at), counts: counts.subarray(0, at) }
}
