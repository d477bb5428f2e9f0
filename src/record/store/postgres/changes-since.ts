import type { SqlDatabase, SqlStatement } from '../../../kernel/ports/sql-database.ts'
import { HEAD_JSON, NO_RECORD, type RecordHead } from './record-head.ts'

export interface RevisionNow {
  readonly revision: number
  readonly rewritten: number
}

/** The position up to which a reader has read. */
export interface ReadSoFar extends RevisionNow {
  /** Position of the last journal line. */
  readonly place: number
  /** Path of the last file of this pass. */
  readonly path: string
}

export interface RecordChanges {
  readonly head: RecordHead
  /**
   * Current state of files that changed since the last read, except those for which `isApart` is true; without text if
   * they are deleted or their text is lost.
   */
  readonly files: readonly { readonly path: string; readonly sha256: string | null; readonly text: string | null }[]
  readonly lines: readonly { readonly place: number; readonly line: string }[]
  /** True if `files` contains all changed files. */
  readonly isWhole: boolean
}

const APART = 'context/'

/** Files of a context may be large and many, and a record does not read them. */
export const isApart = (path: string): boolean => path.startsWith(APART)

// Ten megabytes of typical decisions.
const PAGE = 2_000

/**
 * Changes since the last read, in one statement and therefore from one moment; everything if the past was rewritten.
 * Undefined if nothing changed: most reads end there, after reading one row.
 */
export async function changesSince(
  database: SqlDatabase,
  project: string,
  known: ReadSoFar,
): Promise<RecordChanges | undefined> {
  const rows = await database.transaction(
    { project },
    async (sql) => {
      const { text, values } = revisionNow(project)
      const [now] = await sql.query<RevisionNow>(text, values)
      if (now?.revision === known.revision && now.rewritten === known.rewritten) return undefined
      const since = now?.rewritten === known.rewritten ? known : { revision: -1, place: 0, path: '' }
      return sql.query<ChangeRow>(STATEMENT, [
        project,
        since.revision,
        since.place,
        since.path,
        PAGE,
        now?.rewritten ?? 0,
      ])
    },
    { readOnly: true },
  )
  if (rows === undefined) return undefined
  const files = rows.flatMap(({ kind, name, hash, text }) =>
    kind === 'file' ? [{ path: name!, sha256: hash, text }] : [],
  )
  const lines = rows.flatMap(({ kind, place, text }) => (kind === 'line' ? [{ place: place!, line: text! }] : []))
  const head = rows.find(({ kind }) => kind === 'head')?.text
  // The past was rewritten between the two statements.
  if (head === 'rewritten') return changesSince(database, project, known)
  return {
    head: typeof head === 'string' ? (JSON.parse(head) as RecordHead) : NO_RECORD,
    files,
    lines,
    isWhole: files.length < PAGE && lines.length < PAGE,
  }
}

/** One row, or none if the project has no record yet. */
export const revisionNow = (project: string): Required<SqlStatement> => ({
  text: 'SELECT revision, rewritten FROM ken.records WHERE project = $1',
  values: [project],
})

interface ChangeRow {
  readonly kind: 'head' | 'file' | 'line'
  readonly name: string | null
  readonly hash: string | null
  readonly text: string | null
  readonly place: number | null
}

// Bounds are parameters rather than joined in, so that the index scan starts at them.
const STATEMENT = `
  WITH r AS (SELECT * FROM ken.records WHERE project = $1),
  f AS (
    SELECT path, sha256 FROM ken.record_files
    WHERE project = $1 AND until IS NULL AND revision > $2 AND path NOT LIKE '${APART}%' AND path > $4
    ORDER BY path LIMIT $5
  )
  SELECT 'head' AS kind, NULL AS name, NULL AS hash,
    CASE WHEN r.rewritten = $6 THEN ${HEAD_JSON}::text ELSE 'rewritten' END AS text, NULL::bigint AS place FROM r
  UNION ALL
  (SELECT 'file', f.path, f.sha256, t.text, NULL FROM f
    LEFT JOIN ken.record_texts t ON t.project = $1 AND t.sha256 = f.sha256 ORDER BY f.path)
  UNION ALL
  (SELECT 'line', NULL, NULL, line, place FROM ken.record_events
    WHERE project = $1 AND place > $3 ORDER BY place LIMIT $5)`
