import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Warehouse } from '../../src/context/ports/warehouse.ts'
import { openFilesWarehouse } from '../../src/context/warehouse/duckdb/duckdb-warehouse.ts'
import { files } from '../../src/context/warehouse/files/index.ts'

const LIMITS = { rows: 100, bytes: 100_000, milliseconds: 60_000 }
const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-files-')))
const secret = join(place, 'secret.csv')
let warehouse: Warehouse
beforeAll(async () => {
  const data = join(place, 'data')
  mkdirSync(data)
  writeFileSync(secret, 'a,b\n1,hidden\n')
  writeFileSync(join(data, 'orders.csv'), 'id,customer,total\n1,Ada,9.5\n2,Bob,3\n')
  writeFileSync(join(data, "o'clock.tsv"), 'id\tname\n1\tx\n')
  writeFileSync(join(data, 'notes.txt'), 'no data')
  symlinkSync(secret, join(data, 'link.csv'))
  warehouse = await openFilesWarehouse({ path: data })
})
afterAll(async () => {
  await warehouse?.close()
  rmSync(place, { recursive: true, force: true })
})

test('every data file of a folder is a table without its absolute path, and links are skipped', async () => {
  const tables = await warehouse.tables()
  expect(tables.map(({ name, kind }) => [name, kind])).toEqual([
    ["o'clock", 'table'],
    ['orders', 'table'],
  ])
  expect(JSON.stringify(tables)).not.toContain(place)
  const { rows } = await warehouse.query('SELECT customer, total FROM orders ORDER BY id', LIMITS)
  expect(rows).toEqual([
    ['Ada', 9.5],
    ['Bob', 3],
  ])
})

test('a changed file is read again and gets a new fingerprint', async () => {
  const markOf = async (): Promise<unknown> => (await warehouse.tables()).find(({ name }) => name === 'orders')?.mark
  const before = await markOf()
  writeFileSync(join(place, 'data', 'orders.csv'), 'id,customer,total\n1,Ada,9.5\n')
  expect((await warehouse.query('SELECT count(*) FROM orders', LIMITS)).rows[0]?.map(String)).toEqual(['1'])
  expect(await markOf()).not.toBe(before)
})

// The SQL gate refuses these first; the engine also refuses them without the gate.
test.each([
  `SELECT * FROM read_csv('${secret}')`,
  `SELECT * FROM '${secret}'`,
  `SELECT content FROM read_text('${secret}')`,
  `COPY orders TO '${join(place, 'out.csv')}'`,
  `ATTACH '${join(place, 'x.duckdb')}'`,
  'SET enable_external_access = true',
  `SET allowed_paths = ['${secret}']`,
  'INSTALL httpfs',
])('the engine cannot read another file: %s', async (sql) => {
  await expect(warehouse.query(sql, LIMITS)).rejects.toThrow()
})

test.each([
  ['data/orders.csv', 'file', '', [], 'certain'],
  ['data/orders.csv.gz', 'file', '', [], 'certain'],
  ['export', 'file', 'PAR1', [], 'certain'],
  ['data', 'folder', '', ['a.csv', 'b.parquet', 'README.md'], 'likely'],
  ['docs', 'folder', '', ['a.md', 'b.md', 'c.csv'], undefined],
] as const)('recognises %s', (where, is, head, names, fit) => {
  expect(files.recognise?.({ where, is, head, names })?.fit).toBe(fit)
})
