import { statSync } from 'node:fs'
import { rememberRecent } from '../../../kernel/domain/recent-values.ts'
import { IndexDamaged } from '../../../retrieval/domain/index-damaged.ts'
import { hybridSearch } from '../../../retrieval/domain/ranking/hybrid-search.ts'
import { scoreChunks } from '../../../retrieval/domain/ranking/score-chunks.ts'
import { reusedArrays } from '../../../retrieval/domain/ranking/working-arrays.ts'
import type { CodeGraph } from '../../ports/code-graph.ts'
import type { IndexHealth } from '../../ports/index-health.ts'
import type { IndexHit, IndexQuestion, SearchIndex, StoredDocument } from '../../ports/search-index.ts'
import { placeCounts } from '../place-counts.ts'
import { chunkOf } from './chunks.ts'
import { openCodeGraph } from './code-graph.ts'
import type { IndexDatabase } from './database.ts'
import { allDocuments, documentId, documentOf } from './documents.ts'
import { openLoadedIndex } from './loaded-index.ts'
import { openIndexDatabase } from './open-database.ts'
import { placesOf } from './places.ts'
import { shelvesOf, storeInto } from './shelves.ts'
import { openVectors, type OpenScan } from './vectors.ts'
import { unembeddedChunks } from './write-batch.ts'
import { writeInto } from './writer.ts'

/** The index in one SQLite file, shared by every process of the user. */
export function openSqliteIndex({
  path,
  openScan,
}: {
  path: string
  openScan: OpenScan
}): SearchIndex & { readonly code: CodeGraph; readonly health: IndexHealth } {
  const database = openIndexDatabase(path)
  const loaded = openLoadedIndex(database)
  const vectors = new Map<string, ReturnType<typeof openVectors>>()
  const vectorsOf = (embedder: string) => {
    const known = vectors.get(embedder) ?? openVectors(database, openScan, embedder)
    vectors.set(embedder, known)
    return known
  }

  const listed = rememberListed(database)
  const arrays = reusedArrays()

  return {
    elsewhere:
      path === ':memory:'
        ? undefined
        : { module: new URL(`./writer.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url).href, path },
    code: openCodeGraph(database, loaded),
    health: healthOf(database),
    write: writeInto(database),
    search: async (question) => database.look(() => search(database, { question, now: loaded(), vectorsOf, arrays })),
    async frequencies() {
      const { corpus } = database.look(loaded)
      return {
        chunks: corpus.size,
        of: (term) => database.look(() => loaded().corpus.postings(term)).docs.length,
      }
    },
    documents: async ({ collection, path: at, key, where = () => true }) =>
      database.look(() => {
        if (at === undefined && key === undefined) return listed(collection, where)
        const { has } = loaded()
        const collections =
          collection === undefined
            ? new Set(placesOf(database, database.head()).map((place) => place.collection))
            : [collection]
        const ids =
          key === undefined
            ? Array.from(collections, (name) => documentId({ collection: name, path: at! }))
            : [parseInt(key, 16)]
        return ids
          .filter(has)
          .map((id) => documentOf(database, id))
          .filter((found) => (collection ?? found.collection) === found.collection && (at ?? found.path) === found.path)
          .filter(where)
      }),
    unembedded: async (embedder, limit, after = -1) =>
      database.look(() => unembeddedChunks(database, embedder, { limit, after })),
    storeVectors: storeInto(database),
    status: async () => database.look(() => statusOf(database)),
    async close() {
      database.close()
    },
  }
}

// Larger collections are checked by an update from time to time, and not before every search.
const MOST_LISTED = 8_000

/**
 * Caches listed documents. Notes and records are listed before a search to find changes; they are read again only if
 * the index has changed.
 */
function rememberListed(database: IndexDatabase) {
  const known = rememberRecent<readonly StoredDocument[]>(4)
  return (collection: string | undefined, where: (document: StoredDocument) => boolean): readonly StoredDocument[] => {
    if (collection === undefined) return allDocuments(database, undefined, where)
    const at = `${database.incarnation} ${database.head().generation} ${collection}`
    const isLarge = () =>
      placesOf(database, database.head()).reduce(
        (sum, place) => sum + (place.collection === collection ? place.documents : 0),
        0,
      ) > MOST_LISTED
    const found = known.get(at)
    if (found === undefined && isLarge()) return allDocuments(database, collection, where)
    const all = found ?? allDocuments(database, collection)
    known.set(at, all)
    return all.filter(where)
  }
}

interface Search {
  readonly question: IndexQuestion
  readonly now: ReturnType<ReturnType<typeof openLoadedIndex>>
  readonly vectorsOf: (embedder: string) => ReturnType<typeof openVectors>
  readonly arrays: ReturnType<typeof reusedArrays>
}

function search(database: IndexDatabase, { question, now, vectorsOf, arrays }: Search): IndexHit[] {
  arrays.begin()
  const { meaning, scope, ...ask } = question
  const rows = now.rows(scope)
  const words = scoreChunks(question.terms, now.corpus, arrays)
  const meant = meaning && vectorsOf(meaning.embedder)(meaning.vector, now, rows)
  const describe = (row: number) => documentOf(database, now.documentAt(row))
  return hybridSearch(rows, words, meant, { ...ask, beta: meaning?.beta, describe }).map(
    ({ row, parts, ...facts }) => ({
      ...facts,
      document: describe(row),
      chunk: chunkOf(database, now.chunkOf[row]!),
      parts: parts.map((part) => chunkOf(database, now.chunkOf[part]!)),
    }),
  )
}

function statusOf(database: IndexDatabase) {
  const head = database.head()
  const places = placesOf(database, head)
  return {
    ...placeCounts(places.map((place) => ({ ...place, project: place.project === '' ? undefined : place.project }))),
    chunks: places.reduce((sum, { chunks }) => sum + chunks, 0),
    vectors: Object.fromEntries(shelvesOf(database, head).map(({ embedder, vectors }) => [embedder, vectors])),
    bytes: ['', '-wal'].reduce(
      (total, suffix) => total + (statSync(`${database.path}${suffix}`, { throwIfNoEntry: false })?.size ?? 0),
      0,
    ),
    generation: head.generation,
  }
}

function healthOf(database: IndexDatabase): IndexHealth {
  return {
    async check() {
      if (database.head().unfinished === 1)
        throw new IndexDamaged('it was being rebuilt and is not complete', UNFINISHED)
    },
    async renew(damage) {
      if (damage.cause !== UNFINISHED) database.renew()
    },
    async finish() {
      database.change((head) => (head.unfinished = 0))
    },
  }
}

const UNFINISHED = Symbol('unfinished')
