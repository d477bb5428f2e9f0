import type { SqlDatabase } from '../../../ports/sql-database.ts'
import { HEAD_JSON, NO_RECORD, type RecordHead } from './record-head.ts'

/** How far a reader has come. */
export interface ReadSoFar {
  readonly revision: number
  readonly rewritten: number
  /** Of the last journal line. */
  readonly place: number
  /** Of the last file of this pass. */
  readonly path: string
}

export interface RecordChanges {
  readonly head: RecordHead
  /** Decisions as they are now that changed since; without text where they are gone, or their text is lost. */
  readonly files: readonly { readonly path: string; readonly sha256: string | null; readonly text: string | null }[]
  readonly lines: readonly { readonly place: number; readonly line: string }[]
  /** Whether that was all of them. */
  readonly isWhole: boolean
}

// Ten megabytes of usual decisions.
const PAGE = 2_000

/** What changed since, in one statement and therefore of one moment; all of it after the past was written anew. */
export async function changesSince(
  database: SqlDatabase,
  project: string,
  known: ReadSoFar,
  page = PAGE,
): Promise<RecordChanges> {
  const rows = await database.transaction({ project }, (sql) =>
    sql.query<ChangeRow>(STATEMENT, [project, known.rewritten, known.revision, known.place, known.path, page]),
  )
  const files = rows.flatMap(({ kind, name, hash, text }) =>
    kind === 'file' ? [{ path: name!, sha256: hash, text }] : [],
  )
  const lines = rows.flatMap(({ kind, place, text }) => (kind === 'line' ? [{ place: place!, line: text! }] : []))
  const head = rows.find(({ kind }) => kind === 'head')?.text
  return {
    head: head === undefined || head === null ? NO_RECORD : (JSON.parse(head) as RecordHead),
    files,
    lines,
    isWhole: files.length < page && lines.length < page,
  }
}

interface ChangeRow {
  readonly kind: 'head' | 'file' | 'line'
  readonly name: string | null
  readonly hash: string | null
  readonly text: string | null
  readonly place: number | null
}

const STATEMENT = `
  WITH r AS (SELECT * FROM ken.records WHERE project = $1),
  since AS (
    SELECT CASE WHEN rewritten = $2 THEN $3::bigint ELSE -1 END AS revision,
      CASE WHEN rewritten = $2 THEN $4::bigint ELSE 0 END AS place,
      CASE WHEN rewritten = $2 THEN $5::text ELSE '' END AS path
    FROM r
  ),
  f AS (
    SELECT f.path, f.sha256 FROM since, ken.record_files f
    WHERE f.project = $1 AND f.until IS NULL AND f.revision > since.revision AND f.path LIKE 'decisions/%' AND f.path > since.path
    ORDER BY f.path LIMIT $6
  )
  SELECT 'head' AS kind, NULL AS name, NULL AS hash, ${HEAD_JSON}::text AS text, NULL::bigint AS place FROM r
  UNION ALL
  (SELECT 'file', f.path, f.sha256, t.text, NULL FROM f
    LEFT JOIN ken.record_texts t ON t.project = $1 AND t.sha256 = f.sha256 ORDER BY f.path)
  UNION ALL
  (SELECT 'line', NULL, NULL, e.line, e.place FROM since, ken.record_events e
    WHERE e.project = $1 AND e.place > since.place ORDER BY e.place LIMIT $6)`
