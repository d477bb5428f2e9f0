import type { SqlSession, SqlValue } from '../../../kernel/ports/sql-database.ts'
import { selectBest } from '../../../retrieval/domain/ranking/select-best.ts'
import {
  joined,
  joinedRows,
  merged,
  standing,
  type ChunkRange,
  type HeldVectors,
  type VectorRows,
} from './held-vectors.ts'
import { jsonText, listOf } from './json-text.ts'
import type { Meaning, MeaningQuery } from './meaning.ts'
import { scopePredicate } from './scope-predicate.ts'
import { BeingRead, type VectorCache } from './vector-cache.ts'

/** Number of vectors that a replica keeps at a time: three megabytes at 384 dimensions. */
const AT_ONCE = 8_192

/**
 * Comparison of vectors in this process, for a server without a vector index. If a project's vectors fit into the
 * cache, they are read once, then only new ones; otherwise they are read for every question, a few thousand at a time.
 */
export function scannedMeaning(sql: SqlSession, query: MeaningQuery, shelf?: VectorCache): Meaning {
  let scanned: Promise<Scanned> | undefined
  const scan = (): Promise<Scanned> =>
    shelf?.hasRoomFor(query.chunks, query.vector.bytes.length) === true
      ? scanShelf(sql, query, shelf)
      : scanScope(sql, query)
  return {
    async nearest(count) {
      const { chunks, documents, cosines } = await (scanned ??= scan())
      return selectBest(cosines, count).map((at) => ({
        chunk: chunks[at]!,
        document: documents[at]!,
        cosine: cosines[at]!,
      }))
    },
    async of(wanted) {
      return scanned === undefined ? cosinesOf(sql, query, wanted) : byChunk(await scanned, new Set(wanted))
    },
  }
}

/** One value per vector; the cosine is NaN if the vector is outside the scope. */
interface Scanned {
  readonly chunks: Float64Array
  readonly documents: Float64Array
  readonly cosines: Float32Array
}

function byChunk({ chunks, documents, cosines }: Scanned, wanted: ReadonlySet<number>): ReadonlyMap<number, number> {
  const found = new Map<number, number>()
  for (let at = 0; at < chunks.length; at++)
    if (wanted.has(documents[at]!) && !Number.isNaN(cosines[at])) found.set(chunks[at]!, cosines[at]!)
  return found
}

interface Page {
  readonly chunks: readonly number[] | null
  readonly documents: readonly number[]
  readonly scales: readonly number[]
  readonly bytes: Uint8Array
}

const PAGE =
  'SELECT json_agg(chunk ORDER BY chunk) AS chunks, json_agg(document ORDER BY chunk) AS documents, json_agg(scale ORDER BY chunk) AS scales, string_agg(bytes, NULL ORDER BY chunk) AS bytes'

async function scanScope(sql: SqlSession, query: MeaningQuery): Promise<Scanned> {
  const scanned: Scanned[] = []
  for await (const page of pages(sql, query, { scope: query.scope })) scanned.push(compare(page, query))
  return {
    chunks: joined(Float64Array, scanned, ({ chunks }) => chunks),
    documents: joined(Float64Array, scanned, ({ documents }) => documents),
    cosines: joined(Float32Array, scanned, ({ cosines }) => cosines),
  }
}

async function scanShelf(sql: SqlSession, query: MeaningQuery, shelf: VectorCache): Promise<Scanned> {
  const { project, embedder, scope, vector } = query
  const place = { project, embedder, dimensions: vector.bytes.length }
  const over = shelf.firstRead(place)
  if (over !== undefined) throw new BeingRead(over)
  const held = await shelf.use(place, (before) => keepUp(sql, query, before))
  return compare(held, query, await idsWithin(sql, project, scope))
}

const NOTHING: VectorRows = joinedRows([])

/** Updates the cached vectors with the changes since. */
async function keepUp(sql: SqlSession, query: MeaningQuery, held: HeldVectors | undefined): Promise<HeldVectors> {
  const { ground } = query
  const { generation } = ground
  if (held?.generation === generation) return held
  const old = held ?? NOTHING
  const { kept, missing } = standing(old, ground)
  const fresh = missing.length === 0 ? NOTHING : await readMissing(sql, query, missing)
  if (kept.length === old.chunks.length && fresh.chunks.length === 0) return { ...old, generation }
  return { ...merged(old, kept, fresh), generation }
}

/** Reads the missing vectors: a few are read by chunk, many together with everything between them. */
async function readMissing(sql: SqlSession, query: MeaningQuery, missing: readonly ChunkRange[]): Promise<VectorRows> {
  const count = missing.reduce((sum, { first, past }) => sum + past - first, 0)
  if (count <= AT_ONCE) return readRanges(sql, query, missing)
  const parts: VectorRows[] = []
  const within = { first: missing[0]!.first, past: missing.at(-1)!.past }
  for await (const page of pages(sql, query, { within })) parts.push(page)
  return joinedRows(parts)
}

async function readRanges(
  sql: SqlSession,
  { project, embedder, vector }: MeaningQuery,
  ranges: readonly ChunkRange[],
): Promise<VectorRows> {
  const text = `${PAGE} FROM (
    SELECT v.chunk, v.document, v.scale, v.bytes
    FROM jsonb_to_recordset($4::text::jsonb) AS r(first bigint, past bigint)
    CROSS JOIN LATERAL (
      SELECT * FROM ken.index_vectors v
      WHERE v.project = $1 AND v.chunk >= r.first AND v.chunk < r.past AND v.embedder = $2 AND v.dimensions = $3::int OFFSET 0
    ) AS v
  ) AS v`
  const [page] = await sql.query<Page>(text, [project, embedder, vector.bytes.length, JSON.stringify(ranges)])
  return page === undefined || page.chunks === null ? NOTHING : vectorsOf(page)
}

/** Ids of the documents in the scope; undefined if it includes everything. */
async function idsWithin(
  sql: SqlSession,
  project: string,
  scope: MeaningQuery['scope'],
): Promise<ReadonlySet<number> | undefined> {
  const values: SqlValue[] = [project]
  const inScope = scopePredicate(scope, values)
  if (inScope === '') return undefined
  const [found] = await sql.query<{ ids: readonly number[] }>(
    `SELECT coalesce(json_agg(d.id), '[]') AS ids FROM ken.index_documents d WHERE d.project = $1${inScope}`,
    values,
  )
  return new Set(found!.ids)
}

interface PagesWanted {
  readonly scope?: MeaningQuery['scope']
  readonly within?: ChunkRange
}

async function* pages(
  sql: SqlSession,
  { project, embedder, vector }: MeaningQuery,
  { scope = {}, within }: PagesWanted,
): AsyncGenerator<VectorRows> {
  for (let after = (within?.first ?? 0) - 1; ;) {
    const values: SqlValue[] = [project, embedder, vector.bytes.length, after, within?.past ?? Number.MAX_SAFE_INTEGER]
    const inScope = scopePredicate(scope, values)
    const documents = `CROSS JOIN LATERAL (
      SELECT FROM ken.index_documents d WHERE d.project = $1 AND d.id = v.document${inScope} OFFSET 0
    ) AS d`
    const text = `${PAGE} FROM (
      SELECT v.chunk, v.document, v.scale, v.bytes FROM ken.index_vectors v ${inScope === '' ? '' : documents}
      WHERE v.project = $1 AND v.embedder = $2 AND v.dimensions = $3::int AND v.chunk > $4::bigint AND v.chunk < $5::bigint
      ORDER BY v.chunk LIMIT ${AT_ONCE}
    ) AS v`
    const [page] = await sql.query<Page>(text, values)
    if (page === undefined || page.chunks === null) return
    yield vectorsOf(page)
    if (page.chunks.length < AT_ONCE) return
    after = page.chunks.at(-1)!
  }
}

async function cosinesOf(
  sql: SqlSession,
  query: MeaningQuery,
  wanted: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const text = `${PAGE} FROM (
    SELECT v.chunk, v.document, v.scale, v.bytes FROM ken.index_documents d
    CROSS JOIN LATERAL (
      SELECT * FROM ken.index_vectors v WHERE v.project = $1 AND v.chunk >= d.first_chunk AND v.chunk < d.end_chunk OFFSET 0
    ) AS v
    WHERE d.project = $1 AND d.id = ANY(${listOf(4, 'bigint')}) AND v.embedder = $2 AND v.dimensions = $3::int
  ) AS v`
  const { project, embedder, vector } = query
  const [page] = await sql.query<Page>(text, [project, embedder, vector.bytes.length, jsonText(wanted)])
  if (page === undefined || page.chunks === null) return new Map()
  return byChunk(compare(vectorsOf(page), query), new Set(wanted))
}

const vectorsOf = ({ chunks, documents, scales, bytes }: Page): VectorRows => ({
  chunks: Float64Array.from(chunks ?? []),
  documents: Float64Array.from(documents),
  scales: Float32Array.from(scales),
  bytes: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
})

function compare(
  { chunks, documents, scales, bytes }: VectorRows,
  { vector }: MeaningQuery,
  allowed?: ReadonlySet<number> | undefined,
): Scanned {
  const { bytes: asked, scale } = vector
  const cosines = new Float32Array(chunks.length)
  for (let at = 0; at < chunks.length; at++) {
    const from = at * asked.length
    let sum = 0
    for (let i = 0; i < asked.length; i++) sum += asked[i]! * bytes[from + i]!
    cosines[at] = allowed?.has(documents[at]!) === false ? Number.NaN : sum * scale * scales[at]!
  }
  return { chunks, documents, cosines }
}
