import type { SqlSession } from '../../../kernel/ports/sql-database.ts'
import {
  DEPTH,
  hybridSearch,
  type MeaningRows,
  type RankedRow,
} from '../../../retrieval/domain/ranking/hybrid-search.ts'
import { scoreChunks } from '../../../retrieval/domain/ranking/score-chunks.ts'
import type { IndexHit, IndexQuestion, StoredChunk } from '../../ports/search-index.ts'
import { bestByWords } from './by-words.ts'
import { loadCandidates, type Candidates } from './candidates.ts'
import { DOCUMENT, toDocument, type DocumentRow } from './documents.ts'
import type { GroundShelf } from './ground-shelf.ts'
import { listOfNumbers } from './json-text.ts'
import { nearestDocuments, type Meaning, type MeaningQuery, type NearChunk } from './meaning.ts'
import { readWords, termsOf, type WordsRead } from './read-words.ts'

export interface SearchPlace {
  readonly project: string
  readonly ground: GroundShelf | undefined
  readonly openMeaning: (sql: SqlSession, query: MeaningQuery) => Meaning
}

/** Maximum tries of a search, which reads several times and restarts if the index changed between two reads. */
const TRIES = 3

export async function search(sql: SqlSession, place: SearchPlace, question: IndexQuestion): Promise<IndexHit[]> {
  for (let left = TRIES - 1; ; left--) {
    const { hits, isOfOneMoment } = await searchOnce(sql, place, question)
    if (isOfOneMoment || left === 0) return hits
  }
}

async function searchOnce(
  sql: SqlSession,
  { project, ground, openMeaning }: SearchPlace,
  question: IndexQuestion,
): Promise<{ readonly hits: IndexHit[]; readonly isOfOneMoment: boolean }> {
  const { scope, meaning: asked, ...ask } = question
  const words = await readWords(sql, { project, terms: termsOf(question), shelf: ground })
  const { generation, whole, standsNear, ground: laid } = words
  if (whole.chunks === 0 || question.limit < 1) return { hits: [], isOfOneMoment: true }
  const meaning =
    asked && openMeaning(sql, { project, scope, ground: laid, chunks: whole.chunks, standsNear, ...asked })
  const { ids, nearest } = await choose(sql, { project, words, question, meaning })
  if (ids.length === 0) return { hits: [], isOfOneMoment: true }
  const candidates = await loadCandidates(sql, { project, ids, words, scope })
  const rows = meaning && meaningRows(candidates, nearest, await meaning.of(ids))
  const ranked = hybridSearch(candidates.rows, scoreChunks(question.terms, candidates.corpus), rows, {
    ...ask,
    beta: asked?.beta,
    describe: candidates.describe,
  })
  const { hits, generation: now } = await describe(sql, { project, candidates, ranked })
  return {
    hits,
    isOfOneMoment: (now ?? generation) === generation && hits.length === ranked.length,
  }
}

/** The documents that may be in the answer: the best by words, and the best by meaning. */
async function choose(
  sql: SqlSession,
  {
    project,
    words,
    question,
    meaning,
  }: { project: string; words: WordsRead; question: IndexQuestion; meaning: Meaning | undefined },
): Promise<{ readonly ids: readonly number[]; readonly nearest: readonly NearChunk[] }> {
  const { by, isIdentifier, limit } = question
  const depth = Math.max(limit, DEPTH)
  const byWords = by === 'meaning' ? [] : await bestByWords(sql, { project, words, question, depth })
  const isMeant = by === 'meaning' || (by === 'both' && !(isIdentifier && byWords.length > 0))
  const nearest = meaning === undefined || !isMeant ? [] : await nearestDocuments(meaning, depth)
  return { ids: [...new Set([...byWords, ...nearest.map(({ document }) => document)])], nearest }
}

function meaningRows(
  { rowOf, chunkOf }: Candidates,
  nearest: readonly NearChunk[],
  cosines: ReadonlyMap<number, number>,
): MeaningRows {
  const near = nearest.flatMap(({ chunk, cosine: score }) => {
    const row = rowOf.get(chunk)
    return row === undefined ? [] : [{ row, score }]
  })
  return {
    nearest: (count) => near.slice(0, count),
    of: (rows) =>
      new Map(
        rows.flatMap((row) => {
          const cosine = cosines.get(chunkOf[row]!)
          return cosine === undefined ? [] : [[row, cosine]]
        }),
      ),
  }
}

/** A document replaced since it was ranked is dropped: its lines no longer exist. */
async function describe(
  sql: SqlSession,
  { project, candidates, ranked }: { project: string; candidates: Candidates; ranked: readonly RankedRow[] },
): Promise<{ readonly hits: IndexHit[]; readonly generation?: number }> {
  if (ranked.length === 0) return { hits: [] }
  const ids = ranked.map(({ row }) => candidates.documentAt(row).id)
  const rows = await sql.query<LinedRow>(DESCRIBE, [project, listOfNumbers(ids)])
  const byChunk = new Map(rows.map((row) => [row.first_chunk, row]))
  const hits = ranked.flatMap(({ row, parts, ...facts }): IndexHit[] => {
    const found = byChunk.get(candidates.documentAt(row).firstChunk)
    if (found === undefined) return []
    const [chunk, ...others] = [row, ...parts].map((part) => chunkIn(found, candidates.chunkOf[part]!))
    return [{ ...facts, document: toDocument(found), chunk: chunk!, parts: others }]
  })
  const generation = rows[0]?.generation
  return { hits, ...(generation !== undefined && { generation }) }
}

interface LinedRow extends DocumentRow {
  readonly generation: number
  readonly start_lines: readonly number[]
  readonly end_lines: readonly number[]
  readonly headings: readonly string[]
}

function chunkIn({ first_chunk: first, start_lines, end_lines, headings }: LinedRow, id: number): StoredChunk {
  const at = id - first
  return { id, startLine: start_lines[at]!, endLine: end_lines[at]!, heading: headings[at]! }
}

const DESCRIBE = `
  SELECT (SELECT generation FROM ken.index_heads WHERE project = $1) AS generation, ${DOCUMENT},
    to_json(d.start_lines) AS start_lines, to_json(d.end_lines) AS end_lines, to_json(d.headings) AS headings
  FROM ken.index_documents d WHERE d.project = $1 AND d.id = ANY($2::text::bigint[])`
