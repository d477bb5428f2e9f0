import { createHash } from 'node:crypto'
import type { SqlDatabase } from '../../src/kernel/ports/sql-database.ts'

let planted = 0
const RUN = Date.now().toString(36).toUpperCase().padStart(10, '0')

/** Creates a project with these record files, which its journal does not contain. */
export async function plantRecord(
  database: SqlDatabase,
  files: Readonly<Record<string, string>> = {},
): Promise<{ id: string; name: string; mode: 'cloud'; location: string }> {
  const id = `01${RUN}${String(++planted).padStart(14, '0')}`
  const rows = Object.entries(files).map(([path, text]) => ({
    path,
    text,
    sha256: createHash('sha256').update(text).digest('hex'),
  }))
  await database.transaction('server', async (sql) => {
    await sql.query(`INSERT INTO ken.organisations VALUES ('planted', 'Planted', now()) ON CONFLICT DO NOTHING`)
    await sql.query(`INSERT INTO ken.projects VALUES ($1, 'planted', 'contract', now())`, [id])
    if (rows.length === 0) return
    await sql.query('INSERT INTO ken.records (project, revision) VALUES ($1, 1)', [id])
    await sql.query(
      `INSERT INTO ken.record_texts (project, sha256, text) SELECT DISTINCT $1, sha256, text
       FROM jsonb_to_recordset($2::text::jsonb) AS f(sha256 text, text text)`,
      [id, JSON.stringify(rows)],
    )
    await sql.query(
      `INSERT INTO ken.record_files (project, path, revision, sha256) SELECT $1, path, 1, sha256
       FROM jsonb_to_recordset($2::text::jsonb) AS f(path text, sha256 text)`,
      [id, JSON.stringify(rows)],
    )
  })
  return { id, name: 'contract', mode: 'cloud', location: 'a test' }
}
