import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { DuckDBInstance } from '@duckdb/node-api'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { KEN } from '../ken-program.ts'
import { openContextDesk, type ContextDesk } from './context-desk.ts'

let desk: ContextDesk
beforeEach(async () => {
  desk = openContextDesk()
  const instance = await DuckDBInstance.create(desk.path('shop.duckdb'))
  const connection = await instance.connect()
  await connection.run('CREATE TABLE orders AS SELECT range AS id FROM range(10)')
  connection.closeSync()
  instance.closeSync()
  desk.configure({ name: 'shop', databases: [{ name: 'shop', type: 'duckdb', path: 'shop.duckdb' }] })
})
afterEach(() => desk.close())

/** A user's own program: opens the file for writing, once, and writes. */
const WRITER = `
  import { DuckDBInstance } from '@duckdb/node-api'
  const instance = await DuckDBInstance.create(process.argv[1])
  const connection = await instance.connect()
  await connection.run('INSERT INTO orders VALUES (99)')
  console.log('wrote')
  await new Promise((wait) => setTimeout(wait, Number(process.argv[2])))
`
const writer = (holds: number): string[] => [
  '--input-type=module',
  '-e',
  WRITER,
  desk.path('shop.duckdb'),
  String(holds),
]
const root = new URL('../..', import.meta.url)
const writeNow = (): string => {
  const { stdout, stderr } = spawnSync(process.execPath, writer(0), { cwd: root, encoding: 'utf8' })
  return `${stdout}${stderr}`.trim()
}

test('another process can write to the DuckDB file right after a query, while Ken is still running', async () => {
  await desk.sync()
  expect(writeNow()).toBe('wrote')
  expect(await desk.run('execute_sql', { sql: 'SELECT count(*) AS n FROM orders' })).toMatchObject({ rows: [[11]] })
  expect(writeNow()).toBe('wrote')
  expect(await desk.run('execute_sql', { sql: 'DROP TABLE orders' })).toMatchObject({ refused: expect.anything() })
  expect(writeNow()).toBe('wrote')
  expect(await desk.run('execute_sql', { sql: 'SELECT count(*) AS n FROM orders' })).toMatchObject({ rows: [[13]] })
})

test('another process can write to the DuckDB file after a query over MCP, while the server keeps running', async () => {
  await desk.sync()
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: desk.path('..'),
    KEN_HOME: desk.path('../home'),
    KEN_TELEMETRY: '0',
    KEN_TOOLSETS: 'data',
  }
  const client = new Client({ name: 'test-agent', version: '1' })
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [KEN, 'serve', '--stdio'], cwd: desk.root, env }),
  )
  const ask = async (): Promise<unknown> =>
    (await client.callTool({ name: 'execute_sql', arguments: { sql: 'SELECT count(*) FROM orders' } }))
      .structuredContent
  expect(await ask()).toMatchObject({ rows: [[10]] })
  expect(writeNow()).toBe('wrote')
  expect(await ask()).toMatchObject({ rows: [[11]] })
  expect(writeNow()).toBe('wrote')
  await client.close()
})

test('waits for a short-lived writer; names a writer that stays, and keeps the old files', async () => {
  await desk.sync()
  const brief = spawn(process.execPath, writer(1_500), { cwd: root })
  await once(brief.stdout, 'data')
  expect(await desk.run('execute_sql', { sql: 'SELECT count(*) FROM orders' })).toMatchObject({ rows: [[11]] })
  const long = spawn(process.execPath, writer(600_000), { cwd: root })
  await once(long.stdout, 'data')
  try {
    const taken = `is being written to by another program (`
    await expect(desk.run('execute_sql', { sql: 'SELECT count(*) FROM orders' })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(taken),
      hint: expect.stringContaining('Try again when that program has closed it'),
    })
    const output = await desk.sync()
    expect(output.failures).toMatchObject([{ message: expect.stringContaining(`process ${long.pid})`) }])
    expect(desk.read('databases/type=duckdb/database=shop/schema=main/table=orders/columns.md')).toContain(
      'stale_since',
    )
  } finally {
    long.kill('SIGKILL')
    await once(long, 'exit')
  }
  expect((await desk.sync()).failures).toEqual([])
})

test('waits for a foreign commit to a SQLite file, and an idle Ken keeps no log of it alive', async () => {
  desk.sqlite('shop.sqlite', 'PRAGMA journal_mode = WAL', 'CREATE TABLE t (id INTEGER)', 'INSERT INTO t VALUES (1)')
  desk.configure({ name: 'shop', databases: [{ name: 'shop', type: 'sqlite', path: 'shop.sqlite' }] })
  await desk.sync()
  expect(await desk.run('execute_sql', { sql: 'SELECT count(*) FROM t' })).toMatchObject({ rows: [[1]] })
  // The last connection to close deletes the log, which it could not if Ken still had the file open.
  desk.sqlite('shop.sqlite', 'INSERT INTO t VALUES (2)')
  expect(desk.exists('shop.sqlite-wal')).toBe(false)
  const holder = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { DatabaseSync } from 'node:sqlite'
       const db = new DatabaseSync(process.argv[1])
       db.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE; INSERT INTO t VALUES (3)')
       console.log('locked')
       setTimeout(() => db.exec('COMMIT'), 1000)`,
      desk.path('shop.sqlite'),
    ],
    { cwd: root },
  )
  await once(holder.stdout, 'data')
  expect(await desk.run('execute_sql', { sql: 'SELECT count(*) FROM t' })).toMatchObject({ rows: [[3]] })
})
