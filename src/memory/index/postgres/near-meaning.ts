import { createHash } from 'node:crypto'
import type { SqlDatabase, SqlSession, SqlValue } from '../../../kernel/ports/sql-database.ts'
import { jsonText, listOf } from './json-text.ts'
import type { Meaning, MeaningQuery, NearChunk } from './meaning.ts'
import { scopePredicate } from './scope-predicate.ts'

/** Maximum neighbours the server's index examines at once; it continues while the scope admits too few. */
const MOST_LOOKED_AT = 1_000
/** Factor for additional neighbours: they are found by direction alone, and the exact cosine reorders some of them. */
const SPARE = 2

/**
 * Comparison of vectors on the server. Every cosine is exact: the numbers are integers, and a float can represent the
 * sum of their products.
 */
export function nearMeaning(sql: SqlSession, query: MeaningQuery): Meaning {
  const scale = query.vector.scale
  const asked = `[${query.vector.bytes.join(',')}]`
  const toNear = (rows: readonly NearChunk[]): NearChunk[] =>
    rows.map(({ chunk, document, cosine }) => ({ chunk, document, cosine: Math.fround(cosine * scale) }))
  return {
    async nearest(count) {
      if (query.vector.bytes.length <= MOST_DIMENSIONS) {
        await sql.query(
          `SELECT set_config('hnsw.ef_search', $1, true), set_config('hnsw.iterative_scan', 'strict_order', true)`,
          [String(Math.min(MOST_LOOKED_AT, count * SPARE))],
        )
        const found = await sql.query<NearChunk>(...byIndex(query, asked, count))
        if (found.length === count) return toNear(found)
      }
      return toNear(await sql.query<NearChunk>(...byComparing(query, asked, count)))
    },
    async of(documents) {
      const rows = await sql.query<NearChunk>(
        `SELECT v.chunk, v.document, ${COSINE} AS cosine FROM ken.index_documents d
         CROSS JOIN LATERAL (
      SELECT * FROM ken.index_vectors v WHERE v.project = $1 AND v.chunk >= d.first_chunk AND v.chunk < d.end_chunk OFFSET 0
    ) AS v
         WHERE d.project = $1 AND d.id = ANY(${listOf(5, 'bigint')}) AND v.embedder = $2 AND v.dimensions = $3::int`,
        [query.project, query.embedder, query.vector.bytes.length, asked, jsonText(documents)],
      )
      return new Map(toNear(rows).map(({ chunk, cosine }) => [chunk, cosine]))
    },
  }
}

const COSINE = '-(v.near <#> $4::text::halfvec) * v.scale'
const JOINED = `FROM ken.index_vectors v JOIN ken.index_documents d ON d.project = $1 AND d.id = v.document
  WHERE v.project = $1 AND v.embedder = $2 AND v.dimensions = $3::int`

function byComparing({ project, embedder, vector, scope }: MeaningQuery, asked: string, count: number): Statement {
  const values: SqlValue[] = [project, embedder, vector.bytes.length, asked, count]
  const text = `SELECT * FROM (
      SELECT v.chunk, v.document, ${COSINE} AS cosine ${JOINED}${scopePredicate(scope, values)}
    ) AS v WHERE cosine > 0 ORDER BY cosine DESC, chunk LIMIT $5::int`
  return [text, values]
}

function byIndex({ project, embedder, vector, scope }: MeaningQuery, asked: string, count: number): Statement {
  const size = vector.bytes.length
  const values: SqlValue[] = [project, embedder, size, asked, count]
  const text = `SELECT * FROM (
      SELECT v.chunk, v.document, ${COSINE} AS cosine ${JOINED} AND ${ofIndex(embedder, size, 'v.')}${scopePredicate(scope, values)}
      ORDER BY v.near::halfvec(${size}) <=> $4::text::halfvec(${size}) LIMIT $5::int * ${SPARE}
    ) AS v WHERE cosine > 0 ORDER BY cosine DESC, chunk LIMIT $5::int`
  return [text, values]
}

type Statement = [text: string, values: SqlValue[]]

/** Limit of the server's half-precision index. */
const MOST_DIMENSIONS = 4_000

/** Condition for using the index. Must match the index expression, or the planner would not use the index. */
const ofIndex = (embedder: string, size: number, row = ''): string =>
  `${row}embedder = '${embedder.replaceAll("'", "''")}' AND ${row}dimensions = ${size}`

const PATIENCE_MS = 60_000

/**
 * Creates the index of an embedder's vectors. Call it before the first vector is stored: an empty index is created at
 * once, and grows with later writes.
 */
export async function makeNearIndex(database: SqlDatabase, embedder: string, size: number): Promise<void> {
  if (size > MOST_DIMENSIONS) return
  const name = `index_vectors_near_${createHash('sha256').update(`${embedder} ${size}`).digest('hex').slice(0, 12)}`
  const isThere = await database.transaction('server', async (sql) => {
    const [found] = await sql.query<{ made: boolean }>('SELECT to_regclass($1) IS NOT NULL AS made', [`ken.${name}`])
    return found!.made
  })
  if (isThere) return
  await database.withLock(`ken ${name}`, PATIENCE_MS, () =>
    database.transaction('server', (sql) =>
      sql.query(
        `CREATE INDEX IF NOT EXISTS ${name} ON ken.index_vectors USING hnsw ((near::halfvec(${size})) halfvec_cosine_ops)
         WHERE ${ofIndex(embedder, size)}`,
      ),
    ),
  )
}
