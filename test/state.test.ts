import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import { openMemoryState } from '../src/adapters/state-memory/index.ts'
import { openSqliteState } from '../src/adapters/state-sqlite/index.ts'
import { describeState } from './contract/state.contract.ts'

const base = mkdtempSync(join(tmpdir(), 'ken-state-'))
let files = 0
const freshPath = () => join(base, `state-${++files}.db`)
afterAll(() => rmSync(base, { recursive: true, force: true }))

describeState('memory', { open: async () => openMemoryState() })
describeState('sqlite', { open: async () => openSqliteState(freshPath()) })

test('what was marked is there when the file is opened again, also for a second process at once', async () => {
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

test('a damaged file is left as it is and named', () => {
  const path = freshPath()
  writeFileSync(path, 'this is not a database, and it is long enough to be looked at as one '.repeat(20))
  const before = readFileSync(path)
  expect(() => openSqliteState(path)).toThrow(/state-\d+\.db is not a readable database/)
  expect(readFileSync(path)).toEqual(before)
})

test('a file of a newer Ken is refused and left as it is', () => {
  const path = freshPath()
  const database = new DatabaseSync(path)
  database.exec('PRAGMA user_version = 99')
  database.close()
  expect(() => openSqliteState(path)).toThrow(/newer Ken/)
})
