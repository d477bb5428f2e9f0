import { selectBest } from '../../../core/ranking/select-best.ts'
import { quantizedDot, type QuantizedVector } from '../../../core/ranking/vector.ts'
import type { SqlSession, SqlValue } from '../../../ports/sql-database.ts'
import { jsonText, listOf } from './json-text.ts'
import type { Meaning, MeaningQuery } from './meaning.ts'
import { scopePredicate } from './scope-predicate.ts'

/** Three megabytes of vectors at 384 dimensions: what a replica holds of them at a time. */
const AT_ONCE = 8_192

/** Without an index of the server's every vector of the scope is read and compared here, some thousand at a time. */
export function scannedMeaning(sql: SqlSession, query: MeaningQuery): Meaning {
  let scanned: Promise<Scanned> | undefined
  return {
    async nearest(count) {
      const { chunks, documents, cosines } = await (scanned ??= scan(sql, query))
      return selectBest(Float32Array.from(cosines), count).map((at) => ({
        chunk: chunks[at]!,
        document: documents[at]!,
        cosine: cosines[at]!,
      }))
    },
    async of(wanted) {
      if (scanned === undefined) return cosinesOf(sql, query, wanted)
      const { chunks, documents, cosines } = await scanned
      const ours = new Set(wanted)
      return new Map(chunks.flatMap((chunk, at) => (ours.has(documents[at]!) ? [[chunk, cosines[at]!]] : [])))
    },
  }
}

interface Scanned {
  readonly chunks: number[]
  readonly documents: number[]
  readonly cosines: number[]
}

interface Page {
  readonly chunks: readonly number[] | null
  readonly documents: readonly number[]
  readonly scales: readonly number[]
  readonly bytes: Uint8Array
}

const PAGE =
  'SELECT json_agg(chunk ORDER BY chunk) AS chunks, json_agg(document ORDER BY chunk) AS documents, json_agg(scale ORDER BY chunk) AS scales, string_agg(bytes, NULL ORDER BY chunk) AS bytes'

async function scan(sql: SqlSession, { project, embedder, vector, scope }: MeaningQuery): Promise<Scanned> {
  const scanned: Scanned = { chunks: [], documents: [], cosines: [] }
  for (let after = -1; ;) {
    const values: SqlValue[] = [project, embedder, vector.bytes.length, after]
    const text = `${PAGE} FROM (
      SELECT v.chunk, v.document, v.scale, v.bytes FROM ken.index_vectors v
      CROSS JOIN LATERAL (
        SELECT FROM ken.index_documents d WHERE d.project = $1 AND d.id = v.document${scopePredicate(scope, values)} OFFSET 0
      ) AS d
      WHERE v.project = $1 AND v.embedder = $2 AND v.dimensions = $3::int AND v.chunk > $4::bigint
      ORDER BY v.chunk LIMIT ${AT_ONCE}
    ) AS v`
    const [page] = await sql.query<Page>(text, values)
    if (page === undefined || page.chunks === null) return scanned
    addPage(scanned, page, vector)
    if (page.chunks.length < AT_ONCE) return scanned
    after = page.chunks.at(-1)!
  }
}

async function cosinesOf(
  sql: SqlSession,
  { project, embedder, vector }: MeaningQuery,
  wanted: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const text = `${PAGE} FROM (
    SELECT v.chunk, v.document, v.scale, v.bytes FROM ken.index_documents d
    CROSS JOIN LATERAL (
      SELECT * FROM ken.index_vectors v WHERE v.project = $1 AND v.chunk >= d.first_chunk AND v.chunk < d.end_chunk OFFSET 0
    ) AS v
    WHERE d.project = $1 AND d.id = ANY(${listOf(4, 'bigint')}) AND v.embedder = $2 AND v.dimensions = $3::int
  ) AS v`
  const [page] = await sql.query<Page>(text, [project, embedder, vector.bytes.length, jsonText(wanted)])
  if (page === undefined || page.chunks === null) return new Map()
  const found: Scanned = { chunks: [], documents: [], cosines: [] }
  addPage(found, page, vector)
  return new Map(found.chunks.map((chunk, at) => [chunk, found.cosines[at]!]))
}

function addPage(to: Scanned, { chunks, documents, scales, bytes }: Page, query: QuantizedVector): void {
  const size = query.bytes.length
  const all = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  chunks!.forEach((chunk, at) => {
    to.chunks.push(chunk)
    to.documents.push(documents[at]!)
    const own = { bytes: all.subarray(at * size, (at + 1) * size), scale: Math.fround(scales[at]!) }
    to.cosines.push(Math.fround(quantizedDot(query, own)))
  })
}
