import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, test } from 'vitest'
import { openSqliteAnalystState } from '../src/database/state/sqlite/analyst-state.ts'
import { openSqliteState } from '../src/database/state/sqlite/index.ts'
import { sealOf } from '../src/kernel/system/row-seal.ts'
import { at, attempt, chat, message, run } from './contract/analyst-samples.ts'

// The schema each Ken version created in an empty file, verbatim: upgrades start from these, whatever the migrations
// contain today.
const TABLES = `CREATE TABLE harvest (client TEXT NOT NULL, root TEXT NOT NULL, cursor TEXT NOT NULL, PRIMARY KEY (client, root)) WITHOUT ROWID;
  CREATE TABLE tombstone (client TEXT NOT NULL, session TEXT NOT NULL, why TEXT NOT NULL, ended TEXT NOT NULL, at TEXT NOT NULL, PRIMARY KEY (client, session)) WITHOUT ROWID;`
const SEALS = `CREATE TABLE whole (name TEXT PRIMARY KEY, tally INTEGER NOT NULL) WITHOUT ROWID;
  INSERT INTO whole VALUES ('harvest', 0), ('tombstone', 0);
  CREATE TRIGGER harvest_insert AFTER INSERT ON harvest BEGIN UPDATE whole SET tally = tally + seal(NEW.client, NEW.root, NEW.cursor) WHERE name = 'harvest'; END;
  CREATE TRIGGER harvest_update AFTER UPDATE ON harvest BEGIN UPDATE whole SET tally = tally - seal(OLD.client, OLD.root, OLD.cursor) + seal(NEW.client, NEW.root, NEW.cursor) WHERE name = 'harvest'; END;
  CREATE TRIGGER harvest_delete AFTER DELETE ON harvest BEGIN UPDATE whole SET tally = tally - seal(OLD.client, OLD.root, OLD.cursor) WHERE name = 'harvest'; END;
  CREATE TRIGGER tombstone_insert AFTER INSERT ON tombstone BEGIN UPDATE whole SET tally = tally + seal(NEW.client, NEW.session, NEW.why, NEW.ended, NEW.at) WHERE name = 'tombstone'; END;
  CREATE TRIGGER tombstone_update AFTER UPDATE ON tombstone BEGIN UPDATE whole SET tally = tally - seal(OLD.client, OLD.session, OLD.why, OLD.ended, OLD.at) + seal(NEW.client, NEW.session, NEW.why, NEW.ended, NEW.at) WHERE name = 'tombstone'; END;
  CREATE TRIGGER tombstone_delete AFTER DELETE ON tombstone BEGIN UPDATE whole SET tally = tally - seal(OLD.client, OLD.session, OLD.why, OLD.ended, OLD.at) WHERE name = 'tombstone'; END;`
const FACTS = `CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;`
const CHATS = readFileSync(new URL('fixtures/state-schema-4.sql', import.meta.url), 'utf8')
const ROWS = `INSERT INTO harvest VALUES ('codex', '/r', '{"offset":12}'), ('gemini-cli', '/g', 'no json');
  INSERT INTO tombstone VALUES ('codex', 'gone', 'forgotten', 'e', 'a'), ('codex', 'old', 'evicted', 'e', 'a');`
const OLD: Readonly<Record<number, string>> = {
  1: `${TABLES} ${ROWS}`,
  2: `${TABLES} ${SEALS} ${ROWS}`,
  3: `${TABLES} ${SEALS} ${FACTS} ${ROWS} INSERT INTO fact VALUES ('limit', '5');`,
  4: `${TABLES} ${SEALS} ${FACTS} ${CHATS} ${ROWS} INSERT INTO fact VALUES ('limit', '5');
    INSERT INTO chat VALUES (1, 'old', 'ada', 'shop', '/shop', 'Old', 0, 'a', 'a', NULL, NULL, 0);`,
}

const base = mkdtempSync(join(tmpdir(), 'ken-migrations-'))
let files = 0
afterAll(() => rmSync(base, { recursive: true, force: true }))

function fileOf(version: number, journal: 'delete' | 'wal' = 'wal'): string {
  const path = join(base, `state-${++files}.db`)
  const database = new DatabaseSync(path)
  database.function('seal', { varargs: true, deterministic: true }, (...values) => sealOf(...values))
  database.exec(`PRAGMA journal_mode = ${journal}; ${OLD[version]} PRAGMA user_version = ${version}`)
  database.close()
  return path
}

describe.each([1, 2, 3, 4])('a file with schema %i', (version) => {
  test('keeps its content, and accepts chats and test runs', async () => {
    const path = fileOf(version)
    const analyst = await openSqliteAnalystState(path)
    await analyst.chats.start(chat('c1'))
    await analyst.log.begin(message('m1'), [{ kind: 'text', text: 'hello' }])
    await analyst.runs.start(run('r1'))
    await analyst.runs.add(attempt('a'))
    await analyst.close()
    for (let times = 0; times < 2; times++) {
      const state = openSqliteState(path)
      const cursor = JSON.parse((await state.cursor('codex', '/r'))!) as object
      expect(cursor).toEqual({ offset: 12, ...(version < 3 && { again: true }) })
      expect(await state.cursor('gemini-cli', '/g')).toBe('no json')
      expect((await state.tombstones()).map(({ session, why }) => `${session} ${why}`)).toEqual([
        'gone forgotten',
        version < 3 ? 'old expired' : 'old evicted',
      ])
      expect(await state.fact('limit')).toBe(version < 3 ? undefined : '5')
      await state.bury([{ client: 'codex', session: 'new', why: 'evicted', ended: 'e', at: 'a' }])
      await state.raise([{ client: 'codex', session: 'new' }])
      const again = await openSqliteAnalystState(path)
      expect(await again.chats.find('c1', 'ada')).toEqual(chat('c1', { updatedAt: at(1) }))
      expect(await again.log.parts('c1', 0)).toHaveLength(1)
      if (version === 4) expect(await again.chats.find('old', 'ada')).toMatchObject({ title: 'Old' })
      expect(await again.runs.find('r1', 'ada')).toEqual(run('r1'))
      expect(await again.runs.attempts('r1')).toEqual([attempt('a')])
      await again.close()
      await state.close()
    }
  })

  test('is migrated once by processes that open it at the same time', async () => {
    const path = fileOf(version, 'delete')
    const states = [openSqliteState(path), openSqliteState(path)]
    const analysts = await Promise.all([openSqliteAnalystState(path), openSqliteAnalystState(path)])
    expect(await states[1]!.tombstones()).toHaveLength(2)
    for (const one of [...states, ...analysts]) await one.close()
  })
})
