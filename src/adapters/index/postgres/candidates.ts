import type { SearchScope } from '../../../core/ranking/indexed-document.ts'
import type { Described } from '../../../core/ranking/laid-aside.ts'
import { HOLDS, LAID_ASIDE, type RankedRows } from '../../../core/ranking/rank-documents.ts'
import type { ChunkCorpus, ChunkPostings } from '../../../core/ranking/score-chunks.ts'
import type { SqlSession, SqlValue } from '../../../ports/sql-database.ts'
import type { Figures } from './figures.ts'
import { jsonText, listOf } from './json-text.ts'
import { scopePredicate } from './scope-predicate.ts'

/** The documents that may be in the answer as rows to rank, with all of their chunks and every word that was asked for. */
export interface Candidates {
  readonly generation: number
  readonly rows: RankedRows
  readonly corpus: ChunkCorpus
  readonly chunkOf: readonly number[]
  readonly rowOf: ReadonlyMap<number, number>
  documentAt(row: number): Described & { readonly id: number; readonly firstChunk: number }
}

export async function loadCandidates(
  sql: SqlSession,
  {
    project,
    ids,
    terms,
    figures,
    scope,
  }: { project: string; ids: readonly number[]; terms: readonly string[]; figures: Figures; scope: SearchScope },
): Promise<Candidates> {
  const values: SqlValue[] = [project, jsonText(ids), jsonText(terms)]
  const [found] = await sql.query<Found>(candidatesText(scopePredicate(scope, values)), values)
  const { generation, documents, postings } = found!
  const chunkOf: number[] = []
  const rowOf = new Map<number, number>()
  const owners: number[] = []
  documents.forEach(({ first_chunk: first, lengths }, owner) =>
    lengths.forEach((_, i) => {
      rowOf.set(first + i, chunkOf.length)
      chunkOf.push(first + i)
      owners.push(owner)
    }),
  )
  const ownerOf = Uint32Array.from(owners)
  const byTerm = new Map(postings.map((one) => [one.term, one]))
  return {
    generation,
    chunkOf,
    rowOf,
    rows: {
      size: chunkOf.length,
      documents: documents.length,
      ownerOf,
      standing: Uint8Array.from(documents, ({ laid_as: laidAs }) => (laidAs === null ? HOLDS : LAID_ASIDE)),
    },
    corpus: {
      size: chunkOf.length,
      lengths: Uint32Array.from(documents.flatMap(({ lengths }) => lengths)),
      averageLength: figures.averageLength,
      whole: figures.whole,
      postings: (term) => postingsOf(byTerm.get(term), rowOf, figures.held(term)),
    },
    documentAt(row) {
      const {
        id,
        first_chunk: firstChunk,
        collection,
        path,
        title,
        laid_as: as,
        laid_by: by,
      } = documents[ownerOf[row]!]!
      const laidAside = as === null ? undefined : { as, by: by ?? undefined }
      return { id, firstChunk, collection, path, title, laidAside }
    },
  }
}

function postingsOf(
  found: Found['postings'][number] | undefined,
  rowOf: ReadonlyMap<number, number>,
  held: NonNullable<ChunkPostings['held']>,
): ChunkPostings {
  const all = (found?.chunks ?? []).map((chunk, i) => [rowOf.get(chunk)!, found!.counts[i]!] as const)
  all.sort(([a], [b]) => a - b)
  return { docs: Uint32Array.from(all, ([row]) => row), counts: Uint32Array.from(all, ([, count]) => count), held }
}

interface Found {
  readonly generation: number
  /** In order of id. */
  readonly documents: readonly {
    readonly id: number
    readonly first_chunk: number
    readonly lengths: readonly number[]
    readonly collection: string
    readonly path: string
    readonly title: string
    readonly laid_as: string | null
    readonly laid_by: string | null
  }[]
  readonly postings: readonly {
    readonly term: string
    readonly chunks: readonly number[]
    readonly counts: readonly number[]
  }[]
}

/** One statement, so that all of it is of one moment. */
export const candidatesText = (inScope: string): string => `
  WITH chosen AS MATERIALIZED (
    SELECT d.id, d.first_chunk, d.end_chunk, d.lengths, d.collection, d.path, d.title, d.laid_as, d.laid_by
    FROM ken.index_documents d WHERE d.project = $1 AND d.id = ANY(${listOf(2, 'bigint')})${inScope}
  ), held AS (
    SELECT p.term, json_agg(p.chunk) AS chunks, json_agg(p.count) AS counts
    FROM chosen c
    CROSS JOIN (SELECT one COLLATE "C" AS term FROM jsonb_array_elements_text($3::text::jsonb) AS one) AS a
    CROSS JOIN LATERAL (
      SELECT * FROM ken.index_postings p
      WHERE p.project = $1 AND p.term = a.term AND p.chunk >= c.first_chunk AND p.chunk < c.end_chunk OFFSET 0
    ) AS p
    GROUP BY p.term
  )
  SELECT coalesce((SELECT generation FROM ken.index_heads WHERE project = $1), 0) AS generation,
    (SELECT coalesce(json_agg(c ORDER BY c.id), '[]') FROM chosen c) AS documents,
    (SELECT coalesce(json_agg(h), '[]') FROM held h) AS postings`
