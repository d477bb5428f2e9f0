import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../../src/adapters/database/schema/migrate.ts'
import { openPostgresDatabase } from '../../src/adapters/database/postgres/index.ts'
import { openPostgresIndex } from '../../src/adapters/index/postgres/index.ts'
import { openSqliteIndex } from '../../src/adapters/index/sqlite/index.ts'
import { openVectorScan } from '../../src/adapters/vectors/wasm/index.ts'
import type { SqlDatabase } from '../../src/ports/sql-database.ts'
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
