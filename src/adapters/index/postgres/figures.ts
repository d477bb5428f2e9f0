import { REPLY_TERM, TEST_TERM } from '../../../core/ranking/marks.ts'
import type { Holders } from '../../../core/ranking/score-chunks.ts'
import type { IndexQuestion } from '../../../ports/search-index.ts'
import type { SqlSession } from '../../../ports/sql-database.ts'
import { jsonText, listOf } from './json-text.ts'

/** What is known of an index without looking into it. */
export interface Figures {
  readonly generation: number
  readonly unfinished: boolean
  readonly whole: Holders
  readonly averageLength: number
  held(term: string): Holders
}

export async function readFigures(sql: SqlSession, project: string, terms: readonly string[]): Promise<Figures> {
  const [row] = await sql.query<FiguresRow>(FIGURES, [project, jsonText(terms)])
  const { generation, unfinished, documents, chunks, length, held } = row ?? NOTHING
  return {
    generation,
    unfinished,
    whole: { chunks, documents },
    averageLength: chunks === 0 ? 0 : length / chunks,
    held(term) {
      const [inChunks, inDocuments] = held[term] ?? [0, 0]
      return { chunks: inChunks, documents: inDocuments }
    },
  }
}

/** Everything a question may look up: its words and their parts, the names it may be, and what marks a chunk. */
export const termsOf = ({ terms, names }: Pick<IndexQuestion, 'terms' | 'names'>): string[] => [
  ...new Set([...terms.flatMap(({ term, parts }) => [term, ...parts]), ...names, REPLY_TERM, TEST_TERM]),
]

interface FiguresRow {
  readonly generation: number
  readonly unfinished: boolean
  readonly documents: number
  readonly chunks: number
  readonly length: number
  readonly held: Readonly<Record<string, readonly [number, number]>>
}

const NOTHING: FiguresRow = { generation: 0, unfinished: false, documents: 0, chunks: 0, length: 0, held: {} }

const FIGURES = `
  SELECT h.generation, h.unfinished, h.documents, h.chunks, h.length, (
    SELECT coalesce(json_object_agg(t.term, json_build_array(t.chunks, t.documents)), '{}')
    FROM ken.index_terms t WHERE t.project = $1 AND t.term = ANY(${listOf(2, 'text')})
  ) AS held
  FROM ken.index_heads h WHERE h.project = $1`
