import type { SqlDatabase, SqlSession } from '../../kernel/ports/sql-database.ts'
import type { ContextVersions } from '../ports/context-origins.ts'
import type { TreeFile } from '../ports/git-trees.ts'

/** Channel to which the transaction of every change of the active version sends the project. */
export const CONTEXT_NEWS = 'ken_context'

// Bytes of files per statement.
const PORTION = 4 * 1024 * 1024

export function openContextVersions(database: SqlDatabase): ContextVersions {
  return {
    async current(project) {
      const [row] = await database.transaction(
        { project },
        (sql) =>
          sql.query<{ version: string | null }>('SELECT version FROM ken.context_origins WHERE project = $1', [
            project,
          ]),
        { readOnly: true },
      )
      return row?.version ?? undefined
    },
    take: (project, id, { version, commit, at, left, files }) =>
      database.transaction({ project }, async (sql) => {
        // The row is locked until the end, so that concurrent callers are serialised.
        const [before] = await sql.query<{ version: string | null }>(
          'SELECT version FROM ken.context_origins WHERE project = $1 AND id = $2 FOR UPDATE',
          [project, id],
        )
        if (before === undefined) return false
        const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0)
        if (before.version !== version) await writeFiles(sql, { project, version, files })
        const kept = JSON.stringify([version, before.version ?? version])
        if (before.version !== version)
          await sql.query(
            `DELETE FROM ken.context_files WHERE project = $1
               AND version NOT IN (SELECT jsonb_array_elements_text($2::text::jsonb))`,
            [project, kept],
          )
        await sql.query(TAKEN, [project, version, commit, at, files.length, bytes, JSON.stringify(left)])
        await sql.query(`SELECT pg_notify('${CONTEXT_NEWS}', $1)`, [project])
        return true
      }),
    async *files(project, version) {
      const ask = <Row extends object>(text: string, values: readonly string[]) =>
        database.transaction({ project }, (sql) => sql.query<Row>(text, [project, version, ...values]), {
          readOnly: true,
        })
      const listed = await ask<{ path: string; size: number }>(LISTED, [])
      for (const portion of portions(listed, ({ size }) => size))
        yield await ask<TreeFile>(READ, [JSON.stringify(portion.map(({ path }) => path))])
    },
    listen: (heard) => database.listen(CONTEXT_NEWS, heard),
  }
}

const LISTED = `
  SELECT path, octet_length(bytes) AS size FROM ken.context_files WHERE project = $1 AND version = $2 ORDER BY path`

const READ = `
  SELECT path, bytes FROM ken.context_files
  WHERE project = $1 AND version = $2 AND path IN (SELECT jsonb_array_elements_text($3::text::jsonb)) ORDER BY path`

const TAKEN = `
  UPDATE ken.context_origins SET version = $2, taken_commit = $3, taken_at = $4, taken_files = $5, taken_bytes = $6,
    taken_left = $7::text::jsonb, looked_at = $4, looked_commit = $3, faults = '[]'
  WHERE project = $1`

async function writeFiles(
  sql: SqlSession,
  { project, version, files }: { project: string; version: string; files: readonly TreeFile[] },
): Promise<void> {
  for (const portion of portions(files, ({ bytes }) => bytes.length)) {
    const rows = portion.map(({ path, bytes }) => ({ path, bytes: Buffer.from(bytes).toString('base64') }))
    await sql.query(
      `INSERT INTO ken.context_files (project, version, path, bytes)
       SELECT $1, $2, new.path, decode(new.bytes, 'base64')
       FROM jsonb_to_recordset($3::text::jsonb) AS new(path text, bytes text) ON CONFLICT DO NOTHING`,
      [project, version, JSON.stringify(rows)],
    )
  }
}

/** Splits files into portions, in order, each within PORTION or a single file. */
function* portions<T>(all: readonly T[], sizeOf: (one: T) => number): Generator<readonly T[]> {
  let [portion, size]: [T[], number] = [[], 0]
  for (const one of all) {
    if (portion.length > 0 && size + sizeOf(one) > PORTION) {
      yield portion
      ;[portion, size] = [[], 0]
    }
    portion.push(one)
    size += sizeOf(one)
  }
  if (portion.length > 0) yield portion
}
