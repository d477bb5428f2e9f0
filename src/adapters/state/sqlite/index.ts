import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { diskFailure, sqliteCode } from '../../../core/disk-failure.ts'
import { AppError } from '../../../core/errors.ts'
import type { Tombstone } from '../../../core/upkeep/session-retention.ts'
import type { State } from '../../../ports/state.ts'
import { sealOf } from '../../row-seal.ts'
import { inTransaction } from '../../sqlite-statements.ts'
import { migrate } from './schema.ts'

const PATIENCE = 15_000
// BUSY, LOCKED, READONLY, IOERR, FULL, CANTOPEN and their like are about the disk; every other code is about what the
// file holds.
const AROUND = new Set([3, 5, 6, 7, 8, 9, 10, 13, 14, 22])

/** `state.db`: the truth of what it holds, so every commit reaches the disk and a damaged file is never replaced. */
export function openSqliteState(path: string): State {
  const database = open(path)
  const [cursor, setCursor, tombstones, bury, raise, fact, setFact] = inWords(
    path,
    () =>
      [
        database.prepare('SELECT cursor FROM harvest WHERE client = ? AND root = ?'),
        database.prepare('INSERT INTO harvest VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET cursor = excluded.cursor'),
        database.prepare('SELECT client, session, why, ended, at FROM tombstone ORDER BY client, session'),
        database.prepare(
          `INSERT INTO tombstone VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET why = excluded.why, ended = excluded.ended, at = excluded.at
       WHERE why <> 'forgotten' OR excluded.why = 'forgotten'`,
        ),
        database.prepare("DELETE FROM tombstone WHERE client = ? AND session = ? AND why <> 'forgotten'"),
        database.prepare('SELECT value FROM fact WHERE name = ?'),
        database.prepare('INSERT INTO fact VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value'),
      ] as const,
  )
  return {
    cursor: async (client, root) => inWords(path, () => cursor.get(client, root)?.['cursor'] as string | undefined),
    async keepCursor(client, root, text) {
      inWords(path, () => setCursor.run(client, root, text))
    },
    tombstones: async () => inWords(path, () => tombstones.all().map((row) => ({ ...row })) as unknown as Tombstone[]),
    async bury(stones) {
      inWords(path, () => {
        inTransaction(database, 'BEGIN IMMEDIATE', () => {
          for (const { client, session, why, ended, at } of stones) bury.run(client, session, why, ended, at)
        })
      })
    },
    async raise(sessions) {
      inWords(path, () => {
        inTransaction(database, 'BEGIN IMMEDIATE', () => {
          for (const { client, session } of sessions) raise.run(client, session)
        })
      })
    },
    fact: async (name) => inWords(path, () => fact.get(name)?.['value'] as string | undefined),
    async keepFact(name, value) {
      inWords(path, () => setFact.run(name, value))
    },
    async close() {
      database.close()
    },
  }
}

function open(path: string): DatabaseSync {
  return inWords(path, () => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const database = new DatabaseSync(path, { timeout: PATIENCE })
    try {
      // Deleted rows are overwritten: what a cursor once named must not stay behind in the file.
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON')
      database.function('seal', { varargs: true, deterministic: true }, (...values) => sealOf(...values))
      migrate(database, path)
      mustBeWhole(database)
      return database
    } catch (error) {
      database.close()
      throw error
    }
  })
}

class Damaged extends Error {}

/** A few pages, read whole: a tombstone that is lost or changed would bring back what was forgotten. */
function mustBeWhole(database: DatabaseSync): void {
  const found = Object.values(database.prepare('PRAGMA integrity_check(1)').get() ?? {})[0]
  if (found !== 'ok') throw new Damaged(String(found))
  for (const [table, columns] of [
    ['harvest', 'client, root, cursor'],
    ['tombstone', 'client, session, why, ended, at'],
  ] as const) {
    const { sum, tally } = database
      .prepare(
        `SELECT (SELECT total(seal(${columns})) FROM ${table}) AS sum, (SELECT tally FROM whole WHERE name = '${table}') AS tally`,
      )
      .get()!
    if (sum !== tally) throw new Damaged(`${table} is not what was written`)
  }
}

/** Whatever the disk or the file refuses, said once and with the way out. */
function inWords<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const code = sqliteCode(error)
    if (error instanceof AppError) throw error
    if (error instanceof Damaged || (code !== undefined && !AROUND.has(code)) || isFolder(path))
      throw damaged(path, error)
    throw diskFailure(error, path) ?? error
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

const damaged = (path: string, cause: unknown): AppError =>
  new AppError(
    'damaged',
    `${path} is damaged. It holds how far each client's sessions were harvested, and which sessions were forgotten or evicted.`,
    {
      hint: "Restore it from a backup. Or move it away: sessions are then harvested again from the clients' logs, those that were forgotten too, so run `ken forget` for them again.",
      cause,
    },
  )
