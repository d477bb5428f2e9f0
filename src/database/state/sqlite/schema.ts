import type { DatabaseSync } from 'node:sqlite'
import { AppError } from '../../../kernel/domain/errors.ts'
import { inTransaction } from '../../../kernel/system/sqlite-statements.ts'
import { ANALYST_TABLES } from './analyst-tables.ts'
import { TEST_RUN_TABLES } from './test-run-tables.ts'

/** Each entry migrates a database by one version; entries are never changed once released, only added. */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE harvest (client TEXT NOT NULL, root TEXT NOT NULL, cursor TEXT NOT NULL, PRIMARY KEY (client, root)) WITHOUT ROWID;
   CREATE TABLE tombstone (client TEXT NOT NULL, session TEXT NOT NULL, why TEXT NOT NULL, ended TEXT NOT NULL, at TEXT NOT NULL, PRIMARY KEY (client, session)) WITHOUT ROWID;`,
  // Sum of the seals of all rows, kept by the database itself: a row changed or lost in any other way is detected.
  `CREATE TABLE whole (name TEXT PRIMARY KEY, tally INTEGER NOT NULL) WITHOUT ROWID;
   INSERT INTO whole SELECT 'harvest', total(seal(client, root, cursor)) FROM harvest;
   INSERT INTO whole SELECT 'tombstone', total(seal(client, session, why, ended, at)) FROM tombstone;
   ${keptWhole('harvest', ['client', 'root', 'cursor'])}
   ${keptWhole('tombstone', ['client', 'session', 'why', 'ended', 'at'])}`,
  // Earlier versions silently left out sessions over a default age limit: everything is read once more, and evicted
  // sessions may return, which a limit on size then evicts again.
  `CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
   UPDATE tombstone SET why = 'expired' WHERE why = 'evicted';
   UPDATE harvest SET cursor = json_set(cursor, '$.again', json('true')) WHERE json_valid(cursor);`,
  ANALYST_TABLES,
  TEST_RUN_TABLES,
  // The chat that a branch continues, as JSON.
  'ALTER TABLE chat ADD COLUMN origin TEXT;',
]

function keptWhole(table: string, columns: readonly string[]): string {
  const seal = (row: 'OLD' | 'NEW') => `seal(${columns.map((column) => `${row}.${column}`).join(', ')})`
  const trigger = (event: 'INSERT' | 'UPDATE' | 'DELETE', change: string) =>
    `CREATE TRIGGER ${table}_${event.toLowerCase()} AFTER ${event} ON ${table} BEGIN UPDATE whole SET tally = tally ${change} WHERE name = '${table}'; END;`
  return [
    trigger('INSERT', `+ ${seal('NEW')}`),
    trigger('UPDATE', `- ${seal('OLD')} + ${seal('NEW')}`),
    trigger('DELETE', `- ${seal('OLD')}`),
  ].join('\n')
}

/** Migrates the schema; several processes may try at once. */
export function migrate(database: DatabaseSync, path: string): void {
  if (versionOf(database) === MIGRATIONS.length) return
  inTransaction(database, 'BEGIN IMMEDIATE', () => {
    for (const step of MIGRATIONS.slice(mustBeKnown(database, path))) database.exec(step)
    database.exec(`PRAGMA user_version = ${MIGRATIONS.length}`)
  })
}

/** Returns the version; call before anything is changed, including the journal mode. */
export function mustBeKnown(database: DatabaseSync, path: string): number {
  const version = versionOf(database)
  if (version > MIGRATIONS.length) throw tooNew(path, version)
  return version
}

const versionOf = (database: DatabaseSync): number =>
  (database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version

const tooNew = (path: string, version: number): AppError =>
  new AppError(
    'unavailable',
    `${path} was written by a newer Ken (schema ${version}, this one knows ${MIGRATIONS.length}).`,
    { hint: 'Update Ken. The file was not changed.' },
  )
