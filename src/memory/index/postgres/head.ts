import type { SqlSession } from '../../../kernel/ports/sql-database.ts'

/** State of a project's whole index at one moment. */
export interface Head {
  readonly generation: number
  readonly epoch: number
  readonly nextChunk: number
  readonly chunks: number
  /** First chunk with vectors in the server's vector index; null for none. */
  readonly nearFrom: number | null
}

export interface HeadChange {
  readonly documents: number
  readonly chunks: number
  readonly length: number
  readonly postings: number
  readonly newChunks: number
}

/** Begins a change: other changes to this project wait until it has committed. */
export async function beginChange(sql: SqlSession, project: string): Promise<Head> {
  const [head] = await sql.query<Head>(
    `INSERT INTO ken.index_heads AS h (project) VALUES ($1)
     ON CONFLICT (project) DO UPDATE SET generation = h.generation + 1
     RETURNING generation, epoch, next_chunk AS "nextChunk", chunks, near_from AS "nearFrom"`,
    [project],
  )
  return head!
}

/** Ends a change. Replicas that cache data of this project are notified once it has committed. */
export async function endChange(sql: SqlSession, project: string, change?: HeadChange): Promise<void> {
  const { documents = 0, chunks = 0, length = 0, postings = 0, newChunks = 0 } = change ?? {}
  await sql.query(
    `UPDATE ken.index_heads SET documents = documents + $2::int, chunks = chunks + $3::int, length = length + $4::bigint,
       postings = postings + $5::bigint, next_chunk = next_chunk + $6::bigint
     WHERE project = $1 RETURNING pg_notify('${INDEX_CHANNEL}', $1)`,
    [project, documents, chunks, length, postings, newChunks],
  )
}

/** Channel for the id of a project with a changed index. */
export const INDEX_CHANNEL = 'ken_index'
