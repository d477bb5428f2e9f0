import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../../src/database/schema/migrate.ts'
import type { SqlDatabase } from '../../src/kernel/ports/sql-database.ts'
import { openPostgresIndex } from '../../src/memory/index/postgres/index.ts'
import { openSqliteIndex } from '../../src/memory/index/sqlite/index.ts'
import { IndexDamaged } from '../../src/retrieval/domain/index-damaged.ts'
import { openVectorScan } from '../../src/retrieval/vectors/index.ts'
import { batchOf, describeSearchIndex, embedAll, question } from '../contract/search-index.contract.ts'
import { documentsOfRepository, expectSameAnswers } from '../postgres/same-answers.ts'
import { openPgliteDatabase } from './pglite-database.ts'

let database: SqlDatabase
let projects = 0
const open = (comparedWhole?: number) =>
  openPostgresIndex({
    database,
    project: `project-${++projects}`,
    ...(comparedWhole !== undefined && { comparedWhole }),
  })

beforeAll(async () => {
  database = await openPgliteDatabase()
  await migrate(database, { clock: { now: () => new Date(0) } })
})
afterAll(() => database.close())

describeSearchIndex("PostgreSQL in this process, by the server's index of vectors", () => open(0), { examples: 2 })

test('vectors compared by the server rank as in SQLite', async () => {
  const [lite, index] = [openSqliteIndex({ path: ':memory:', openScan: openVectorScan }), open(0)]
  const [batch] = await documentsOfRepository({ most: 60 })
  for (const one of [lite, index]) await one.write(batch!)
  await expectSameAnswers(lite, index, { least: 100 })
  await lite.close()
})

test('a large project uses its embedder’s index, and has the same results as a full scan', async () => {
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
  const whole = openPostgresIndex({ database, project, comparedWhole: 0 })
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

test('a growing project is indexed as it is written to, with the same results throughout', async () => {
  const project = `project-${++projects}`
  const [index, whole] = [openPostgresIndex({ database, project, comparedWhole: 150 }), open(Infinity)]
  const standing = () =>
    database.transaction({ project }, async (sql) => {
      const [found] = await sql.query<{ near: number; all: number; from: number | null }>(
        `SELECT count(near)::int AS near, count(*)::int AS all, (SELECT near_from FROM ken.index_heads) AS from
         FROM ken.index_vectors`,
      )
      return `${found!.near} of ${found!.all} from ${found!.from}`
    })
  const posed = await question('rabbitmq redis', { by: 'meaning' })
  const seen: string[] = []
  const write = async (name: string, removed: { collection: string; path: string }[] = []) => {
    const samples = Array.from({ length: 50 }, (_, i) => ({
      path: `${name}${i}`,
      texts: [`kafka ${'redis '.repeat(i % 7)} ${'login '.repeat(name.length)} ${'postgres '.repeat(i % 11)}`],
    }))
    for (const one of [index, whole]) {
      await one.write(batchOf(samples, removed))
      await embedAll(one, samples)
    }
    expect((await index.search(posed)).map(({ document, score }) => [document.path, score])).toEqual(
      (await whole.search(posed)).map(({ document, score }) => [document.path, score]),
    )
    seen.push(await standing())
  }
  for (const name of ['a', 'bb', 'ccc', 'dddd']) await write(name)
  await write('eeeee', [{ collection: 'docs', path: 'a3' }])
  await write('ffffff')
  expect(seen).toEqual([
    '0 of 50 from null',
    '0 of 100 from null',
    '0 of 150 from null',
    '150 of 200 from 50',
    '249 of 249 from 0',
    '299 of 299 from 0',
  ])
  for (const one of [index, whole]) await one.health.renew(new IndexDamaged('for the test'))
  await write('a')
  expect(seen.at(-1)).toBe('0 of 50 from null')
})
