import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { AppError } from '../../core/errors.ts'
import type { Tombstone } from '../../core/upkeep/tombstone.ts'
import type { State } from '../../ports/state.ts'
import { migrate } from './schema.ts'

const PATIENCE = 15_000
const NOT_A_DATABASE = 26
const CORRUPT = 11

/** `state.db`: the truth of what it holds, so every commit reaches the disk and a damaged file is never replaced. */
export function openSqliteState(path: string): State {
  const database = open(path)
  const cursor = database.prepare('SELECT cursor FROM harvest WHERE client = ? AND root = ?')
  const setCursor = database.prepare('INSERT INTO harvest VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET cursor = excluded.cursor')
  const tombstones = database.prepare('SELECT client, session, why, ended, at FROM tombstone ORDER BY client, session')
  const bury = database.prepare(
    `INSERT INTO tombstone VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET why = excluded.why, ended = excluded.ended, at = excluded.at
     WHERE why = 'evicted' OR excluded.why = 'forgotten'`,
  )
  return {
    cursor: async (client, root) => cursor.get(client, root)?.['cursor'] as string | undefined,
    async keepCursor(client, root, text) {
      setCursor.run(client, root, text)
    },
    tombstones: async () => tombstones.all().map((row) => ({ ...row })) as unknown as Tombstone[],
    async bury(stones) {
      database.exec('BEGIN IMMEDIATE')
      try {
        for (const { client, session, why, ended, at } of stones) bury.run(client, session, why, ended, at)
        database.exec('COMMIT')
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK')
        throw error
      }
    },
    async close() {
      database.close()
    },
  }
}

function open(path: string): DatabaseSync {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path, { timeout: PATIENCE })
    // Deleted rows are overwritten: what a cursor once named must not stay behind in the file.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON')
    migrate(database, path)
    return database
  } catch (error) {
    database?.close()
    const code = ((error as { errcode?: number }).errcode ?? 0) % 256
    if (code !== NOT_A_DATABASE && code !== CORRUPT) throw error
    throw new AppError('damaged', `${path} is not a readable database.`, {
      hint: 'Restore it from a backup, or move it away to start anew: sessions are then harvested again.',
      cause: error,
    })
  }
}
