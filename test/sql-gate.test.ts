import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { duckdb } from '../src/adapters/warehouse-duckdb/index.ts'
import { sqlite } from '../src/adapters/warehouse-sqlite/index.ts'
import { judgeStatement } from '../src/core/sql/judge-statement.ts'
import { makeShop, ownDuckdb, ownSqlite } from './shop-database.ts'
import { judgeCorpus, readCorpus } from './sql-corpus.ts'

const folder = mkdtempSync(join(tmpdir(), 'ken-gate-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each([
  { type: duckdb, own: ownDuckdb },
  { type: sqlite, own: ownSqlite },
])(
  '$type.type: the gate lets every read of the corpus through and nothing else',
  async ({ type, own }) => {
    const path = join(folder, `shop.${type.type}`)
    const owner = own(path)
    await makeShop(owner, type.type)
    await owner.close()
    const warehouse = await type.open({ path })
    try {
      const report = await judgeCorpus(warehouse, folder)
      expect(report).toMatchObject({ falseRefusals: [], falseAllows: [], changes: [] })
    } finally {
      await warehouse.close()
    }
  },
  120_000,
)

test('the corpus holds at least 150 statements, allowed and refused ones for each real engine', () => {
  const corpora = ['duckdb', 'sqlite', 'postgres', 'mysql'].map(readCorpus)
  expect(corpora.flatMap((corpus) => [...corpus.allowed, ...corpus.refused, ...(corpus.unsent ?? [])]).length).toBeGreaterThanOrEqual(150)
  for (const corpus of corpora) expect(Math.min(corpus.allowed.length, corpus.refused.length)).toBeGreaterThanOrEqual(25)
})

test('a statement deeper than any stack is refused, and the next one is judged as before', async () => {
  const path = join(folder, 'deep.sqlite')
  await ownSqlite(path).close()
  const warehouse = await sqlite.open({ path })
  const judge = async (sql: string) => judgeStatement(await warehouse.parse(sql), { dialect: 'sqlite', tables: [] })
  expect(await judge(`SELECT ${'('.repeat(20_000)}1${')'.repeat(20_000)}`)).toMatchObject({ allowed: false, code: 'unreadable' })
  expect(await judge(`SELECT * FROM ${'(SELECT * FROM '.repeat(20_000)}t${') x'.repeat(20_000)}`)).toMatchObject({
    allowed: false,
    code: 'unreadable',
  })
  expect(await judge('SELECT 1')).toMatchObject({ allowed: true })
  await warehouse.close()
})
