import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPostgresDatabase } from '../../src/database/postgres/index.ts'
import { migrate } from '../../src/database/schema/migrate.ts'
import type { SqlDatabase } from '../../src/kernel/ports/sql-database.ts'
import { openPostgresIndex } from '../../src/memory/index/postgres/index.ts'
import { openVectorCache, type VectorCache } from '../../src/memory/index/postgres/vector-cache.ts'
import { openSqliteIndex } from '../../src/memory/index/sqlite/index.ts'
import type { SearchIndex } from '../../src/memory/ports/search-index.ts'
import type { SearchScope } from '../../src/retrieval/domain/ranking/indexed-document.ts'
import { openVectorScan } from '../../src/retrieval/vectors/index.ts'
import { batchOf, embedAll, question } from '../contract/search-index.contract.ts'
import { newDatabase, type OwnDatabase } from '../postgres/run-server.ts'

let server: OwnDatabase
let database: SqlDatabase
let projects = 0
const newProject = () => `project-${++projects}`
const open = (project = newProject()) => openPostgresIndex({ database, project })

beforeAll(async () => {
  server = await newDatabase()
  database = await openPostgresDatabase({
    url: server.url,
  })
  await migrate(database, { clock: { now: () => new Date(0) } })
})
afterAll(async () => {
  await database?.close()
  await server?.stop()
})

test('concurrent writes and searches lose nothing, and every result is an existing document', async () => {
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

test('while a replica loads the vectors of a project, waiting searches hold no connection', async () => {
  const few = await openPostgresDatabase({
    url: server.url,
    connections: 2,
  })
  const [real, reads] = [openVectorCache(), Promise.withResolvers<void>()]
  let begun = 0
  const shelf: VectorCache = {
    ...real,
    use: (place, keepUp) =>
      real.use(place, async (held) => {
        begun += 1
        await reads.promise
        return keepUp(held)
      }),
  }
  const index = openPostgresIndex({ database: few, project: newProject(), shelf })
  const samples = [{ path: 'a', texts: ['redis cache'] }]
  await index.write(batchOf(samples))
  await embedAll(index, samples)
  const asked = await Promise.all(Array.from({ length: 6 }, () => question('cache', { by: 'meaning' })))
  const first = index.search(asked[0]!)
  await expect.poll(() => begun).toBe(1)
  const others = asked.slice(1).map((one) => index.search(one))
  await setTimeout(300)
  expect(await index.status()).toMatchObject({ documents: 1 })
  reads.resolve()
  for (const hits of await Promise.all([first, ...others])) expect(hits).toHaveLength(1)
  await few.close()
})

test('an index with small writes, replacements and removals returns the same as SQLite, in few segments', async () => {
  const project = newProject()
  const [lite, index] = [openSqliteIndex({ path: ':memory:', openScan: openVectorScan }), open(project)]
  const words = ['heron', 'ibis', 'kafka', 'redis', 'queue', 'cache', 'service']
  const textOf = (i: number) => `${words[i % 7]} ${words[(i * 3) % 5]} ${'service '.repeat(i % 4)} filler${i % 53}`
  for (let i = 0; i < 120; i++) {
    const samples = [
      { path: `p${i % 70}`, texts: [textOf(i), textOf(i + 11)], workspace: i % 3 === 0 ? 'w' : 'global' },
      { path: `q${i}`, texts: i % 10 === 0 ? [] : [textOf(i * 5)] },
    ]
    const removed = i % 4 === 3 ? [{ collection: 'docs', path: `q${i - 2}` }] : []
    for (const one of [lite, index]) await one.write(batchOf(samples, removed))
  }
  const told = async (one: SearchIndex, text: string, scope: SearchScope) =>
    (await one.search(await question(text, { limit: 40, scope }))).map(({ document, chunk, score, hasAllWords }) => ({
      path: document.path,
      line: chunk.startLine,
      score: Number(score.toFixed(5)),
      hasAllWords,
    }))
  for (const text of ['service', 'heron', 'redis cache', 'kafka service filler7', 'p12'])
    for (const scope of [{}, { within: { workspaces: ['w'], projects: [] } }])
      expect(await told(index, text, scope)).toEqual(await told(lite, text, scope))
  const [found] = await database.transaction({ project }, (sql) =>
    sql.query<{ segments: number; chunks: number; gone: number }>(
      `SELECT count(*)::int AS segments, sum(s.chunks)::int AS chunks, (SELECT count(*)::int FROM ken.index_leaves l
         WHERE l.segment NOT IN (SELECT number FROM ken.index_segments)) AS gone
       FROM ken.index_segments s`,
    ),
  )
  expect(found).toEqual({ segments: expect.any(Number), chunks: (await lite.status()).chunks, gone: 0 })
  expect(found!.segments).toBeLessThan(20)
  await lite.close()
})

test('words that occur in most of the index rank as in SQLite', async () => {
  const [lite, index] = [openSqliteIndex({ path: ':memory:', openScan: openVectorScan }), open()]
  const rare = (i: number) => (i % 300 === 0 ? 'heron' : i === 7 ? 'ibis' : `filler${i % 997}`)
  for (let from = 0; from < 6_000; from += 2_000) {
    const samples = Array.from({ length: 2_000 }, (_, i) => ({
      path: `p${from + i}`,
      texts: [`service ${rare(from + i)}${i % 3 === 0 ? ' service service' : ''}`],
    }))
    for (const one of [lite, index]) await one.write(batchOf(samples))
  }
  const pathsOf = async (one: SearchIndex, text: string) =>
    (await one.search(await question(text, { by: 'words', limit: 10 }))).map(({ document, score }) => ({
      path: document.path,
      score: Number(score.toFixed(4)),
    }))
  for (const text of ['service heron', 'service ibis', 'service'])
    expect(await pathsOf(index, text)).toEqual(await pathsOf(lite, text))
  expect((await index.frequencies(['servic', 'heron'])).of('heron')).toBe(20)
  await lite.close()
})
