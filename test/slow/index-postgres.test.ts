import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPostgresDatabase } from '../../src/adapters/database/postgres/index.ts'
import { migrate } from '../../src/adapters/database/schema/migrate.ts'
import { openPostgresIndex } from '../../src/adapters/index/postgres/index.ts'
import { openSqliteIndex } from '../../src/adapters/index/sqlite/index.ts'
import { openVectorScan } from '../../src/adapters/vectors/wasm/index.ts'
import type { SqlDatabase, SqlSession } from '../../src/ports/sql-database.ts'
import { batchOf, describeSearchIndex, question } from '../contract/search-index.contract.ts'
import { documentsOfRepository, expectSameAnswers } from '../postgres/same-answers.ts'
import { startPostgres, type PostgresServer } from './postgres-server.ts'

let server: PostgresServer
let database: SqlDatabase
let projects = 0
const newProject = () => `project-${++projects}`
const open = (project = newProject()) => openPostgresIndex({ database, project })

beforeAll(async () => {
  server = await startPostgres()
  database = await openPostgresDatabase({
    url: `postgres://${server.user}@${server.host}:${server.port}/${server.database}`,
  })
  await migrate(database, { clock: { now: () => new Date(0) } })
})
afterAll(async () => {
  await database?.close()
  await server?.stop()
})

describeSearchIndex('a real PostgreSQL', () => open())

test('answers like the index in SQLite', async () => {
  const [lite, index] = [openSqliteIndex({ path: ':memory:', openScan: openVectorScan }), open()]
  for (const batch of await documentsOfRepository()) for (const one of [lite, index]) await one.write(batch)
  await expectSameAnswers(lite, index)
  await lite.close()
})

test('many who write and ask at once lose nothing, and every answer is of documents that were there', async () => {
  const project = newProject()
  const words = ['alpha', 'beta', 'gamma', 'delta']
  const writers = words.map(async (word) => {
    const index = open(project)
    for (let i = 0; i < 10; i++)
      await index.write(batchOf([{ path: `${word}-${i % 5}`, texts: [`${word} common`, word] }]))
  })
  const asked = open(project)
  const asks = words.map(async (word) => {
    for (let i = 0; i < 10; i++)
      for (const { document } of await asked.search(await question(word))) expect(document.path).toContain(word)
  })
  await Promise.all([...writers, ...asks])
  expect(await asked.status()).toMatchObject({ documents: 20, chunks: 40, generation: 40 })
  expect((await asked.frequencies(['common'])).of('common')).toBe(20)
  expect(await asked.search(await question('common', { limit: 50 }))).toHaveLength(20)
})

test('a word that most of the index holds is not looked for by itself while it cannot change the answer', async () => {
  const asked: string[] = []
  const listened: SqlDatabase = {
    ...database,
    transaction: (scope, work) =>
      database.transaction(scope, (sql) => {
        const session: SqlSession = {
          query: (text, values) => {
            if (text.includes('WITH asked')) asked.push(text.includes('p.document IN (') ? 'rare words' : 'all words')
            return sql.query(text, values)
          },
        }
        return work(session)
      }),
  }
  const [lite, index] = [
    openSqliteIndex({ path: ':memory:', openScan: openVectorScan }),
    openPostgresIndex({ database: listened, project: newProject() }),
  ]
  const rare = (i: number) => (i % 300 === 0 ? 'heron' : i === 7 ? 'ibis' : `filler${i % 997}`)
  for (let from = 0; from < 6_000; from += 2_000) {
    const samples = Array.from({ length: 2_000 }, (_, i) => ({
      path: `p${from + i}`,
      texts: [`service ${rare(from + i)}${i % 3 === 0 ? ' service service' : ''}`],
    }))
    for (const one of [lite, index]) await one.write(batchOf(samples))
  }
  const pathsOf = async (one: typeof lite | typeof index, text: string) =>
    (await one.search(await question(text, { by: 'words', limit: 10 }))).map(({ document, score }) => ({
      path: document.path,
      score: Number(score.toFixed(4)),
    }))
  for (const [text, ways] of [
    // Twenty hold the rare word: more than are wanted, and none that holds only the other comes near.
    ['service heron', ['rare words']],
    // One holds it: the rest of the answer has only the common word.
    ['service ibis', ['rare words', 'all words']],
    ['service', ['all words']],
  ] as const) {
    asked.length = 0
    expect(await pathsOf(index, text)).toEqual(await pathsOf(lite, text))
    expect(asked).toEqual(ways)
  }
  await lite.close()
})
