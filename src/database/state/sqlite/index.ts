import type { DatabaseSync } from 'node:sqlite'
import { inTransaction } from '../../../kernel/system/sqlite-statements.ts'
import type { Tombstone } from '../../../memory/domain/upkeep/session-retention.ts'
import type { State } from '../../../memory/ports/state.ts'
import { Damaged, inWords, openStateDatabase } from './database.ts'

/** Harvest cursors and tombstones of sessions, in `state.db`. */
export function openSqliteState(path: string): State {
  const database = openStateDatabase(path, mustBeWhole)
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

/**
 * Verifies a few tables completely: a lost or changed tombstone would bring back a forgotten session. Never the chats,
 * which may be hundreds of megabytes.
 */
function mustBeWhole(database: DatabaseSync): void {
  for (const table of ['sqlite_schema', 'harvest', 'tombstone', 'whole', 'fact']) {
    const found = Object.values(database.prepare(`PRAGMA integrity_check(${table})`).get() ?? {})[0]
    if (found !== 'ok') throw new Damaged(String(found))
  }
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
