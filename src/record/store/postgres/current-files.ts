import { AppError } from '../../../kernel/domain/errors.ts'
import type { SqlDatabase } from '../../../kernel/ports/sql-database.ts'
import { inListOrder, isListedFile, readablePath, recordText } from '../../domain/record-path.ts'

/** The current texts of files; missing files are left out. */
export async function currentTexts(
  database: SqlDatabase,
  project: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const texts = await heldTexts(database, project, paths)
  return new Map([...texts].flatMap(([path, text]) => (text === null ? [] : [[path, recordText(text)] as const])))
}

/** Texts by path; null if the text is lost. */
async function heldTexts(
  database: SqlDatabase,
  project: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const rows = await database.transaction(
    { project },
    (sql) =>
      sql.query<{ path: string; text: string | null }>(
        `SELECT f.path, t.text FROM ken.record_files f
         LEFT JOIN ken.record_texts t ON t.project = f.project AND t.sha256 = f.sha256
       WHERE f.project = $1 AND f.until IS NULL AND f.sha256 IS NOT NULL
         AND f.path IN (SELECT jsonb_array_elements_text($2::text::jsonb))`,
        [project, JSON.stringify(paths)],
      ),
    { readOnly: true },
  )
  return new Map(rows.map(({ path, text }) => [path, text]))
}

/** Reads single files; those requested in one event-loop turn are batched into one statement. */
export function openReader(database: SqlDatabase, project: string): (path: string) => Promise<string | undefined> {
  let turn: { readonly paths: Set<string>; readonly texts: Promise<ReadonlyMap<string, string | null>> } | undefined
  const begin = () => {
    const paths = new Set<string>()
    const texts = new Promise<void>((go) => setImmediate(go)).then(() => {
      turn = undefined
      return heldTexts(database, project, [...paths])
    })
    return { paths, texts }
  }
  return async (path) => {
    const wanted = readablePath(path)
    turn ??= begin()
    turn.paths.add(wanted)
    const text = (await turn.texts).get(wanted)
    if (text === null)
      throw new AppError('damaged', `The text of ${path} is missing from the database`, {
        hint: 'Restore the database from a backup, or the file from a snapshot.',
      })
    return text === undefined ? undefined : recordText(text)
  }
}

export async function listFiles(database: SqlDatabase, project: string): Promise<string[]> {
  const rows = await database.transaction(
    { project },
    (sql) =>
      sql.query<{ path: string }>(
        'SELECT path FROM ken.record_files WHERE project = $1 AND until IS NULL AND sha256 IS NOT NULL',
        [project],
      ),
    { readOnly: true },
  )
  return inListOrder(rows.map(({ path }) => path)).filter(isListedFile)
}
