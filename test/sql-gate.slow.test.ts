import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { judgeStatement } from '../src/context/domain/sql/judge-statement.ts'
import { duckdb } from '../src/context/warehouse/duckdb/index.ts'
import { sqlite } from '../src/context/warehouse/sqlite/index.ts'
import { makeShop, ownDuckdb, ownSqlite } from './shop-database.ts'
import { judgeCorpus, readCorpus } from './sql-corpus.ts'
import { openEngine, type OpenEngine } from './sql-engines.ts'
import { fuzzGate } from './sql-fuzz.ts'
import { judgeScopeCorpus, readStatements, type Engine } from './sql-scope.ts'

const folder = mkdtempSync(join(tmpdir(), 'ken-gate-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each([
  { type: duckdb, own: ownDuckdb },
  { type: sqlite, own: ownSqlite },
])(
  '$type.type: the gate allows every read of the corpus and nothing else',
  async ({ type, own }) => {
    const path = join(folder, `shop.${type.type}`)
    const owner = own(path)
    await makeShop(owner, type.type)
    await owner.close()
    const warehouse = await type.open({ path }, { holdsFile: true })
    try {
      const report = await judgeCorpus(warehouse, folder)
      expect(report).toMatchObject({ falseRefusals: [], falseAllows: [], changes: [] })
    } finally {
      await warehouse.close()
    }
  },
  120_000,
)

describe.each(['duckdb', 'sqlite'] as const)('%s: a context that leaves tables out and hides columns', (engine) => {
  let opened: OpenEngine
  beforeAll(async () => {
    opened = await openEngine(engine, mkdtempSync(join(folder, 'scope-')))
  })
  afterAll(() => opened.close())

  test.each(['first', 'held'] as const)(
    'no attack of the %s half leaks anything, and every read runs',
    async (half) => {
      expect(await judgeScopeCorpus(opened.warehouse, half)).toMatchObject({
        falseAllows: [],
        falseRefusals: [],
        changed: false,
      })
    },
    120_000,
  )

  test('no random statement leaks anything', async () => {
    const { allowed, ran, leaks } = await fuzzGate(opened.warehouse, { seed: 7, rounds: 800 })
    expect(leaks).toEqual([])
    expect(Math.min(allowed, ran)).toBeGreaterThan(10)
  }, 120_000)

  test('random statements would leak without the gate', async () => {
    expect((await fuzzGate(opened.warehouse, { seed: 7, rounds: 60, judges: false })).leaks.length).toBeGreaterThan(3)
  })
})

test('the corpus has at least 900 attacks and 300 reads on four engines, without duplicates', () => {
  const engines = ['duckdb', 'sqlite', 'postgres', 'mysql'] as const
  const scoped = (what: 'attacks' | 'reads', engine: Engine): readonly string[] =>
    (['first', 'held'] as const).flatMap((half) => readStatements(what, half, engine).map(({ sql }) => sql))
  const attacks = engines.map((engine) => [...scoped('attacks', engine), ...readCorpus(engine).refused])
  const reads = engines.map((engine) => [...scoped('reads', engine), ...readCorpus(engine).allowed])
  expect(attacks.flat().length).toBeGreaterThanOrEqual(900)
  expect(reads.flat().length).toBeGreaterThanOrEqual(300)
  for (const engine of engines) {
    expect(scoped('attacks', engine).filter((sql, i, all) => all.indexOf(sql) !== i)).toEqual([])
    expect(scoped('attacks', engine).length).toBeGreaterThan(150)
    expect(scoped('reads', engine).length).toBeGreaterThan(75)
  }
})

test('a statement nested deeper than any stack is refused, and the next one is checked as usual', async () => {
  const path = join(folder, 'deep.sqlite')
  await ownSqlite(path).close()
  const warehouse = await sqlite.open({ path }, { holdsFile: true })
  const judge = async (sql: string) =>
    judgeStatement(await warehouse.parse(sql), { dialect: warehouse.dialect, tables: [] })
  expect(await judge(`SELECT ${'('.repeat(20_000)}1${')'.repeat(20_000)}`)).toMatchObject({
    allowed: false,
    code: 'unreadable',
  })
  expect(await judge(`SELECT * FROM ${'(SELECT * FROM '.repeat(20_000)}t${') x'.repeat(20_000)}`)).toMatchObject({
    allowed: false,
    code: 'unreadable',
  })
  expect(await judge('SELECT 1')).toMatchObject({ allowed: true })
  await warehouse.close()
})
