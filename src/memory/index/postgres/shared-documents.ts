import { AppError } from '../../../kernel/domain/errors.ts'
import type { SqlDatabase, SqlSession, SqlValue } from '../../../kernel/ports/sql-database.ts'
import type { SearchScope } from '../../../retrieval/domain/ranking/indexed-document.ts'
import type { Share, SharedDocuments, SharedText, Withdrawn } from '../../ports/shared-documents.ts'
import { DOCUMENT, toDocument, type DocumentRow } from './documents.ts'
import { beginChange, endChange } from './head.ts'
import { joinSegments } from './join-segments.ts'
import { jsonText, listOf } from './json-text.ts'
import type { NearPlan } from './near-vectors.ts'
import { removeDocuments } from './remove-documents.ts'
import { scopePredicate } from './scope-predicate.ts'
import { writeBatch } from './write-batch.ts'

export interface SharedOptions {
  readonly database: SqlDatabase
  readonly project: string
  /** The author of the changes; without it everything is read-only. */
  readonly person?: string
  /** Prepares for the vectors of a batch, and returns which projects are in the server's vector index. */
  readonly prepare: (embedder: string, dimensions: number | undefined) => Promise<NearPlan | undefined>
}

/** Shared texts. A text and the index rows made from it change in one transaction. */
export function openSharedDocuments({ database, project, person, prepare }: SharedOptions): SharedDocuments {
  const scope = { project, ...(person !== undefined && { person }) }
  const inScope = <T>(work: (sql: SqlSession) => Promise<T>): Promise<T> => database.transaction(scope, work)
  const ask = <Row extends object>(text: string, values: readonly SqlValue[]) =>
    inScope((sql) => sql.query<Row>(text, values))
  return {
    async write({ texts, batch }) {
      const { embedder = '', all = [] } = batch.vectors ?? {}
      const near = await prepare(embedder, all[0]?.bytes.length)
      await inScope(async (sql) => {
        await assertOwn(sql, { project, person: person ?? '' }, texts)
        await removePaths(
          sql,
          project,
          texts.map(({ path }) => path),
        )
        await writeBatch(sql, { project, near }, batch)
        await putTexts(sql, { project, person: person ?? '' }, texts)
      })
    },
    async texts(ids) {
      if (ids.length === 0) return []
      const rows = await ask<DocumentRow & { text: string; author: string }>(TEXTS, [project, jsonText(ids)])
      return rows.map(({ text, author, ...row }) => ({ document: toDocument(row), text, author }))
    },
    holds: (wanted) => inScope((sql) => holds(sql, project, wanted)),
    async openShare({ id, author, workspace, name, openedAt }) {
      const values = [project, id, person ?? '', author, workspace, name, openedAt]
      return inScope(async (sql) => {
        const [opened] = await sql.query<{ id: string }>(OPEN_SHARE, values)
        const [share] = await sql.query<ShareRow>(`${SHARES} AND s.id = $2`, [project, opened!.id])
        return toShare(share!)
      })
    },
    shares: async () =>
      (await ask<ShareRow>(`${SHARES} ORDER BY s.opened_at DESC, s.id DESC LIMIT ${MOST_SHARES}`, [project])).map(
        toShare,
      ),
    held: (share, { after, limit }) =>
      ask(
        `SELECT path, hash FROM ken.shared_texts
         WHERE project = $1 AND share = $2 AND person = $3 AND path > $4 COLLATE "C" ORDER BY path LIMIT $5::int`,
        [project, share, person ?? '', after, limit],
      ),
    async finishUpload(share, at) {
      await ask(`UPDATE ken.shares SET uploaded_at = $4::timestamptz WHERE project = $1 AND id = $2 AND person = $3`, [
        project,
        share,
        person ?? '',
        at,
      ])
    },
    async withdraw(share, paths) {
      let gone: Withdrawn = { documents: 0, chunks: 0, postings: 0, vectors: 0, texts: 0 }
      const own = [project, share ?? null, person ?? '']
      const ofShare = (column: string): string => `($2::text IS NULL OR ${column} = $2)`
      for (;;) {
        const some = await inScope(async (sql) => {
          // Concurrent uploads into the share wait, then find it removed.
          await sql.query(
            `SELECT FROM ken.shares WHERE project = $1 AND ${ofShare('id')} AND person = $3 FOR UPDATE`,
            own,
          )
          const rows = await sql.query<{ path: string }>(
            `SELECT path FROM ken.shared_texts WHERE project = $1 AND ${ofShare('share')} AND person = $3
               AND ($4::text IS NULL OR path = ANY(${listOf(4, 'text')})) LIMIT ${PATHS_AT_ONCE} FOR UPDATE`,
            [...own, paths === undefined ? null : jsonText(paths)],
          )
          const removed = await removePaths(
            sql,
            project,
            rows.map(({ path }) => path),
          )
          if (rows.length === 0 && paths === undefined)
            await sql.query(`DELETE FROM ken.shares WHERE project = $1 AND ${ofShare('id')} AND person = $3`, own)
          return removed
        })
        if (some.texts === 0) return gone
        gone = sum(gone, some)
      }
    },
  }
}

const MOST_SHARES = 1_000
const MOST_TEXTS = 20_000

/** Removed per transaction: about a second of server time for long sessions. */
const PATHS_AT_ONCE = 100

const TEXTS = `
  SELECT ${DOCUMENT}, t.text, t.author FROM ken.index_documents d
  JOIN ken.shared_texts t ON t.project = $1 AND t.path = d.path COLLATE "C"
  WHERE d.project = $1 AND d.id = ANY(${listOf(2, 'bigint')})`

const OPEN_SHARE = `
  INSERT INTO ken.shares AS s (project, id, person, author, workspace, name, opened_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7::timestamptz)
  ON CONFLICT (project, person, workspace) DO UPDATE SET author = excluded.author, name = excluded.name
  RETURNING id`

const SHARES = `
  SELECT s.id, s.person, s.author, s.workspace, s.name, s.opened_at, s.uploaded_at, t.documents, t.bytes
  FROM ken.shares s CROSS JOIN LATERAL (
    SELECT count(*)::int AS documents, coalesce(sum(octet_length(t.text)), 0)::bigint AS bytes
    FROM ken.shared_texts t WHERE t.project = s.project AND t.share = s.id
  ) AS t
  WHERE s.project = $1`

interface ShareRow extends Omit<Share, 'openedAt' | 'uploadedAt'> {
  readonly opened_at: string
  readonly uploaded_at: string | null
}

const toShare = ({ opened_at: openedAt, uploaded_at: uploadedAt, ...share }: ShareRow): Share => ({
  ...share,
  openedAt,
  uploadedAt: uploadedAt ?? undefined,
})

/** Throws the same error for another person's share and for a withdrawn one. */
async function assertOwn(
  sql: SqlSession,
  { project, person }: { readonly project: string; readonly person: string },
  texts: readonly SharedText[],
): Promise<void> {
  const named = [...new Set(texts.flatMap(({ share }) => share ?? []))]
  if (named.length === 0) return
  const own = await sql.query(
    `SELECT id FROM ken.shares WHERE project = $1 AND person = $2 AND id = ANY(${listOf(3, 'text')}) FOR SHARE`,
    [project, person, jsonText(named)],
  )
  if (own.length < named.length)
    throw new AppError('not_found', 'Share not found.', { hint: 'Share the workspace again.' })
  const [held] = await sql.query<{ most: number }>(
    `SELECT coalesce(max(texts), 0)::int AS most FROM (
       SELECT count(*) AS texts FROM ken.shared_texts WHERE project = $1 AND share = ANY(${listOf(2, 'text')}) GROUP BY share
     ) AS t`,
    [project, jsonText(named)],
  )
  if (held!.most + texts.length > MOST_TEXTS)
    throw new AppError('invalid_input', `A workspace shares at most ${MOST_TEXTS} sessions and notes.`)
}

async function putTexts(
  sql: SqlSession,
  { project, person }: { readonly project: string; readonly person: string },
  texts: readonly SharedText[],
): Promise<void> {
  await sql.query(
    `INSERT INTO ken.shared_texts (project, person, path, share, author, hash, text)
     SELECT $1, $2, path, share, author, hash, text
     FROM jsonb_to_recordset($3::text::jsonb) AS r(path text, share text, author text, hash text, text text)`,
    [project, person, jsonText(texts)],
  )
}

/**
 * Removes the texts of some paths and everything derived from them; the table's policy allows only the person's texts.
 */
async function removePaths(sql: SqlSession, project: string, paths: readonly string[]): Promise<Withdrawn> {
  const none = { documents: 0, chunks: 0, postings: 0, vectors: 0, texts: 0 }
  if (paths.length === 0) return none
  const texts = await sql.query<{ path: string }>(
    `DELETE FROM ken.shared_texts WHERE project = $1 AND path = ANY(${listOf(2, 'text')}) RETURNING path`,
    [project, jsonText(paths)],
  )
  if (texts.length === 0) return none
  const found = await sql.query<{ id: number; vectors: number }>(INDEXED, [
    project,
    jsonText(texts.map(({ path }) => path)),
  ])
  const { generation } = await beginChange(sql, project)
  const gone = await removeDocuments(sql, { project, generation, ids: found.map(({ id }) => id) })
  await joinSegments(sql, project, generation)
  await endChange(sql, project, {
    documents: -gone.documents,
    chunks: -gone.chunks,
    length: -gone.length,
    postings: -gone.postings,
    newChunks: 0,
  })
  const { documents, chunks, postings } = gone
  const vectors = found.reduce((all, one) => all + one.vectors, 0)
  return { documents, chunks, postings, vectors, texts: texts.length }
}

const INDEXED = `
  SELECT d.id, (
    SELECT count(*)::int FROM ken.index_vectors v
    WHERE v.project = $1 AND v.chunk >= d.first_chunk AND v.chunk < d.end_chunk
  ) AS vectors
  FROM ken.index_documents d
  WHERE d.project = $1 AND d.collection IN ('memory', 'sessions') AND d.path = ANY(${listOf(2, 'text')})`

async function holds(
  sql: SqlSession,
  project: string,
  scope: SearchScope,
): Promise<{ documents: number; tags: readonly string[] }> {
  const values: SqlValue[] = [project]
  const inScope = scopePredicate(scope, values)
  const [found] = await sql.query<{ documents: number; tags: readonly string[] }>(
    `WITH held AS (SELECT d.tags FROM ken.index_documents d WHERE d.project = $1${inScope})
     SELECT (SELECT count(*)::int FROM held) AS documents, (
       SELECT coalesce(json_agg(tag ORDER BY tag COLLATE "C"), '[]')
       FROM (SELECT DISTINCT tag FROM held, jsonb_array_elements_text(tags) AS tag LIMIT ${MOST_TAGS}) AS t
     ) AS tags`,
    values,
  )
  return found!
}

const MOST_TAGS = 1_000

const sum = (a: Withdrawn, b: Withdrawn): Withdrawn => ({
  documents: a.documents + b.documents,
  chunks: a.chunks + b.chunks,
  postings: a.postings + b.postings,
  vectors: a.vectors + b.vectors,
  texts: a.texts + b.texts,
})
