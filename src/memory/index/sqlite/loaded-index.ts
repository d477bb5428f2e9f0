import { rememberRecent } from '../../../kernel/domain/recent-values.ts'
import type { Postings } from '../../../retrieval/domain/ranking/bm25.ts'
import {
  type DocumentFacts,
  type SearchScope,
  scopeFilter,
} from '../../../retrieval/domain/ranking/indexed-document.ts'
import { entryChunk, entryCount } from '../../../retrieval/domain/ranking/packed-postings.ts'
import { HOLDS, SUPERSEDED, OUT, type RankedRows } from '../../../retrieval/domain/ranking/rank-documents.ts'
import type { ChunkCorpus } from '../../../retrieval/domain/ranking/score-chunks.ts'
import type { IndexDatabase } from './database.ts'
import { allDocuments, coresSince, type DocumentCore } from './documents.ts'
import type { Head } from './head.ts'
import { placesOf } from './places.ts'
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

interface LoadedDocument extends Pick<
  DocumentFacts,
  'collection' | 'origin' | 'workspace' | 'project' | 'tags' | 'modified'
> {
  readonly id: number
  readonly isSuperseded: boolean
  readonly firstChunk: number
  readonly chunks: number
}

export function openLoadedIndex(database: IndexDatabase) {
  const cores = new Map<number, DocumentCore>()
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
    if (since === -1) cores.clear()
    else
      for (const [id] of database.rows('SELECT document FROM removed WHERE generation > ?', since))
        cores.delete(id as number)
    for (const core of coresSince(database, since)) cores.set(core.id, core)
    loaded = arrange(database, head, locate(database, head, cores))
    seen = now
    return loaded
  }
}

// Read only if a scope has tags.
const NO_TAGS: readonly string[] = []

/** Documents with their places. Throws if one is missing. */
function locate(
  database: IndexDatabase,
  head: Head,
  cores: ReadonlyMap<number, DocumentCore>,
): { documents: LoadedDocument[]; outlines: number } {
  const places = new Map(placesOf(database, head).map((place) => [place.id, place]))
  let [tally, outlines] = [0, 0]
  const documents = Array.from(
    cores.values(),
    ({ id, place, modified, superseded, firstChunk, chunks, outline, seal }) => {
      const { collection, origin, workspace, project } = places.get(place)!
      tally = plus(tally, seal)
      outlines = plus(outlines, outline)
      return {
        id,
        collection,
        origin,
        workspace,
        project: project === '' ? undefined : project,
        modified,
        firstChunk,
        chunks,
        tags: NO_TAGS,
        isSuperseded: superseded !== null,
      }
    },
  )
  mustBe(
    tally,
    [...places.values()].reduce((sum, place) => plus(sum, place.tally), 0),
    'its documents are',
  )
  return { documents, outlines }
}

function arrange(
  database: IndexDatabase,
  head: Head,
  located: { documents: LoadedDocument[]; outlines: number },
): LoadedIndex {
  // Sorted by id, which is the same in every index: otherwise equal scores would depend on the indexing order of files.
  const documents = located.documents.sort((a, b) => a.id - b.id)
  const size = documents.reduce((sum, { chunks }) => sum + chunks, 0)
  const rowOf = new Int32Array(head.nextChunk).fill(-1)
  const [chunkOf, ownerOf, lengths] = [new Uint32Array(size), new Uint32Array(size), new Uint32Array(size)]
  const segments = segmentsOf(database, head)
  const lengthOf = new Uint32Array(head.nextChunk)
  for (const segment of segments) lengthOf.set(segment.lengths, segment.first)
  let row = 0
  let total = 0
  for (const [owner, { firstChunk, chunks }] of documents.entries()) {
    for (let chunk = firstChunk; chunk < firstChunk + chunks; chunk++) {
      chunkOf[row] = chunk
      rowOf[chunk] = row
      ownerOf[row] = owner
      lengths[row] = lengthOf[chunk]!
      total += lengthOf[chunk]!
      row++
    }
  }
  const standingIn = rememberStanding(database, documents)
  const ids = new Set(documents.map(({ id }) => id))
  return {
    outlines: located.outlines,
    has: (document) => ids.has(document),
    chunkOf,
    rowOf,
    corpus: {
      size,
      lengths,
      averageLength: size === 0 ? 0 : total / size,
      postings: rememberPostings((term) => loadPostings(database, term, { segments, rowOf })),
    },
    rows: (scope) => ({ size, documents: documents.length, ownerOf, standing: standingIn(scope) }),
    documentAt: (at) => documents[ownerOf[at]!]!.id,
  }
}

const REMEMBERED_SCOPES = 16

/** Caches the state of each document in a scope, because an agent uses the same few scopes repeatedly. */
function rememberStanding(
  database: IndexDatabase,
  documents: readonly LoadedDocument[],
): (scope: SearchScope) => Uint8Array {
  const known = rememberRecent<Uint8Array>(REMEMBERED_SCOPES)
  return (scope) => {
    const key = JSON.stringify(scope)
    const found = known.get(key)
    if (found !== undefined) return found
    const allows = scopeFilter(scope)
    const tagged = (scope.tags?.length ?? 0) > 0 ? withTags(database, documents) : documents
    const standing = Uint8Array.from(tagged, (document) =>
      allows(document) ? (document.isSuperseded ? SUPERSEDED : HOLDS) : OUT,
    )
    known.set(key, standing)
    return standing
  }
}

function withTags(database: IndexDatabase, documents: readonly LoadedDocument[]): LoadedDocument[] {
  const tagsOf = new Map(allDocuments(database).map(({ id, tags }) => [id, tags]))
  return documents.map((document) => ({ ...document, tags: tagsOf.get(document.id) ?? [] }))
}

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
