import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import { openSqliteState } from '../src/database/state/sqlite/index.ts'
import { describeState } from './contract/state.contract.ts'

const base = mkdtempSync(join(tmpdir(), 'ken-state-'))
let files = 0
const freshPath = () => join(base, `state-${++files}.db`)
afterAll(() => rmSync(base, { recursive: true, force: true }))

describeState('sqlite', { open: async () => openSqliteState(freshPath()) })

test('cursors and tombstones persist when the file is reopened, and a second process sees them at once', async () => {
  const path = freshPath()
  const first = openSqliteState(path)
  await first.keepCursor('codex', '/r', 'c')
  const second = openSqliteState(path)
  expect(await second.cursor('codex', '/r')).toBe('c')
  await second.bury([{ client: 'codex', session: 's', why: 'forgotten', ended: 'e', at: 'a' }])
  expect(await first.tombstones()).toHaveLength(1)
  await first.close()
  await second.close()
  const third = openSqliteState(path)
  expect(await third.cursor('codex', '/r')).toBe('c')
  expect(await third.tombstones()).toHaveLength(1)
  await third.close()
})

test('a damaged file is named and not changed', () => {
  const path = freshPath()
  writeFileSync(path, 'this is not a database, and it is long enough to be looked at as one '.repeat(20))
  const before = readFileSync(path)
  expect(() => openSqliteState(path)).toThrow(/state-\d+\.db is damaged/)
  expect(readFileSync(path)).toEqual(before)
})

test('a lost or changed row is detected, the file is not changed, and the error names the next step', async () => {
  const path = freshPath()
  const state = openSqliteState(path)
  await state.keepCursor('codex', '/r', 'where it was')
  await state.keepCursor('codex', '/r', 'where it is')
  await state.bury([
    { client: 'codex', session: 'forgotten-one', why: 'forgotten', ended: 'e', at: 'a' },
    { client: 'codex', session: 'forgotten-two', why: 'evicted', ended: 'e', at: 'a' },
  ])
  await state.bury([{ client: 'codex', session: 'forgotten-two', why: 'forgotten', ended: 'e', at: 'b' }])
  await state.close()
  const sound = readFileSync(path)
  await openSqliteState(path).close()
  for (const word of ['forgotten-one', 'forgotten-two', 'where it is', '/r']) {
    const damaged = Buffer.from(sound)
    damaged[damaged.indexOf(word)]! ^= 1
    writeFileSync(path, damaged)
    expect(() => openSqliteState(path), word).toThrow(
      expect.objectContaining({ code: 'damaged', hint: expect.stringContaining('move it away') }),
    )
    expect(readFileSync(path), word).toEqual(damaged)
  }
  writeFileSync(path, sound)
  const database = new DatabaseSync(path)
  database.exec('DROP TRIGGER tombstone_delete; DELETE FROM tombstone')
  database.close()
  expect(() => openSqliteState(path)).toThrow(/damaged/)
})

test('a file of the first version is migrated completely', async () => {
  const path = freshPath()
  const old = new DatabaseSync(path)
  old.exec(`CREATE TABLE harvest (client TEXT NOT NULL, root TEXT NOT NULL, cursor TEXT NOT NULL, PRIMARY KEY (client, root)) WITHOUT ROWID;
    CREATE TABLE tombstone (client TEXT NOT NULL, session TEXT NOT NULL, why TEXT NOT NULL, ended TEXT NOT NULL, at TEXT NOT NULL, PRIMARY KEY (client, session)) WITHOUT ROWID;
    INSERT INTO harvest VALUES ('codex', '/r', 'c'); INSERT INTO tombstone VALUES ('codex', 's', 'forgotten', 'e', 'a'); PRAGMA user_version = 1`)
  old.close()
  for (let times = 0; times < 2; times++) {
    const state = openSqliteState(path)
    expect([await state.cursor('codex', '/r'), await state.tombstones()]).toMatchObject(['c', [{ session: 's' }]])
    await state.close()
  }
})

test('a file from a newer Ken is refused and not changed', () => {
  const path = freshPath()
  const database = new DatabaseSync(path)
  database.exec('PRAGMA user_version = 99')
  database.close()
  expect(() => openSqliteState(path)).toThrow(/newer Ken/)
})
