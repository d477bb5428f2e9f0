import { expect, test } from 'vitest'
import { syncSources } from '../../src/context/operations/sync-sources.ts'
import { openContextDesk } from '../context/context-desk.ts'

test('5,000 tables are compiled, listed and skipped if nothing changed', async () => {
  const desk = openContextDesk()
  desk.sqlite(
    'big.db',
    'BEGIN',
    ...Array.from(
      { length: 5_000 },
      (_, i) => `CREATE TABLE table_${i} (id INTEGER PRIMARY KEY, name TEXT, amount REAL)`,
    ),
    'COMMIT',
  )
  desk.configure({ name: 'big', databases: [{ name: 'big', type: 'sqlite', path: 'big.db' }] })
  const first = await desk.sync({ threads: 4 })
  expect(syncSources.exit(first)).toBe(0)
  expect(first.sources).toMatchObject([{ listed: 5_000, written: 5_000 }])
  expect((await desk.run('list_tables', { match: 'table_49*' })).total).toBe(111)
  const before = desk.times()
  expect((await desk.sync()).due).toEqual([])
  expect(desk.times()).toEqual(before)
  desk.sqlite('big.db', ...Array.from({ length: 10 }, (_, i) => `ALTER TABLE table_${i * 7} ADD COLUMN more TEXT`))
  expect((await desk.sync()).due).toHaveLength(10)
  await desk.close()
})
