import { REPLY_TERM, TEST_TERM } from '../../../core/ranking/marks.ts'
import { eachTerm, entryChunk, entryCount } from '../../../core/ranking/packed-postings.ts'
import type { IndexBatch } from '../../../ports/search-index.ts'
import type { SqlSession } from '../../../ports/sql-database.ts'
import { documentId } from './documents.ts'
import { beginChange, endChange } from './head.ts'
import { jsonText } from './json-text.ts'
import { removeDocuments } from './remove-documents.ts'
import { insertVectors } from './store-vectors.ts'

/** Bits of `marks`: what a chunk is that its text does not say. */
export const REPLY = 1
export const TEST = 2

export interface BatchPlace {
  readonly project: string
  /** Vectors are kept as numbers too. */
  readonly hasNear: boolean
}

/** All of a batch, in one transaction. */
export async function writeBatch(sql: SqlSession, { project, hasNear }: BatchPlace, batch: IndexBatch): Promise<void> {
  const head = await beginChange(sql, project)
  if (batch.restamped.length > 0) await restamp(sql, project, batch.restamped)
  const gone = await removeDocuments(
    sql,
    project,
    [...batch.removed, ...batch.documents.map(({ facts }) => facts)].map(documentId),
  )
  const words = readPostings(batch)
  await insertDocuments(sql, { project, first: head.nextChunk, batch, words })
  await insertPostings(sql, { project, first: head.nextChunk, words })
  if (batch.vectors !== undefined)
    await insertVectors(sql, {
      project,
      hasNear,
      embedder: batch.vectors.embedder,
      vectors: batch.vectors.all.map((vector, i) => ({ chunk: head.nextChunk + i, vector })),
    })
  const chunks = batch.documents.flatMap((document) => document.chunks)
  await endChange(sql, project, {
    documents: batch.documents.length - gone.documents,
    chunks: chunks.length - gone.chunks,
    length: chunks.reduce((sum, { length }) => sum + length, 0) - gone.length,
    postings: words.reduce((sum, { chunks: held }) => sum + held.length, 0) - gone.postings,
    newChunks: chunks.length,
  })
}

async function restamp(sql: SqlSession, project: string, stamps: IndexBatch['restamped']): Promise<void> {
  await sql.query(
    `UPDATE ken.index_documents d SET size = r.size, mtime = r.mtime
     FROM jsonb_to_recordset($2::text::jsonb) AS r(id bigint, size float8, mtime float8)
     WHERE d.project = $1 AND d.id = r.id`,
    [project, jsonText(stamps.map((stamp) => ({ ...stamp, id: documentId({ ...stamp, entry: undefined }) })))],
  )
}

interface Word {
  readonly term: string
  /** Counted from the first chunk of the batch. */
  readonly chunks: readonly number[]
  readonly counts: readonly number[]
}

function readPostings({ postings }: IndexBatch): Word[] {
  const words: Word[] = []
  for (const leaf of postings.leaves)
    eachTerm(leaf, (term, entries) =>
      words.push({
        term,
        chunks: Array.from(entries, entryChunk),
        counts: Array.from(entries, (entry) => Math.min(entryCount(entry), MOST_COUNTED)),
      }),
    )
  return words
}

/** Beyond it the score has long ceased to grow. */
const MOST_COUNTED = 0x7fff

interface Insert {
  readonly project: string
  readonly first: number
  readonly words: readonly Word[]
}

async function insertDocuments(
  sql: SqlSession,
  { project, first, batch, words }: Insert & { readonly batch: IndexBatch },
): Promise<void> {
  if (batch.documents.length === 0) return
  const ownerOf = batch.documents.flatMap(({ chunks }, owner) => chunks.map(() => owner))
  const termsOf: string[][] = batch.documents.map(() => [])
  const marks = ownerOf.map(() => 0)
  for (const { term, chunks } of words) {
    for (const owner of new Set(chunks.map((chunk) => ownerOf[chunk]!))) termsOf[owner]!.push(term)
    const mark = term === REPLY_TERM ? REPLY : term === TEST_TERM ? TEST : 0
    if (mark > 0) for (const chunk of chunks) marks[chunk]! |= mark
  }
  let next = first
  const documents = batch.documents.map(({ facts, chunks }, at) => {
    const { project: record, laidAside, ...own } = facts
    const lengths = chunks.map(({ length }) => length)
    const firstChunk = next
    next += chunks.length
    return {
      ...own,
      id: documentId(facts),
      record,
      laid_as: laidAside?.as,
      laid_by: laidAside?.by,
      first_chunk: firstChunk,
      end_chunk: next,
      chunks: chunks.length,
      length: lengths.reduce((sum, length) => sum + length, 0),
      tag_words: facts.tags.map((tag) => tag.toLowerCase()),
      lengths,
      terms: termsOf[at]!,
    }
  })
  await sql.query(INSERT_DOCUMENTS, [project, jsonText(documents)])
  let chunk = 0
  const chunks = batch.documents.flatMap(({ chunks: own }, at) =>
    own.map(({ startLine, endLine, heading, length }) => ({
      id: first + chunk,
      document: documents[at]!.id,
      start_line: startLine,
      end_line: endLine,
      heading,
      length,
      marks: marks[chunk++]!,
    })),
  )
  await sql.query(INSERT_CHUNKS, [project, jsonText(chunks)])
  const outlines = batch.documents.flatMap(({ outline }, at) =>
    outline === undefined
      ? []
      : [
          {
            document: documents[at]!.id,
            definitions: JSON.stringify(outline.definitions),
            imports: JSON.stringify(outline.imports),
            calls: JSON.stringify(outline.calls),
          },
        ],
  )
  if (outlines.length > 0) await sql.query(INSERT_OUTLINES, [project, jsonText(outlines)])
}

const columns = (typed: string): string => typed.replaceAll(/ [a-z0-9]+(?:\[\])?(?=,|$)/g, '')
const insert = (table: string, typed: string): string =>
  `INSERT INTO ken.${table} (project, ${columns(typed)}) SELECT $1, ${columns(typed)} FROM jsonb_to_recordset($2::text::jsonb) AS r(${typed})`

const INSERT_DOCUMENTS = insert(
  'index_documents',
  'id bigint, first_chunk bigint, end_chunk bigint, chunks int, length bigint, modified float8, size float8, mtime float8, collection text, path text, entry text, title text, origin text, trust text, workspace text, record text, laid_as text, laid_by text, hash text, tags jsonb, tag_words text[], lengths int[], terms text[]',
)
const INSERT_CHUNKS = insert(
  'index_chunks',
  'id bigint, document bigint, start_line int, end_line int, heading text, length int, marks smallint',
)
const INSERT_OUTLINES = insert('index_outlines', 'document bigint, definitions text, imports text, calls text')

/** What one statement takes: a second or so of the server, and a megabyte of text. */
const POSTINGS_AT_ONCE = 40_000

async function insertPostings(sql: SqlSession, { project, first, words }: Insert): Promise<void> {
  for (let at = 0; at < words.length;) {
    const some: Word[] = []
    for (let size = 0; at < words.length && size < POSTINGS_AT_ONCE; at++) {
      some.push(words[at]!)
      size += words[at]!.chunks.length
    }
    await sql.query(INSERT_POSTINGS, [project, first, jsonText(some)])
  }
}

const INSERT_POSTINGS = `
  WITH words AS MATERIALIZED (
    SELECT w.term, c.id AS chunk, c.document, c.length, e.count, c.marks
    FROM jsonb_to_recordset($3::text::jsonb) AS w(term text, chunks bigint[], counts smallint[]),
      unnest(w.chunks, w.counts) AS e(chunk, count)
    JOIN ken.index_chunks c ON c.project = $1 AND c.id = $2::bigint + e.chunk
  ), put AS (
    INSERT INTO ken.index_postings (project, term, chunk, document, length, count, marks)
    SELECT $1, term, chunk, document, length, count, marks FROM words ORDER BY term COLLATE "C", chunk
  )
  INSERT INTO ken.index_terms AS t (project, term, chunks, documents)
  SELECT $1, term, count(*), count(DISTINCT document) FROM words GROUP BY term
  ON CONFLICT (project, term) DO UPDATE SET chunks = t.chunks + excluded.chunks, documents = t.documents + excluded.documents`
