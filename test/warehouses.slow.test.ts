import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { Warehouse } from '../src/context/ports/warehouse.ts'
import { duckdb } from '../src/context/warehouse/duckdb/index.ts'
import { sqlite } from '../src/context/warehouse/sqlite/index.ts'
import { describeWarehouse } from './contract/warehouse.contract.ts'
import { makeShop, ownDuckdb, ownSqlite } from './shop-database.ts'

const folder = mkdtempSync(join(tmpdir(), 'ken-warehouse-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const LIMITS = { rows: 10_000, bytes: 10_000_000, milliseconds: 60_000 }

describeWarehouse('duckdb', async () => {
  const path = join(folder, 'shop.duckdb')
  await makeShop(ownDuckdb(path), 'duckdb')
  const open = (): Promise<Warehouse> => duckdb.open({ path })
  return {
    open,
    async change(sql, warehouse) {
      await warehouse.close()
      await ownDuckdb(path).exec(sql)
      return open()
    },
    slowSql: 'SELECT count(*) FROM range(1000000000) a, range(1000000000) b WHERE a.range % 7 = b.range % 5',
    manyRowsSql: "SELECT i, repeat('x', 10) FROM range(1000000) t(i)",
    hasComments: true,
    keepsHistory: false,
    close: async () => undefined,
  }
})

describeWarehouse('sqlite', async () => {
  const path = join(folder, 'shop.sqlite')
  const owner = ownSqlite(path)
  await makeShop(owner, 'sqlite')
  return {
    open: () => sqlite.open({ path }),
    async change(sql, warehouse) {
      await owner.exec(sql)
      return warehouse
    },
    slowSql: 'WITH RECURSIVE t(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t',
    manyRowsSql:
      "WITH RECURSIVE t(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM t WHERE n < 1000000) SELECT n, 'xxxxxxxxxx' FROM t",
    hasComments: false,
    keepsHistory: false,
    close: () => owner.close(),
  }
})

test('sqlite: a key may be null unless it is the rowid, or the table is STRICT or WITHOUT ROWID', async () => {
  const path = join(folder, 'keys.sqlite')
  const owner = ownSqlite(path)
  for (const sql of [
    'CREATE TABLE alias (k INTEGER PRIMARY KEY)',
    'CREATE TABLE word (k TEXT PRIMARY KEY)',
    'CREATE TABLE backwards (k INTEGER PRIMARY KEY DESC)',
    'CREATE TABLE small (k INT PRIMARY KEY)',
    'CREATE TABLE pair (k INTEGER, l INTEGER, PRIMARY KEY (k, l))',
    'CREATE TABLE keyed (k TEXT PRIMARY KEY) WITHOUT ROWID',
    'CREATE TABLE strict (k TEXT PRIMARY KEY) STRICT',
  ])
    await owner.exec(sql)
  await owner.close()
  const warehouse = await sqlite.open({ path })
  const tables = await Promise.all((await warehouse.tables()).map((table) => warehouse.describe(table)))
  await warehouse.close()
  expect(Object.fromEntries(tables.map(({ name, columns }) => [name, columns[0]!.nullable]))).toEqual({
    alias: false,
    word: true,
    backwards: true,
    small: true,
    pair: true,
    keyed: false,
    strict: false,
  })
})

describe('files that are not databases', () => {
  test.each([duckdb, sqlite])('$type: a missing file is unavailable, and the message names it', async (type) => {
    await expect(type.open({ path: join(folder, 'missing.db') })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('missing.db'),
    })
  })

  test('a file in another format is reported as unavailable, at the latest when its tables are read', async () => {
    const path = join(folder, 'letter.txt')
    writeFileSync(path, 'Dear database, you are not one. '.repeat(100))
    await expect(duckdb.open({ path })).rejects.toMatchObject({ code: 'unavailable' })
    const warehouse = await sqlite.open({ path })
    await expect(warehouse.tables()).rejects.toMatchObject({ code: 'unavailable' })
    await warehouse.close()
  })
})

describe('sqlite', () => {
  test('a view over a dropped table does not hide the rest of the catalogue', async () => {
    const path = join(folder, 'broken.sqlite')
    const owner = ownSqlite(path)
    await owner.exec(
      'CREATE TABLE gone (a); CREATE VIEW broken AS SELECT a FROM gone; DROP TABLE gone; CREATE TABLE kept (b); CREATE VIEW whole AS SELECT b FROM kept',
    )
    await owner.close()
    const warehouse = await sqlite.open({ path })
    const tables = await warehouse.tables()
    const columns = await Promise.all(
      tables.map(async (table) => [table.name, (await warehouse.describe(table)).columns.map((column) => column.name)]),
    )
    expect(columns).toEqual([
      ['broken', []],
      ['kept', ['b']],
      ['whole', ['b']],
    ])
    await warehouse.close()
  })

  test('shadow tables of a full-text index are not listed', async () => {
    const path = join(folder, 'shop.sqlite')
    const warehouse = await sqlite.open({ path })
    expect((await warehouse.tables()).map((table) => table.name).filter((name) => name.startsWith('notes'))).toEqual([
      'notes',
    ])
    await warehouse.close()
  })

  test('a binary column is shown in hexadecimal', async () => {
    const warehouse = await sqlite.open({ path: join(folder, 'shop.sqlite') })
    expect((await warehouse.query("SELECT x'00ff', 1.5, 'text', NULL", LIMITS)).rows).toEqual([
      ['\\x00ff', 1.5, 'text', null],
    ])
    await warehouse.close()
  })
})

describe('duckdb', () => {
  test('nested, exact and binary values are preserved', async () => {
    const warehouse = await duckdb.open({ path: join(folder, 'shop.duckdb') })
    const { rows, columns } = await warehouse.query(
      "SELECT [1, 2], {'a': {'b': 'c'}}, 1.10::DECIMAL(30, 2), 12345678901234567890.12::DECIMAL(30, 2), '\\xAA\\x00'::BLOB, 'nan'::DOUBLE, DATE '2026-01-02', true",
      LIMITS,
    )
    expect(rows).toEqual([
      ['[1,2]', '{"a":{"b":"c"}}', 1.1, '12345678901234567890.12', '\\xaa00', 'NaN', '2026-01-02', true],
    ])
    expect(columns[2]!.type).toBe('DECIMAL(30,2)')
    await warehouse.close()
  })

  test('a file that another program has open for writing is reported as unavailable', async () => {
    const path = join(folder, 'busy.duckdb')
    const program = `const { DuckDBInstance } = require('@duckdb/node-api')
      DuckDBInstance.create(process.argv[1]).then((kept) => { globalThis.kept = kept; setInterval(() => {}, 1e6); process.send('open') })`
    const other = spawn(process.execPath, ['--eval', program, path], {
      cwd: import.meta.dirname,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    await once(other, 'message')
    await expect(duckdb.open({ path })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('busy.duckdb'),
    })
    other.kill()
    await once(other, 'exit')
    await (await duckdb.open({ path })).close()
  })
})
