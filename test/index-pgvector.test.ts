import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../src/adapters/database/schema/migrate.ts'
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

test('a large project asks the index of its embedder, and finds what comparing everything finds', async () => {
  const asked: string[] = []
  const heard: SqlDatabase = {
    ...database,
    transaction: (scope, work) =>
      database.transaction(scope, (sql) =>
        work({
          query(text, values) {
            asked.push(text)
            return sql.query(text, values)
          },
        }),
      ),
  }
  const project = `project-${++projects}`
  const whole = openPostgresIndex({ database, project })
  const samples = Array.from({ length: 420 }, (_, i) => ({
    path: `p${i}`,
    texts: [`kafka ${'redis '.repeat(i % 7)} ${'login '.repeat(i % 5)} ${'postgres '.repeat(i % 11)}`],
  }))
  await whole.write(batchOf(samples))
  await embedAll(whole, samples)
  const made = await database.transaction('server', (sql) =>
    sql.query<{ def: string }>("SELECT indexdef AS def FROM pg_indexes WHERE tablename = 'index_vectors'"),
  )
  expect(made.filter(({ def }) => /USING hnsw .*words-1/.test(def))).toHaveLength(1)
  const near = openPostgresIndex({ database: heard, project, comparedWhole: 0 })
  const posed = await question('rabbitmq redis', { by: 'meaning' })
  expect(await near.search(posed)).toEqual(await whole.search(posed))
  expect(asked.filter((text) => text.includes('<=>'))).toHaveLength(1)
  expect(asked.filter((text) => text.includes('<#>') && !text.includes('<=>') && text.includes('LIMIT'))).toEqual([])
})
