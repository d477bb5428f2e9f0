import type { SqlSession } from '../../../kernel/ports/sql-database.ts'
import { REPLY_TERM, TEST_TERM } from '../../../retrieval/domain/ranking/marks.ts'
import { eachTerm, entryChunk, entryCount } from '../../../retrieval/domain/ranking/packed-postings.ts'
import type { IndexBatch } from '../../ports/search-index.ts'
import { documentId } from './documents.ts'
import { beginChange, endChange } from './head.ts'
import { joinSegments } from './join-segments.ts'
import { jsonText } from './json-text.ts'
import { stepNear, type NearPlan } from './near-vectors.ts'
import { removeDocuments } from './remove-documents.ts'
import { insertSegment, type Words } from './segment-rows.ts'
import { REPLY, TEST, type SegmentPart } from './segment.ts'
import { insertVectors } from './store-vectors.ts'

export interface BatchPlace {
  readonly project: string
  /** Set for a server with a vector index. */
  readonly near: NearPlan | undefined
}

/** Writes a batch in one transaction. */
export async function writeBatch(sql: SqlSession, { project, near }: BatchPlace, batch: IndexBatch): Promise<void> {
  const head = await beginChange(sql, project)
  if (batch.restamped.length > 0) await restamp(sql, project, batch.restamped)
  const { generation, nextChunk: first } = head
  const ids = [...batch.removed, ...batch.documents.map(({ facts }) => facts)].map(documentId)
  const gone = await removeDocuments(sql, { project, generation, ids })
  const words = readWords(batch)
  const parts = partsOf(batch, first, words)
  await insertDocuments(sql, { project, batch, parts })
  if (parts.some(({ lengths }) => lengths.length > 0))
    await insertSegment(sql, { project, number: first }, { generation, parts: parts.filter(hasChunks), words })
  if (batch.vectors !== undefined) {
    const { embedder, all } = batch.vectors
    const nearFrom = await stepNear(sql, { project, head, near, coming: all.length })
    const vectors = all.map((vector, i) => ({ chunk: first + i, vector }))
    await insertVectors(sql, { project, embedder, nearFrom, vectors })
  }
  await joinSegments(sql, project, generation)
  const chunks = batch.documents.flatMap((document) => document.chunks)
  await endChange(sql, project, {
    documents: batch.documents.length - gone.documents,
    chunks: chunks.length - gone.chunks,
    length: chunks.reduce((sum, { length }) => sum + length, 0) - gone.length,
    postings: [...words.values()].reduce((sum, { places }) => sum + places.length, 0) - gone.postings,
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

const hasChunks = ({ lengths }: SegmentPart): boolean => lengths.length > 0

/** Words of a batch with their postings; places count from its first chunk. */
function readWords({ postings }: IndexBatch): Words {
  const words = new Map<string, { places: number[]; counts: number[] }>()
  let first = 0
  for (const { chunks, leaves } of postings) {
    const from = first
    for (const leaf of leaves)
      eachTerm(leaf, (term, entries) => {
        const own = words.get(term) ?? { places: [], counts: [] }
        words.set(term, own)
        for (const entry of entries) {
          own.places.push(from + entryChunk(entry))
          own.counts.push(entryCount(entry))
        }
      })
    first += chunks
  }
  return words
}

/** Every document with its chunks, numbered consecutively from `first`. */
function partsOf({ documents }: IndexBatch, first: number, words: Words): SegmentPart[] {
  const marks: number[] = documents.flatMap(({ chunks }) => chunks.map(() => 0))
  for (const [term, mark] of [
    [REPLY_TERM, REPLY],
    [TEST_TERM, TEST],
  ] as const)
    for (const place of Array.from(words.get(term)?.places ?? [])) marks[place]! |= mark
  let next = 0
  return documents.map(({ facts, chunks }) => {
    const from = next
    next += chunks.length
    return {
      id: documentId(facts),
      firstChunk: first + from,
      lengths: chunks.map(({ length }) => length),
      marks: marks.slice(from, next),
      isSuperseded: facts.superseded !== undefined,
    }
  })
}

async function insertDocuments(
  sql: SqlSession,
  { project, batch, parts }: { project: string; batch: IndexBatch; parts: readonly SegmentPart[] },
): Promise<void> {
  if (batch.documents.length === 0) return
  const documents = batch.documents.map(({ facts, chunks }, at) => {
    const { project: record, superseded, ...own } = facts
    const { id, firstChunk, lengths } = parts[at]!
    return {
      ...own,
      id,
      record,
      laid_as: superseded?.as,
      laid_by: superseded?.by,
      first_chunk: firstChunk,
      end_chunk: firstChunk + chunks.length,
      chunks: chunks.length,
      length: lengths.reduce((sum, length) => sum + length, 0),
      tag_words: facts.tags.map((tag) => tag.toLowerCase()),
      start_lines: chunks.map(({ startLine }) => startLine),
      end_lines: chunks.map(({ endLine }) => endLine),
      headings: chunks.map(({ heading }) => heading),
    }
  })
  await sql.query(INSERT_DOCUMENTS, [project, jsonText(documents)])
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
  'id bigint, first_chunk bigint, end_chunk bigint, chunks int, length bigint, modified float8, size float8, mtime float8, collection text, path text, entry text, title text, origin text, trust text, workspace text, record text, laid_as text, laid_by text, hash text, tags jsonb, tag_words text[], start_lines int[], end_lines int[], headings text[]',
)
const INSERT_OUTLINES = insert('index_outlines', 'document bigint, definitions text, imports text, calls text')
