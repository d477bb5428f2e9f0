import { AppError } from '../../../kernel/domain/errors.ts'
import type { SqlSession } from '../../../kernel/ports/sql-database.ts'
import type { Rewriting } from '../../ports/store.ts'
import { sha256 } from '../record-text.ts'
import { pagesOf, type Place, type TextKey, textKeys, textsOf } from './read-through.ts'

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
  return { moved: await writeTexts(place, keys, changes), seen: new Set(keys.map(nameOf)) }
}

/** All moved texts under the lock: those prepared and still there, and those of changes since. */
export async function movedTexts(place: Place, changes: Changes, { moved, seen }: Prepared): Promise<Moved[]> {
  const keys = await textKeys(place)
  const present = new Set(keys.map(nameOf))
  const own = new Set(moved.map(({ hash }) => hash))
  const since = keys.filter((key) => !seen.has(nameOf(key)) && !(key.path === '' && own.has(key.sha256)))
  return [...moved.filter((one) => present.has(nameOf(one))), ...(await writeTexts(place, since, changes))]
}

/** Writes the new texts of the given ones. A text without a file gets no new one. */
async function writeTexts(
  { database, project }: Place,
  keys: readonly TextKey[],
  { change, rename }: Changes,
): Promise<Moved[]> {
  const moved: Moved[] = []
  for (const page of pagesOf(keys)) {
    const made = await database.transaction({ project }, async (sql) => {
      const [found, texts]: [Moved[], Map<string, string>] = [[], new Map()]
      for (const { text, ...key } of await textsOf(sql, project, page)) {
        const [next, to] = [await change(text, key.path), key.path === '' ? '' : rename(key.path)]
        if (next === text && to === key.path) continue
        const hash = sha256(next)
        found.push({ ...key, to, hash })
        if (to !== '') texts.set(hash, next)
      }
      await sql.query(
        `INSERT INTO ken.record_texts (project, sha256, text)
         SELECT $1, hash, text FROM jsonb_to_recordset($2::text::jsonb) AS t(hash text, text text) ON CONFLICT DO NOTHING`,
        [project, JSON.stringify([...texts].map(([hash, text]) => ({ hash, text })))],
      )
      return found
    })
    moved.push(...made)
  }
  return moved
}

/** Throws if a new text is gone: another rewrite dropped it after this one had lost its lock. */
export async function refuseMissing(sql: SqlSession, project: string, moved: readonly Moved[]): Promise<void> {
  const wanted = new Set(moved.filter(({ to }) => to !== '').map(({ hash }) => hash))
  const [found] = await sql.query<{ count: number }>(
    `SELECT count(*) AS count FROM ken.record_texts
     WHERE project = $1 AND sha256 IN (SELECT jsonb_array_elements_text($2::text::jsonb))`,
    [project, JSON.stringify([...wanted])],
  )
  if (Number(found!.count) !== wanted.size)
    throw new AppError('conflict', 'The record was changed while its texts were rewritten.', {
      hint: 'Nothing was changed. Try again.',
    })
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
