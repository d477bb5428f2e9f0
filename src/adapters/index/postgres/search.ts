import { DEPTH, hybridSearch, type MeaningRows, type RankedRow } from '../../../core/ranking/hybrid-search.ts'
import { scoreChunks } from '../../../core/ranking/score-chunks.ts'
import type { IndexHit, IndexQuestion, StoredChunk, StoredDocument } from '../../../ports/search-index.ts'
import type { SqlSession } from '../../../ports/sql-database.ts'
import { bestByWords } from './by-words.ts'
import { loadCandidates, type Candidates } from './candidates.ts'
import { DOCUMENT, toDocument, type DocumentRow } from './documents.ts'
import type { GroundShelf } from './ground-shelf.ts'
import { jsonText, listOf } from './json-text.ts'
import { nearestDocuments, type Meaning, type MeaningQuery, type NearChunk } from './meaning.ts'
import { readWords, termsOf, type WordsRead } from './read-words.ts'

export interface SearchPlace {
  readonly project: string
  readonly ground: GroundShelf | undefined
  readonly openMeaning: (sql: SqlSession, query: MeaningQuery) => Meaning
}

/** A search reads several times; where the index changed between two of them it begins again, so many times. */
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
  const { generation, whole } = words
  if (whole.chunks === 0 || question.limit < 1) return { hits: [], isOfOneMoment: true }
  const meaning = asked && openMeaning(sql, { project, scope, generation, chunks: whole.chunks, ...asked })
  const { ids, nearest } = await choose(sql, { project, words, question, meaning })
  if (ids.length === 0) return { hits: [], isOfOneMoment: true }
  const candidates = await loadCandidates(sql, { project, ids, words, scope })
  const rows = meaning && meaningRows(candidates, nearest, await meaning.of(ids))
  const ranked = hybridSearch(candidates.rows, scoreChunks(question.terms, candidates.corpus), rows, {
    ...ask,
    beta: asked?.beta,
    describe: candidates.documentAt,
  })
  const hits = await describe(sql, { project, candidates, ranked })
  return {
    hits,
    isOfOneMoment: candidates.generation === generation && hits.length === ranked.length,
  }
}

/** Which documents may be in the answer: those that stand first by words, and those that do by meaning. */
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

/** What was replaced since it was ranked is not in the answer: its lines are no longer there. */
async function describe(
  sql: SqlSession,
  { project, candidates, ranked }: { project: string; candidates: Candidates; ranked: readonly RankedRow[] },
): Promise<IndexHit[]> {
  if (ranked.length === 0) return []
  const asked = ranked.flatMap(({ row, parts }) => {
    const { id, firstChunk } = candidates.documentAt(row)
    return [row, ...parts].map((part) => ({ document: id, at: candidates.chunkOf[part]! - firstChunk }))
  })
  const [found] = await sql.query<{ documents: readonly DocumentRow[]; chunks: readonly StoredChunk[] }>(DESCRIBE, [
    project,
    jsonText(ranked.map(({ row }) => candidates.documentAt(row).id)),
    jsonText(asked),
  ])
  const documents = new Map<number, StoredDocument>(found!.documents.map((row) => [row.first_chunk, toDocument(row)]))
  const chunks = new Map(found!.chunks.map((chunk) => [chunk.id, chunk]))
  return ranked.flatMap(({ row, parts, ...facts }) => {
    const document = documents.get(candidates.documentAt(row).firstChunk)
    const own = [row, ...parts].map((part) => chunks.get(candidates.chunkOf[part]!))
    if (document === undefined || own.includes(undefined)) return []
    const [chunk, ...others] = own as StoredChunk[]
    return [{ ...facts, document, chunk: chunk!, parts: others }]
  })
}

const DESCRIBE = `
  SELECT (
    SELECT coalesce(json_agg(d), '[]') FROM (
      SELECT ${DOCUMENT} FROM ken.index_documents d WHERE d.project = $1 AND d.id = ANY(${listOf(2, 'bigint')})
    ) AS d
  ) AS documents, (
    SELECT coalesce(json_agg(c), '[]') FROM (
      SELECT d.first_chunk + a.at AS id, d.start_lines[a.at + 1] AS "startLine", d.end_lines[a.at + 1] AS "endLine",
        d.headings[a.at + 1] AS heading
      FROM jsonb_to_recordset($3::text::jsonb) AS a(document bigint, at int)
      JOIN ken.index_documents d ON d.project = $1 AND d.id = a.document AND a.at < d.chunks
    ) AS c
  ) AS chunks`
