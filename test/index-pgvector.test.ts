import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../src/adapters/database/migrate.ts'
import { openPostgresIndex } from '../src/adapters/index/postgres/index.ts'
import { openSqliteIndex } from '../src/adapters/index/sqlite/index.ts'
import { openVectorScan } from '../src/adapters/vectors/wasm/index.ts'
import type { SqlDatabase } from '../src/ports/sql-database.ts'
import { batchOf, describeSearchIndex, embedAll, question } from './contract/search-index.contract.ts'
import { openPgliteDatabase } from './postgres/pglite-database.ts'
import { documentsOfRepository, expectSameAnswers } from './postgres/same-answers.ts'

let database: SqlDatabase
let projects = 0
const open = (comparedWhole?: number) =>
  openPostgresIndex({
    database,
    project: `project-${++projects}`,
    ...(comparedWhole !== undefined && { comparedWhole }),
  })

beforeAll(async () => {
  database = await openPgliteDatabase({ hasVectors: true })
  await migrate(database, { clock: { now: () => new Date(0) } })
})
afterAll(() => database.close())

describeSearchIndex("PostgreSQL in this process, by the server's index of vectors", () => open(0), { examples: 2 })

test('vectors that the server compares rank as those that SQLite compares', async () => {
  const [lite, index] = [openSqliteIndex({ path: ':memory:', openScan: openVectorScan }), open()]
  const [batch] = await documentsOfRepository({ most: 60 })
  for (const one of [lite, index]) await one.write(batch!)
  await expectSameAnswers(lite, index, { least: 100 })
  await lite.close()
})

test('the index of an embedder is there before its first vector, and a question in a large project asks it', async () => {
  const index = open(0)
  const samples = Array.from({ length: 30 }, (_, i) => ({ path: `p${i}`, texts: [i % 2 === 0 ? 'kafka' : 'redis'] }))
  await index.write(batchOf(samples))
  await embedAll(index, samples)
  const made = await database.transaction('server', (sql) =>
    sql.query<{ def: string }>("SELECT indexdef AS def FROM pg_indexes WHERE tablename = 'index_vectors'"),
  )
  expect(made.filter(({ def }) => /USING hnsw .*words-1/.test(def))).toHaveLength(1)
  const hits = await index.search(await question('rabbitmq', { by: 'meaning', limit: 5 }))
  expect(hits.map(({ cosine }) => cosine)).toEqual(Array(5).fill(expect.closeTo(1, 2)))
})
