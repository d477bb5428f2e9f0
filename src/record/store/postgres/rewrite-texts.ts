import { AppError } from '../../../kernel/domain/errors.ts'
import type { SqlSession } from '../../../kernel/ports/sql-database.ts'
import type { Rewriting } from '../../ports/store.ts'
import { sha256 } from '../record-text.ts'
import { pagesOf, type Place, type TextKey, textKeys, textsAt, textsOf } from './read-through.ts'

/** A text of a file that is changed or renamed. Only its key is kept: all texts of a history do not fit in memory. */
export interface Moved extends TextKey {
  readonly to: string
  readonly hash: string
}

/** New texts that were written before the lock was taken. No file has them until the rewrite is committed. */
export interface Prepared {
  readonly moved: readonly Moved[]
  /** Texts that were looked at. */
  readonly seen: ReadonlySet<string>
}

type Changes = Pick<Rewriting, 'change' | 'rename'>

const nameOf = ({ sha256: hash, path }: TextKey): string => `${hash} ${path}`

/** Makes and writes the new texts of a record while others may change it: a long history takes minutes. */
export async function prepareTexts(place: Place, changes: Changes): Promise<Prepared> {
  const keys = await textKeys(place)
  const moved: Moved[] = []
  for (const page of pagesOf(keys)) {
    const made = await movedAt(place, page, changes)
    await place.database.transaction({ project: place.project }, (sql) => landTexts(sql, place.project, made, changes))
    moved.push(...made)
  }
  return { moved, seen: new Set(keys.map(nameOf)) }
}

/** All moved texts under the lock: those prepared and still there, and those of changes since. */
export async function movedTexts(place: Place, changes: Changes, { moved, seen }: Prepared): Promise<Moved[]> {
  const keys = await textKeys(place)
  const present = new Set(keys.map(nameOf))
  const own = new Set(moved.map(({ hash }) => hash))
  const since = keys.filter((key) => !seen.has(nameOf(key)) && !(key.path === '' && own.has(key.sha256)))
  return [...moved.filter((one) => present.has(nameOf(one))), ...(await movedAt(place, since, changes))]
}

async function movedAt(place: Place, keys: readonly TextKey[], { change, rename }: Changes): Promise<Moved[]> {
  const moved: Moved[] = []
  for await (const { text, ...key } of textsAt(place, keys)) {
    const [next, to] = [await change(text, key.path), key.path === '' ? '' : rename(key.path)]
    if (next !== text || to !== key.path) moved.push({ ...key, to, hash: sha256(next) })
  }
  return moved
}

/** Writes the new texts that are not there. A text without a file gets no new one. */
export async function landTexts(
  sql: SqlSession,
  project: string,
  moved: readonly Moved[],
  { change }: Pick<Changes, 'change'>,
): Promise<void> {
  const wanted = moved.filter(({ to }) => to !== '')
  const there = await sql.query<{ sha256: string }>(
    `SELECT sha256 FROM ken.record_texts
     WHERE project = $1 AND sha256 IN (SELECT jsonb_array_elements_text($2::text::jsonb))`,
    [project, JSON.stringify(wanted.map(({ hash }) => hash))],
  )
  const known = new Set(there.map(({ sha256: hash }) => hash))
  for (const page of pagesOf(wanted.filter(({ hash }) => !known.has(hash)))) {
    const texts = new Map<string, string>()
    for (const { path, hash, text } of await textsOf(sql, project, page)) {
      const next = await change(text, path)
      if (sha256(next) !== hash)
        throw new AppError('conflict', 'The record was changed while its texts were rewritten.', {
          hint: 'Nothing was changed. Try again.',
        })
      texts.set(hash, next)
    }
    await sql.query(
      `INSERT INTO ken.record_texts (project, sha256, text)
       SELECT $1, hash, text FROM jsonb_to_recordset($2::text::jsonb) AS t(hash text, text text) ON CONFLICT DO NOTHING`,
      [project, JSON.stringify([...texts].map(([hash, text]) => ({ hash, text })))],
    )
  }
}

/** Deletes texts that no file has. Waits for a commit whose connection, and so its lock, was lost. */
export async function dropStrays(sql: SqlSession, project: string): Promise<void> {
  await sql.query('SELECT FROM ken.records WHERE project = $1 FOR UPDATE', [project])
  await sql.query(
    `DELETE FROM ken.record_texts t WHERE project = $1 AND NOT EXISTS (
       SELECT FROM ken.record_files f WHERE f.project = $1 AND f.sha256 = t.sha256)`,
    [project],
  )
}
