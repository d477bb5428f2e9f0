import { AppError } from '../../kernel/domain/errors.ts'
import { formatRepositoryConfig } from '../../kernel/domain/project/config.ts'
import type { SqlDatabase, SqlSession, SqlValue } from '../../kernel/ports/sql-database.ts'
import type { ExportedFile } from '../ports/data-export.ts'

const FILES_AT_ONCE = 20
const LINES_AT_ONCE = 500

interface Head {
  readonly name: string
  readonly revision: number
  readonly rewritten: number
  readonly journal_bytes: number
}

/** The record of a project at one revision, in a folder structured as by `ken init --in-repo`. */
export async function* recordFiles(database: SqlDatabase, project: string): AsyncGenerator<ExportedFile> {
  const ask = <Row extends object>(text: string, values: readonly SqlValue[]): Promise<readonly Row[]> =>
    database.transaction({ project }, (sql: SqlSession) => sql.query<Row>(text, values), { readOnly: true })
  const [head] = await database.transaction('server', (sql) => sql.query<Head>(HEAD, [project]), { readOnly: true })
  if (head === undefined) return
  const { name, revision, rewritten, journal_bytes: size } = head
  yield textFile('.ken/config.json', formatRepositoryConfig({ mode: 'repo', id: project, name, schema_version: 1 }))
  for (let after = ''; ;) {
    const rows = await ask<{ path: string; text: string | null }>(FILES, [project, revision, after])
    for (const { path, text } of rows) {
      if (text === null) throw new AppError('damaged', `The text of ${path} is missing from the database`)
      if (path !== JOURNAL) yield textFile(`.ken/record/${path}`, text)
    }
    if (rows.length < FILES_AT_ONCE) break
    after = rows.at(-1)!.path
  }
  if (size > 0) yield { path: `.ken/record/${JOURNAL}`, size, bytes: journal(ask, project, revision) }
  const [now] = await database.transaction('server', (sql) => sql.query<Head>(HEAD, [project]), { readOnly: true })
  if (now?.rewritten !== rewritten)
    throw new AppError('conflict', 'The record’s history was rewritten during the export.', {
      hint: 'Export it again.',
    })
}

const JOURNAL = 'journal/events.jsonl'

async function* journal(
  ask: <Row extends object>(text: string, values: readonly SqlValue[]) => Promise<readonly Row[]>,
  project: string,
  revision: number,
): AsyncGenerator<Uint8Array> {
  for (let after = -1; ;) {
    const lines = await ask<{ place: number; line: string }>(LINES, [project, revision, after])
    if (lines.length > 0) yield new TextEncoder().encode(lines.map(({ line }) => `${line}\n`).join(''))
    if (lines.length < LINES_AT_ONCE) return
    after = lines.at(-1)!.place
  }
}

const HEAD = `
  SELECT p.name, r.revision, r.rewritten, (
    SELECT coalesce(sum(octet_length(e.line) + 1), 0)::bigint FROM ken.record_events e
    WHERE e.project = r.project AND e.revision <= r.revision
  ) AS journal_bytes
  FROM ken.records r JOIN ken.projects p ON p.id = r.project WHERE r.project = $1`

const FILES = `
  SELECT f.path, t.text FROM ken.record_files f
    LEFT JOIN ken.record_texts t ON t.project = f.project AND t.sha256 = f.sha256
  WHERE f.project = $1 AND f.revision <= $2 AND (f.until IS NULL OR f.until > $2) AND f.sha256 IS NOT NULL
    AND f.path > $3 COLLATE "C"
  ORDER BY f.path COLLATE "C" LIMIT ${FILES_AT_ONCE}`

const LINES = `
  SELECT place, line FROM ken.record_events WHERE project = $1 AND revision <= $2 AND place > $3
  ORDER BY place LIMIT ${LINES_AT_ONCE}`

/** A whole text as a file. */
export function textFile(path: string, text: string): ExportedFile {
  const bytes = Buffer.from(text)
  return { path, size: bytes.length, bytes: [bytes] }
}
