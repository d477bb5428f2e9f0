import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openContextDesk, type ContextDesk } from './context-desk.ts'

const SECRET = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'
let desk: ContextDesk

beforeAll(async () => {
  desk = openContextDesk()
  const instance = await DuckDBInstance.create(desk.path('shop.duckdb'))
  const connection = await instance.connect()
  await connection.run(
    'CREATE TABLE sales (id BIGINT, price DECIMAL(10,2), day DATE, at_time TIMESTAMP, paid BOOLEAN, note VARCHAR, big HUGEINT, tags VARCHAR[])',
  )
  await connection.run(
    `INSERT INTO sales VALUES (9007199254740993, 37, '2026-01-02', '2026-01-02 03:04:05.678', true, 'a' || chr(27) || '[31m' || chr(13) || chr(10) || 'b', 123456789012345678901234567890, ['x']),
     (2, NULL, NULL, NULL, NULL, '', NULL, NULL), (3, 0.5, '2026-01-03', '2026-01-03 00:00:00', false, '${SECRET}', 1, [])`,
  )
  connection.closeSync()
  instance.closeSync()
  desk.configure({ name: 'shop', databases: [{ name: 'shop', type: 'duckdb', path: 'shop.duckdb' }] })
  await desk.sync()
}, 60_000)
afterAll(() => desk.close())

const ask = (input: object, more = {}) => desk.run('run_sql', input, more)
const ALL = 'SELECT * FROM sales ORDER BY id DESC'

test('a CSV file is exact except for its secrets, and is replaced only on request', async () => {
  const output = desk.path('out/rows.csv')
  const { written, rows } = await ask({
    sql: 'SELECT id, price, paid, note FROM sales ORDER BY id DESC',
    output: 'out/rows.csv',
  })
  expect(written).toMatchObject({ path: output, format: 'csv', rows: 3 })
  expect(rows).toEqual([])
  const text = '9007199254740993,37.00,true,"a\u001b[31m\r\nb"\r\n3,0.50,false,[redacted]\r\n2,,,""\r\n'
  expect(readFileSync(output, 'utf8')).toBe(`id,price,paid,note\r\n${text}`)
  await expect(ask({ sql: 'SELECT 1', output: 'out/rows.csv' })).rejects.toThrow('already exists')
  await ask({ sql: 'SELECT 1 AS one', output: 'out/rows.csv', force: true })
  expect(readFileSync(output, 'utf8')).toBe('one\r\n1\r\n')
})

test('an output file is never a link, a folder or a device', async () => {
  const kept = desk.path('kept.csv')
  writeFileSync(kept, 'kept')
  symlinkSync(kept, desk.path('link.csv'))
  symlinkSync(desk.path('nowhere.csv'), desk.path('dangling.csv'))
  mkdirSync(desk.path('folder.csv'))
  for (const output of ['link.csv', 'dangling.csv', 'folder.csv'])
    await expect(ask({ sql: 'SELECT 1', output, force: true })).rejects.toThrow('is not a plain file')
  expect(readFileSync(kept, 'utf8')).toBe('kept')
  expect(existsSync(desk.path('nowhere.csv'))).toBe(false)
})

test('Parquet keeps decimals, dates, times, large numbers, booleans and NULL, and contains no secret', async () => {
  await ask({ sql: ALL, output: 'rows.parquet' })
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  const path = desk.path('rows.parquet')
  const types = (await connection.runAndReadAll(`DESCRIBE SELECT * FROM '${path}'`)).getRowsJson()
  expect(types.map(([name, type]) => `${String(name)} ${String(type)}`)).toEqual([
    'id BIGINT',
    'price DECIMAL(10,2)',
    'day DATE',
    'at_time TIMESTAMP',
    'paid BOOLEAN',
    'note VARCHAR',
    'big DECIMAL(38,0)',
    'tags VARCHAR',
  ])
  const rows = (await connection.runAndReadAll(`SELECT * FROM '${path}'`)).getRowsJson()
  connection.closeSync()
  expect(rows).toEqual([
    [
      '9007199254740993',
      '37.00',
      '2026-01-02',
      '2026-01-02 03:04:05.678',
      true,
      'a\u001b[31m\r\nb',
      '123456789012345678901234567890',
      '["x"]',
    ],
    ['3', '0.50', '2026-01-03', '2026-01-03 00:00:00', false, '[redacted]', '1', '[]'],
    ['2', null, null, null, null, '', null, null],
  ])
  expect(readFileSync(path).includes(SECRET.slice(0, 20))).toBe(false)
})

test('a pipe gets only the data, and messages go to stderr', async () => {
  const piped: string[] = []
  const told: string[] = []
  const aside = {
    pipe: async (data: string | Uint8Array) => void piped.push(String(data)),
    progress: (line: string) => void told.push(line),
  }
  const output = await ask({ sql: 'SELECT id FROM sales ORDER BY id', format: 'jsonl' }, aside)
  expect(piped).toEqual(['{"id":2}\n{"id":3}\n{"id":9007199254740993}\n'])
  expect(output['rows']).toEqual([])
  const refused = await ask({ sql: 'DELETE FROM sales', format: 'csv' }, aside)
  expect(refused['refused']).toMatchObject({ code: 'writes' })
  expect(piped).toHaveLength(1)
  expect(told.at(-1)).toMatch(/^Not run: DELETE is not a read/)
})

test('formats for programs are printed as text at a terminal, and Parquet needs a file', async () => {
  expect((await ask({ sql: 'SELECT 1 AS one', format: 'csv' }))['text']).toBe('one\n1\n')
  await expect(ask({ sql: 'SELECT 1', format: 'parquet' })).rejects.toThrow('can’t be shown on a screen')
})

test('a result is shown and written again by its id, while the context allows it', async () => {
  const { query_id: result } = await ask({ sql: 'SELECT id, note FROM sales ORDER BY id' })
  const again = await ask({ result })
  expect(again['rows']).toMatchObject([
    [2, ''],
    [3, '[redacted]'],
    ['9007199254740993', expect.any(String)],
  ])
  await ask({ result, output: 'again.jsonl' })
  expect(readFileSync(desk.path('again.jsonl'), 'utf8')).toContain('{"id":9007199254740993,')
  await expect(ask({ result: 'q_000000000000' })).rejects.toThrow('not found or expired')
})

test('a statement is read from a file, which may name its database', async () => {
  writeFileSync(desk.path('one.sql'), '-- database: shop\nSELECT 7 AS seven;\n')
  expect((await ask({ sql: desk.path('one.sql') }))['rows']).toEqual([[7]])
  expect((await ask({ file: desk.path('one.sql') }))['rows']).toEqual([[7]])
  await expect(ask({ file: desk.path('two.sql') })).rejects.toThrow('not found')
  writeFileSync(desk.path('other.sql'), '-- database: crm\nSELECT 1')
  await expect(ask({ file: desk.path('other.sql') })).rejects.toThrow('no database "crm"')
})

test('rows are shown up to a limit, and all of them on request', async () => {
  const sql = 'SELECT * FROM range(12000)'
  expect((await ask({ sql }))['rows']).toHaveLength(100)
  expect(await ask({ sql })).toMatchObject({ row_count: 10_000, cut: true })
  expect((await ask({ sql, all: true }))['rows']).toHaveLength(12_000)
  expect((await ask({ sql, limit: 3 }))['rows']).toHaveLength(3)
  expect((await ask({ sql, output: 'all.csv' }))['written']).toMatchObject({ rows: 12_000 })
})

test('an example is saved under its question, once, and never with a secret or through a link', async () => {
  const sql = '-- net of tax\nSELECT sum(price) FROM sales;'
  expect((await ask({ sql, save: 'What did we sell?' }))['saved']).toBe('queries/what-did-we-sell.sql')
  expect(desk.read('queries/what-did-we-sell.sql')).toBe(
    '-- question: What did we sell?\n-- net of tax\nSELECT sum(price) FROM sales;\n',
  )
  await expect(ask({ sql, save: 'What did we sell?' })).rejects.toThrow('already exists')
  await expect(ask({ sql: `SELECT '${SECRET}' AS k`, save: 'Which key?' })).rejects.toThrow('holds a secret')
  expect((await ask({ sql: 'SELECT * FROM nothing', save: 'Nothing?' }))['saved']).toBeUndefined()
  const { query_id: result } = await ask({ sql: 'SELECT 1 AS one' })
  expect((await ask({ result, save: 'One?', name: 'one' }))['saved']).toBe('queries/one.sql')
  expect(statSync(desk.path('queries')).isDirectory()).toBe(true)
})

test('a long text is complete in a file, a huge one is marked as cut, and agents get a short one', async () => {
  const long = await ask({ sql: "SELECT repeat('x', 200000) AS t", output: 'long.csv' })
  expect(readFileSync(desk.path('long.csv'), 'utf8')).toBe(`t\r\n${'x'.repeat(200_000)}\r\n`)
  expect(long['notes']).toEqual([])
  const huge = await ask({ sql: "SELECT repeat('x', 100000000) AS t", output: 'huge.csv' })
  expect(huge['notes']).toEqual(['Cells that are too long are cut, and say so at their end.'])
  expect(statSync(desk.path('huge.csv')).size).toBeLessThan(1_000_100)
  const { rows } = await desk.run('read_result', { query_id: long['query_id'] })
  expect(rows[0][0].length).toBeLessThan(10_100)
})

test('a page gets the rows as the bytes of a file, and cannot name a file', async () => {
  const page = { origin: { surface: 'app' } } as const
  const sql = 'SELECT id, note FROM sales ORDER BY id DESC'
  const file = async (input: object): Promise<Buffer> => Buffer.from((await ask(input, page))['base64'], 'base64')
  const csv = 'id,note\r\n9007199254740993,"a\u001b[31m\r\nb"\r\n3,[redacted]\r\n2,""\r\n'
  expect((await file({ sql, format: 'csv' })).toString()).toBe(csv)
  expect((await file({ sql, format: 'parquet' })).subarray(0, 4).toString()).toBe('PAR1')
  const { query_id: result } = await ask({ sql }, page)
  expect((await file({ result, format: 'csv' })).toString()).toBe(csv)
  for (const input of [{ sql, output: 'page.csv' }, { file: 'page.sql' }, { sql: '/etc/page.sql' }])
    await expect(ask(input, page)).rejects.toThrow('A file can only be given at a terminal')
  expect(existsSync(desk.path('page.csv'))).toBe(false)
  await expect(ask({}, page)).rejects.toThrow('No statement given')
})
