import type { SqlDatabase, SqlSession, Subscription, SqlValue } from '../../../kernel/ports/sql-database.ts'
import type { SearchScope } from '../../../retrieval/domain/ranking/indexed-document.ts'
import type { CodeGraph } from '../../ports/code-graph.ts'
import type { IndexHealth } from '../../ports/index-health.ts'
import type { IndexPlace, IndexStatus, SearchIndex } from '../../ports/search-index.ts'
import type { SharedDocuments } from '../../ports/shared-documents.ts'
import { graphOfOutlines, type StoredOutline } from '../graph-of-outlines.ts'
import { placeCounts } from '../place-counts.ts'
import { listDocuments } from './documents.ts'
import type { GroundShelf } from './ground-shelf.ts'
import { INDEX_CHANNEL } from './head.ts'
import { openHealth } from './health.ts'
import type { MeaningQuery } from './meaning.ts'
import { makeNearIndex, nearMeaning } from './near-meaning.ts'
import { COMPARED_WHOLE, type NearPlan } from './near-vectors.ts'
import { readFrequencies } from './read-words.ts'
import { scannedMeaning } from './scanned-meaning.ts'
import { scopePredicate } from './scope-predicate.ts'
import { search } from './search.ts'
import { openSharedDocuments } from './shared-documents.ts'
import { storeVectors, unembeddedChunks } from './store-vectors.ts'
import { BeingRead, type VectorCache } from './vector-cache.ts'
import { writeBatch } from './write-batch.ts'

export interface PostgresIndexOptions {
  /** Database with the tables created; it stays open when the index is closed. */
  readonly database: SqlDatabase
  readonly project: string
  /** A project with at most this many chunks is not in the server's vector index. */
  readonly comparedWhole?: number
  /**
   * Cache of vectors between questions, for a server without a vector index; without the cache they are read each time.
   */
  readonly shelf?: VectorCache
  /** Cache of chunk and document numbers between questions; without it they are read each time. */
  readonly ground?: GroundShelf
}

export interface PostgresIndex extends SearchIndex {
  readonly code: CodeGraph
  readonly health: IndexHealth
  /** The shared texts this index is made from; writable for a person, else read-only. */
  shared(person?: string): SharedDocuments
}

/** The index of one project in a PostgreSQL shared by many replicas. This process keeps only the caches. */
export function openPostgresIndex({
  database,
  project,
  comparedWhole = COMPARED_WHOLE,
  ...how
}: PostgresIndexOptions): PostgresIndex {
  const inProject = <T>(work: (sql: SqlSession) => Promise<T>): Promise<T> => database.transaction({ project }, work)
  const reading = <T>(work: (sql: SqlSession) => Promise<T>): Promise<T> =>
    database.transaction({ project }, work, { readOnly: true })
  let near: Promise<boolean> | undefined
  const hasNear = () => (near ??= keepsVectors(database))
  const indexed = new Set<string>()
  const prepare = async (embedder: string, dimensions: number | undefined): Promise<NearPlan | undefined> => {
    if (!(await hasNear())) return undefined
    const name = `${dimensions} ${embedder}`
    if (dimensions !== undefined && !indexed.has(name)) {
      await makeNearIndex(database, embedder, dimensions)
      indexed.add(name)
    }
    return { comparedWhole }
  }
  return {
    elsewhere: undefined,
    code: openCodeGraph(reading, project),
    health: openHealth(inProject, project),
    shared: (person) => openSharedDocuments({ database, project, prepare, ...(person !== undefined && { person }) }),
    async write(batch) {
      const { embedder = '', all = [] } = batch.vectors ?? {}
      const near = await prepare(embedder, all[0]?.bytes.length)
      await inProject((sql) => writeBatch(sql, { project, near }, batch))
    },
    async search(question) {
      const isNear = await hasNear()
      const openMeaning = (sql: SqlSession, query: MeaningQuery) =>
        isNear && query.standsNear ? nearMeaning(sql, query) : scannedMeaning(sql, query, how.shelf)
      for (;;)
        try {
          return await reading((sql) => search(sql, { project, ground: how.ground, openMeaning }, question))
        } catch (error) {
          if (!(error instanceof BeingRead)) throw error
          await error.over
        }
    },
    frequencies: (terms) => reading((sql) => readFrequencies(sql, project, terms)),
    documents: (like) => reading((sql) => listDocuments(sql, project, like)),
    unembedded: (embedder, limit, after = -1) =>
      reading((sql) => unembeddedChunks(sql, { project, embedder, limit, after })),
    async storeVectors(embedder, vectors) {
      const near = await prepare(embedder, vectors[0]?.vector.bytes.length)
      await inProject((sql) => storeVectors(sql, { project, embedder, near }, vectors))
    },
    status: () => reading((sql) => readStatus(sql, project)),
    async close() {},
  }
}

/** Calls `missed` if index changes may have been missed. */
export const heardOfGaps = (database: SqlDatabase, missed: () => void): Promise<Subscription> =>
  database.listen(INDEX_CHANNEL, (project) => project === undefined && missed())

/**
 * Whether the tables have vector columns. The extension may be newer than the tables: then vectors are compared here,
 * as without it.
 */
export async function keepsVectors(database: SqlDatabase): Promise<boolean> {
  if (!database.hasVectors) return false
  return database.transaction('server', async (sql) => {
    const [found] = await sql.query<{ near: boolean }>(
      "SELECT EXISTS (SELECT FROM pg_attribute WHERE attrelid = 'ken.index_vectors'::regclass AND attname = 'near') AS near",
    )
    return found!.near
  })
}

type InProject = <T>(work: (sql: SqlSession) => Promise<T>) => Promise<T>

const COLUMNS = { path: 'd.path', definitions: 'o.definitions', calls: 'o.calls' }

/** Only outlines that match the request are sent from the server. */
function openCodeGraph(inProject: InProject, project: string): CodeGraph {
  const rows = <Row extends object>(
    select: string,
    within: SearchScope['within'],
    condition: (values: SqlValue[]) => string,
  ) => {
    const values: SqlValue[] = [project]
    const text = `${select} WHERE d.project = $1${scopePredicate({ within }, values)}${condition(values)}`
    return inProject((sql) => sql.query<Row>(text, values))
  }
  return graphOfOutlines({
    all: (within, holding) =>
      rows<StoredOutline>(
        `SELECT d.path, o.definitions, o.imports, o.calls FROM ken.index_outlines o
         JOIN ken.index_documents d ON d.project = o.project AND d.id = o.document`,
        within,
        (values) =>
          holding === undefined
            ? ''
            : ` AND position($${values.push(holding.text)}::text IN ${COLUMNS[holding.part]}) > 0`,
      ),
    paths: async (within) =>
      (
        await rows<{ path: string }>(
          'SELECT d.path FROM ken.index_documents d',
          within,
          () => ` AND d.origin = 'code' ORDER BY d.path COLLATE "C", d.collection COLLATE "C"`,
        )
      ).map(({ path }) => path),
  })
}

/** Estimated bytes of a row including its index entries, without parts that are counted separately. */
const BYTES_OF = { posting: 10, chunk: 6, document: 700, vector: 210 }

async function readStatus(sql: SqlSession, project: string): Promise<IndexStatus> {
  const [head] = await sql.query<{ generation: number; chunks: number; documents: number; postings: number }>(
    'SELECT generation, chunks, documents, postings FROM ken.index_heads WHERE project = $1',
    [project],
  )
  const places = await sql.query<Omit<IndexPlace, 'project'> & { readonly project: string | null }>(
    `SELECT collection, workspace, origin, record AS project, count(*)::int AS documents FROM ken.index_documents
     WHERE project = $1 AND chunks > 0 GROUP BY collection, workspace, origin, record`,
    [project],
  )
  const shelves = await sql.query<{ embedder: string; vectors: number; bytes: number }>(
    `SELECT embedder, count(*)::int AS vectors, sum(dimensions)::bigint AS bytes FROM ken.index_vectors
     WHERE project = $1 GROUP BY embedder`,
    [project],
  )
  const { generation = 0, chunks = 0, documents = 0, postings = 0 } = head ?? {}
  return {
    ...placeCounts(places.map((place) => ({ ...place, project: place.project ?? undefined }))),
    chunks,
    vectors: Object.fromEntries(shelves.map(({ embedder, vectors }) => [embedder, vectors])),
    bytes: shelves.reduce(
      (sum, { vectors, bytes }) => sum + bytes + vectors * BYTES_OF.vector,
      postings * BYTES_OF.posting + chunks * BYTES_OF.chunk + documents * BYTES_OF.document,
    ),
    generation,
  }
}
