import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { diskFailure } from '../../kernel/domain/disk-failure.ts'
import { useWriteAheadLog } from '../../kernel/system/write-ahead-log.ts'
import type { TeamCopy } from '../ports/team-copy.ts'

const PATIENCE = 5_000
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS revision (kind TEXT PRIMARY KEY, revision TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS agreed (path TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS outcome (only INTEGER PRIMARY KEY CHECK (only = 1), at TEXT NOT NULL, done_at TEXT, failure TEXT);
  CREATE TABLE IF NOT EXISTS coming (path TEXT PRIMARY KEY, text TEXT) WITHOUT ROWID;
`

/** One file beside a record's crash state; `path` is in this machine's folder for the record. */
export function openTeamCopy(path: string): TeamCopy {
  const database = opened(path)
  const revision = (kind: 'agreed' | 'coming'): string | undefined =>
    database.prepare('SELECT revision FROM revision WHERE kind = ?').get(kind)?.['revision'] as string | undefined

  function inOneStep(work: () => void): void {
    database.exec('BEGIN IMMEDIATE')
    try {
      work()
      database.exec('COMMIT')
    } catch (error) {
      database.exec('ROLLBACK')
      throw diskFailure(error, path) ?? error
    }
  }

  return {
    async state() {
      const known = revision('agreed')
      return known === undefined ? undefined : { revision: known }
    },
    async texts(paths) {
      const rows = database
        .prepare(
          'SELECT path, text FROM agreed WHERE ?1 IS NULL OR path IN (SELECT value FROM json_each(?1)) ORDER BY path',
        )
        .all(paths === undefined ? null : JSON.stringify(paths))
      return new Map(rows.map((row) => [row['path'] as string, row['text'] as string]))
    },
    async expect(next) {
      inOneStep(() => {
        database.exec('DELETE FROM coming')
        database.prepare("INSERT OR REPLACE INTO revision VALUES ('coming', ?)").run(next.revision)
        const insert = database.prepare('INSERT INTO coming VALUES (?, ?)')
        for (const [one, text] of next.texts) insert.run(one, text ?? null)
      })
    },
    expected: async () => revision('coming'),
    async agree() {
      inOneStep(() => {
        database.exec(`
          DELETE FROM agreed WHERE path IN (SELECT path FROM coming);
          INSERT INTO agreed SELECT path, text FROM coming WHERE text IS NOT NULL;
          INSERT OR REPLACE INTO revision SELECT 'agreed', revision FROM revision WHERE kind = 'coming';
          DELETE FROM revision WHERE kind = 'coming';
          DELETE FROM coming;
        `)
      })
    },
    async outcome() {
      const row = database.prepare('SELECT at, done_at, failure FROM outcome').get()
      return row === undefined
        ? undefined
        : {
            at: row['at'] as string,
            doneAt: (row['done_at'] as string | null) ?? undefined,
            failure: (row['failure'] as string | null) ?? undefined,
          }
    },
    async note({ at, doneAt, failure }) {
      database.prepare('INSERT OR REPLACE INTO outcome VALUES (1, ?, ?, ?)').run(at, doneAt ?? null, failure ?? null)
    },
    async close() {
      database.close()
    },
  }
}

function opened(path: string): DatabaseSync {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const database = new DatabaseSync(path, { timeout: PATIENCE })
    useWriteAheadLog(database, PATIENCE)
    database.exec(`PRAGMA synchronous = FULL; ${SCHEMA}`)
    return database
  } catch (error) {
    throw diskFailure(error, path) ?? error
  }
}
