import { DuckDBInstance } from '@duckdb/node-api'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { syncSources } from '../../src/context/operations/sync-sources.ts'
import { openContextDesk, tableFolder, type ContextDesk } from './context-desk.ts'

let desk: ContextDesk
beforeEach(() => {
  desk = openContextDesk()
})
afterEach(() => desk.close())

const configure = (profiling: object, type = 'sqlite'): void =>
  desk.configure({ name: 'shop', databases: [{ name: 'shop', type, path: `shop.${type}`, profiling }] })

const NUMBERS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)'

test('a large table is profiled on a fixed sample across all its rows, and the profile reports it', async () => {
  desk.sqlite(
    'shop.sqlite',
    'CREATE TABLE long (id INTEGER PRIMARY KEY, half TEXT)',
    `INSERT INTO long ${NUMBERS} SELECT i, CASE WHEN i <= 1000 THEN 'first' ELSE 'second' END FROM n`,
    'CREATE TABLE keyed (code TEXT PRIMARY KEY, half TEXT) WITHOUT ROWID',
    `INSERT INTO keyed ${NUMBERS} SELECT printf('%05d', i), CASE WHEN i <= 1000 THEN 'first' ELSE 'second' END FROM n`,
  )
  configure({ max_rows: 100 })
  expect((await desk.sync()).failures).toEqual([])
  const profile = desk.read(`${tableFolder('shop', 'long')}/profiling.md`)
  expect(profile).toMatch(/Computed on \d+ rows of 2,000, a sample over the whole table\./)
  expect(profile).toMatch(/- half: `(?:first|second)` \d+, `(?:first|second)` \d+/)
  // Without row ids there is no cheap access to the middle.
  expect(desk.read(`${tableFolder('shop', 'keyed')}/profiling.md`)).toContain('100 rows of 2,000, the first ones.')
  const before = desk.files()
  await desk.sync({ force: true })
  expect(desk.files()).toEqual(before)
})

test('a large DuckDB table is also profiled on a fixed sample', async () => {
  const instance = await DuckDBInstance.create(desk.path('shop.duckdb'))
  const connection = await instance.connect()
  await connection.run(
    "CREATE TABLE long AS SELECT range AS id, CASE WHEN range < 100000 THEN 'first' ELSE 'second' END AS half FROM range(200000)",
  )
  connection.closeSync()
  instance.closeSync()
  configure({ max_rows: 1000 }, 'duckdb')
  await desk.sync()
  const read = (): string => desk.read('databases/type=duckdb/database=shop/schema=main/table=long/profiling.md')
  expect(read()).toMatch(/Computed on [\d,]+ rows of 200,000, a sample over the whole table\./)
  expect(read()).toContain('`second`')
  const before = read()
  await desk.sync({ force: true })
  expect(read()).toBe(before)
})

test('work that exceeds the time limit of a sync is reported in the file, and the next syncs continue it', async () => {
  // A view that takes about as long as all profiling may take.
  const slow = `${NUMBERS.replace('2000', '3000')} SELECT count(*) AS c FROM n a, n b WHERE a.i * b.i % 7 = 1`
  desk.sqlite(
    'shop.sqlite',
    ...['a', 'b', 'c', 'd'].map((name) => `CREATE VIEW ${name} AS ${slow}`),
    'CREATE TABLE small (id INTEGER PRIMARY KEY)',
  )
  configure({ total_seconds: 1 })
  const first = await desk.sync({ threads: 1 })
  expect(first.failures).toEqual([])
  const profiles = (): string[] =>
    ['a', 'b', 'c', 'd', 'small'].filter((name) =>
      desk.read(`${tableFolder('shop', name)}/profiling.md`).includes('Not profiled yet'),
    )
  const left = profiles()
  expect(left.length).toBeGreaterThan(0)
  expect(desk.read(`${tableFolder('shop', left[0]!)}/columns.md`)).toContain('# ')
  expect(syncSources.exit(await desk.sync({ check: true }))).toBe(0)
  for (let run = 0; run < 5 && profiles().length > 0; run++) {
    const before = profiles()
    const output = await desk.sync({ threads: 1 })
    expect(output.due.every(({ reason }) => reason === 'unprofiled')).toBe(true)
    expect(profiles().length).toBeLessThan(before.length)
  }
  expect(profiles()).toEqual([])
  expect((await desk.sync()).due).toEqual([])
}, 300_000)

test('a table that takes too long does not fail the sync: its columns are listed as not profiled', async () => {
  const endless =
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400000000) SELECT i, i AS j FROM n'
  desk.sqlite('shop.sqlite', `CREATE VIEW endless AS ${endless}`, 'CREATE TABLE small (id INTEGER PRIMARY KEY)')
  configure({ seconds: 1, max_rows: 1_000_000_000 })
  const output = await desk.sync()
  expect(output.failures).toEqual([])
  expect(desk.read(`${tableFolder('shop', 'endless')}/profiling.md`)).toContain(
    'Not profiled: i, j; it takes too long.',
  )
  expect((await desk.sync()).due).toEqual([])
})
