import type { SqlSession } from '../../../kernel/ports/sql-database.ts'
import { tokensOf } from '../../domain/snapshot/snapshot.ts'
import { sealed, type SnapshotRow } from './snapshot-rows.ts'

/**
 * After texts were rewritten: `renamed` are rows with other words; all are measured again. The pattern is that of
 * isSnapshotFile.
 */
export async function recountSnapshots(
  sql: SqlSession,
  project: string,
  renamed: readonly SnapshotRow[],
): Promise<void> {
  const rows = await sql.query<Omit<SnapshotRow, 'seal'> & { readonly points: number }>(
    `SELECT s.version, s.revision, s.at, s.trigger, s.detail, s.token_count, s.decisions, (
       SELECT coalesce(sum(t.points), 0)::bigint FROM ken.record_files f
         JOIN ken.record_texts t ON t.project = f.project AND t.sha256 = f.sha256
       WHERE f.project = $1 AND f.revision <= s.revision AND (f.until IS NULL OR f.until > s.revision)
         AND f.path ~ '^(decisions/)?[^./][^/]*\\.md$'
     ) AS points
     FROM ken.record_snapshots s WHERE s.project = $1`,
    [project],
  )
  const words = new Map(renamed.map((row) => [row.version, row]))
  const made = rows.map(({ points, ...row }) => {
    const { trigger, detail } = words.get(row.version) ?? row
    return sealed({ ...row, trigger, detail, token_count: tokensOf(points) })
  })
  await sql.query(
    `UPDATE ken.record_snapshots s SET trigger = m.trigger, detail = m.detail, token_count = m.token_count, seal = m.seal
     FROM jsonb_to_recordset($2::text::jsonb) AS m(version bigint, trigger text, detail text, token_count bigint, seal text)
     WHERE s.project = $1 AND s.version = m.version`,
    [project, JSON.stringify(made)],
  )
}
