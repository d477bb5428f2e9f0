import type { DatabaseSync } from 'node:sqlite'
import { AppError } from '../../../kernel/domain/errors.ts'
import { inTransaction } from '../../../kernel/system/sqlite-statements.ts'

/**
 * Never changed once released: a later schema adds to it. `place` is the insertion order; lists and objects are JSON.
 */
const ANALYST_TABLES = `
CREATE TABLE chat (
  place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user TEXT NOT NULL, project TEXT NOT NULL, folder TEXT NOT NULL,
  title TEXT NOT NULL, starred INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL, deleted_at TEXT,
  client_session TEXT, parts INTEGER NOT NULL DEFAULT 0);
CREATE INDEX chat_of_user ON chat (user, updated_at);
CREATE INDEX chat_deleted ON chat (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE chat_message (
  place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, chat TEXT NOT NULL, role TEXT NOT NULL, at TEXT NOT NULL,
  model TEXT, superseded INTEGER NOT NULL, ending TEXT);
CREATE INDEX message_of_chat ON chat_message (chat);
CREATE INDEX message_unended ON chat_message (at) WHERE ending IS NULL AND role = 'assistant';

CREATE TABLE chat_part (
  place INTEGER PRIMARY KEY, chat TEXT NOT NULL, number INTEGER NOT NULL, message TEXT NOT NULL, at TEXT NOT NULL,
  kind TEXT NOT NULL, body TEXT NOT NULL, text TEXT, UNIQUE (chat, number));
CREATE INDEX part_of_message ON chat_part (message);

CREATE TABLE chat_words (message TEXT NOT NULL UNIQUE, chat TEXT NOT NULL, folded TEXT NOT NULL);
CREATE INDEX words_of_chat ON chat_words (chat);

CREATE TABLE chat_query (
  place INTEGER PRIMARY KEY, chat TEXT NOT NULL, id TEXT NOT NULL, message TEXT NOT NULL, database TEXT NOT NULL,
  sql TEXT NOT NULL, columns TEXT NOT NULL, row_count INTEGER NOT NULL, cut INTEGER NOT NULL, at TEXT NOT NULL,
  rows TEXT NOT NULL, UNIQUE (chat, id));

CREATE TABLE model_call (
  place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user TEXT NOT NULL, project TEXT NOT NULL, chat TEXT,
  message TEXT, purpose TEXT NOT NULL, model TEXT NOT NULL, input INTEGER NOT NULL, output INTEGER NOT NULL,
  cached INTEGER NOT NULL, reasoning INTEGER NOT NULL, cost REAL, milliseconds REAL NOT NULL, failed INTEGER NOT NULL,
  at TEXT NOT NULL);
CREATE INDEX call_of_chat ON model_call (chat) WHERE chat IS NOT NULL;
CREATE INDEX call_of_user ON model_call (user, at);

CREATE TABLE story (
  place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user TEXT NOT NULL, project TEXT NOT NULL, folder TEXT NOT NULL,
  chat TEXT, slug TEXT NOT NULL, title TEXT NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
  archived_at TEXT, schedule TEXT, last_refresh TEXT, UNIQUE (project, slug));
CREATE TABLE story_version (
  story TEXT NOT NULL, version INTEGER NOT NULL, at TEXT NOT NULL, author TEXT NOT NULL, text TEXT NOT NULL,
  PRIMARY KEY (story, version));
CREATE TABLE story_data (
  story TEXT NOT NULL, query TEXT NOT NULL, database TEXT NOT NULL, sql TEXT NOT NULL, result TEXT NOT NULL,
  at TEXT NOT NULL, PRIMARY KEY (story, query));

CREATE TABLE user_memory (
  place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user TEXT NOT NULL, project TEXT, category TEXT NOT NULL,
  content TEXT NOT NULL, evidence TEXT NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
  superseded_by TEXT, forgotten_at TEXT);
CREATE INDEX memory_of_user ON user_memory (user, created_at);
CREATE TABLE memory_event (
  place INTEGER PRIMARY KEY, change INTEGER NOT NULL, user TEXT NOT NULL, kind TEXT NOT NULL, memory TEXT NOT NULL,
  before TEXT, after TEXT, at TEXT NOT NULL, undone INTEGER NOT NULL);
CREATE INDEX memory_event_of_user ON memory_event (user);

CREATE TABLE feedback (
  place INTEGER PRIMARY KEY, message TEXT NOT NULL UNIQUE, chat TEXT NOT NULL, user TEXT NOT NULL, vote TEXT NOT NULL,
  reason TEXT NOT NULL, at TEXT NOT NULL);
CREATE INDEX feedback_of_chat ON feedback (chat);
CREATE TABLE draft (
  place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user TEXT NOT NULL, project TEXT NOT NULL, folder TEXT NOT NULL,
  kind TEXT NOT NULL, title TEXT NOT NULL, body TEXT NOT NULL, source TEXT NOT NULL, siblings TEXT NOT NULL,
  at TEXT NOT NULL, settled TEXT);
CREATE INDEX draft_of_user ON draft (user, at);
`

/** Never changed once released: a later schema adds to it. Lists and objects are JSON. */
const TEST_RUN_TABLES = `
CREATE TABLE test_run (
  place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, user TEXT NOT NULL, project TEXT NOT NULL, folder TEXT NOT NULL,
  started_at TEXT NOT NULL, models TEXT NOT NULL, runs INTEGER NOT NULL, suite TEXT NOT NULL, planned INTEGER NOT NULL,
  commit_id TEXT, version TEXT NOT NULL, broken TEXT NOT NULL, ending TEXT);
CREATE INDEX test_run_of_project ON test_run (user, project, started_at);
CREATE TABLE test_attempt (
  place INTEGER PRIMARY KEY, run TEXT NOT NULL, test TEXT NOT NULL, model TEXT NOT NULL, attempt INTEGER NOT NULL,
  facts TEXT NOT NULL, detail TEXT NOT NULL, UNIQUE (run, test, model, attempt));
`

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
  // The anchor is JSON.
  `CREATE TABLE story_comment (
     place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, story TEXT NOT NULL, thread TEXT NOT NULL,
     begun_at TEXT NOT NULL, user TEXT NOT NULL, at TEXT NOT NULL, kind TEXT NOT NULL, by_agent INTEGER NOT NULL,
     text TEXT NOT NULL, anchor TEXT);
   CREATE INDEX comment_of_story ON story_comment (story);`,
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
