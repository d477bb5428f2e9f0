import type { SqlDatabase } from '../../../kernel/ports/sql-database.ts'
import { lastState } from '../../domain/journal/compare-with-journal.ts'
import { isSnapshotFile, recordText } from '../../domain/record-path.ts'
import { snapshotName } from '../../domain/snapshot/snapshot.ts'
import type { KeptText } from '../../ports/store.ts'
import { sha256 } from '../record-text.ts'
import { readEvents } from './journal-rows.ts'

interface Place {
  readonly database: SqlDatabase
  readonly project: string
}

/** The last journalled text of a file, if one of its states still has exactly that text. */
export async function lastKnownText({ database, project }: Place, path: string): Promise<KeptText | undefined> {
  const wanted = lastState(await readEvents(database, project), path)
  if (typeof wanted !== 'string') return undefined
  const [row] = await database.transaction({ project }, (sql) =>
    sql.query<{ text: string; revision: number; version: number | null }>(
      `SELECT t.text, f.revision, (
         SELECT max(s.version) FROM ken.record_snapshots s
         WHERE s.project = $1 AND s.revision >= f.revision AND (f.until IS NULL OR s.revision < f.until)
       ) AS version
       FROM ken.record_files f JOIN ken.record_texts t ON t.project = f.project AND t.sha256 = f.sha256
       WHERE f.project = $1 AND f.path = $2 AND f.sha256 = $3
       ORDER BY f.revision DESC LIMIT 1`,
      [project, path, wanted],
    ),
  )
  if (row === undefined || sha256(row.text) !== wanted) return undefined
  const isCaptured = row.version !== null && isSnapshotFile(path)
  return {
    text: recordText(row.text),
    holder: isCaptured ? `snapshot ${snapshotName(row.version!)}` : `revision ${row.revision}`,
  }
}

export async function newestSnapshotWith({ database, project }: Place, path: string): Promise<number | undefined> {
  if (!isSnapshotFile(path)) return undefined
  const [row] = await database.transaction({ project }, (sql) =>
    sql.query<{ version: number | null }>(
      `SELECT max(s.version) AS version FROM ken.record_snapshots s JOIN ken.record_files f
         ON f.project = s.project AND f.path = $2 AND f.sha256 IS NOT NULL
         AND f.revision <= s.revision AND (f.until IS NULL OR f.until > s.revision)
       WHERE s.project = $1`,
      [project, path],
    ),
  )
  return row?.version ?? undefined
}

/** Past texts of files, each by its exact hash. Every state is kept until a rewrite removes it. */
export async function pastTexts(
  { database, project }: Place,
  wanted: ReadonlyMap<string, string>,
): Promise<Map<string, string>> {
  const rows = await database.transaction({ project }, (sql) =>
    sql.query<{ path: string; text: string }>(
      `SELECT DISTINCT ON (w.path) w.path, t.text
       FROM jsonb_to_recordset($2::text::jsonb) AS w(path text, sha256 text)
         JOIN ken.record_files f ON f.project = $1 AND f.path = w.path AND f.sha256 = w.sha256
         JOIN ken.record_texts t ON t.project = $1 AND t.sha256 = w.sha256
       ORDER BY w.path`,
      [project, JSON.stringify([...wanted].map(([path, hash]) => ({ path, sha256: hash })))],
    ),
  )
  return new Map(
    rows
      .filter(({ path, text }) => sha256(text) === wanted.get(path))
      .map(({ path, text }) => [path, recordText(text)]),
  )
}
