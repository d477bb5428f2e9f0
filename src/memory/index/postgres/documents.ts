import { createHash } from 'node:crypto'
import type { SqlSession, SqlValue } from '../../../kernel/ports/sql-database.ts'
import type { DocumentFacts } from '../../../retrieval/domain/ranking/indexed-document.ts'
import type { SearchIndex, StoredDocument } from '../../ports/search-index.ts'

/** Id of a document: the same in every index ever made, and small enough for an exact number (48 bits). */
export const documentId = ({ collection, path, entry }: Pick<DocumentFacts, 'collection' | 'path' | 'entry'>): number =>
  createHash('sha256')
    .update([collection, path, ...(entry === undefined ? [] : [entry])].join('\0'))
    .digest()
    .readUIntBE(0, 6)

export const DOCUMENT =
  'd.id, d.first_chunk, d.modified, d.size, d.mtime, d.collection, d.path, d.entry, d.title, d.origin, d.trust, d.workspace, d.record, d.laid_as, d.laid_by, d.hash, d.tags'

export interface DocumentRow {
  readonly id: number
  readonly first_chunk: number
  readonly modified: number
  readonly size: number
  readonly mtime: number
  readonly collection: string
  readonly path: string
  readonly entry: string | null
  readonly title: string
  readonly origin: StoredDocument['origin']
  readonly trust: StoredDocument['trust']
  readonly workspace: string
  readonly record: string | null
  readonly laid_as: string | null
  readonly laid_by: string | null
  readonly hash: string
  readonly tags: readonly string[]
}

export function toDocument(row: DocumentRow): StoredDocument {
  const { id, modified, size, mtime, collection, path, title, origin, trust, workspace, hash, tags } = row
  return {
    id,
    key: id.toString(16).padStart(12, '0'),
    collection,
    path,
    title,
    origin,
    trust,
    workspace,
    modified,
    size,
    mtime,
    hash,
    tags,
    project: row.record ?? undefined,
    superseded: row.laid_as === null ? undefined : { as: row.laid_as, by: row.laid_by ?? undefined },
    entry: row.entry ?? undefined,
  }
}

export async function listDocuments(
  sql: SqlSession,
  project: string,
  { collection, path, key, where = () => true }: Parameters<SearchIndex['documents']>[0],
): Promise<readonly StoredDocument[]> {
  const values: SqlValue[] = [project]
  const is = (column: string, value: SqlValue | undefined, type = 'text') =>
    value === undefined ? '' : ` AND ${column} = $${values.push(value)}::${type}`
  const narrowed = [
    is('d.collection', collection),
    is('d.path', path),
    path === undefined ? '' : ' AND d.entry IS NULL',
    is('d.id', key === undefined ? undefined : idOf(key), 'bigint'),
  ]
  const rows = await sql.query<DocumentRow>(
    `SELECT ${DOCUMENT} FROM ken.index_documents d WHERE d.project = $1${narrowed.join('')}`,
    values,
  )
  return rows
    .map(toDocument)
    .filter(where)
    .sort(
      (a, b) => compare(a.path, b.path) || compare(a.collection, b.collection) || compare(a.entry ?? '', b.entry ?? ''),
    )
}

/** Returns -1, which no document has, for an invalid key. */
const idOf = (key: string): number => (/^[0-9a-f]{12}$/.test(key) ? parseInt(key, 16) : -1)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
