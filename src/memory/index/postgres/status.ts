import type { SqlSession } from '../../../kernel/ports/sql-database.ts'
import type { IndexStatus } from '../../ports/search-index.ts'

/** Estimated bytes of a row including its index entries, without what is counted separately. */
const BYTES_OF = { posting: 10, chunk: 6, document: 700, vector: 210 }

export async function readStatus(sql: SqlSession, project: string): Promise<IndexStatus> {
  const [head] = await sql.query<{ generation: number; chunks: number; documents: number; postings: number }>(
    'SELECT generation, chunks, documents, postings FROM ken.index_heads WHERE project = $1',
    [project],
  )
  const places = await sql.query<Place>(
    `SELECT collection, workspace, origin, count(*)::int AS documents FROM ken.index_documents
     WHERE project = $1 AND chunks > 0 GROUP BY collection, workspace, origin`,
    [project],
  )
  const shelves = await sql.query<{ embedder: string; vectors: number; bytes: number }>(
    `SELECT embedder, count(*)::int AS vectors, sum(dimensions)::bigint AS bytes FROM ken.index_vectors
     WHERE project = $1 GROUP BY embedder`,
    [project],
  )
  const { generation = 0, chunks = 0, documents = 0, postings = 0 } = head ?? {}
  return {
    documents: places.reduce((sum, place) => sum + place.documents, 0),
    chunks,
    vectors: Object.fromEntries(shelves.map(({ embedder, vectors }) => [embedder, vectors])),
    byCollection: countBy(places, 'collection'),
    byWorkspace: countBy(places, 'workspace'),
    byOrigin: countBy(places, 'origin'),
    bytes: shelves.reduce(
      (sum, { vectors, bytes }) => sum + bytes + vectors * BYTES_OF.vector,
      postings * BYTES_OF.posting + chunks * BYTES_OF.chunk + documents * BYTES_OF.document,
    ),
    generation,
  }
}

interface Place {
  readonly collection: string
  readonly workspace: string
  readonly origin: string
  readonly documents: number
}

function countBy(places: readonly Place[], key: 'collection' | 'workspace' | 'origin'): Record<string, number> {
  const counts = new Map<string, number>()
  for (const place of places) counts.set(place[key], (counts.get(place[key]) ?? 0) + place.documents)
  return Object.fromEntries(counts)
}
