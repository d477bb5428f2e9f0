import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate } from '../src/adapters/database/schema/migrate.ts'
import { openGroundShelf } from '../src/adapters/index/postgres/ground-shelf.ts'
import { layGround, loadSegment } from '../src/adapters/index/postgres/ground.ts'
import { heardOfIndex, openPostgresIndex } from '../src/adapters/index/postgres/index.ts'
import { packParts } from '../src/adapters/index/postgres/segment.ts'
import { openVectorShelf } from '../src/adapters/index/postgres/vector-shelf.ts'
import { openSqliteIndex } from '../src/adapters/index/sqlite/index.ts'
import { openVectorScan } from '../src/adapters/vectors/wasm/index.ts'
import { IndexDamaged } from '../src/core/index-damaged.ts'
import type { SqlDatabase, SqlSession, SqlValue } from '../src/ports/sql-database.ts'
import { batchOf, describeSearchIndex, embedAll, question } from './contract/search-index.contract.ts'
import { openPgliteDatabase } from './postgres/pglite-database.ts'
import { documentsOfRepository, expectSameAnswers } from './postgres/same-answers.ts'

let database: SqlDatabase
let projects = 0
const newProject = () => `project-${++projects}`
const open = (project = newProject()) => openPostgresIndex({ database, project })

beforeAll(async () => {
  database = await openPgliteDatabase()
  await migrate(database, { clock: { now: () => new Date(0) } })
})
afterAll(() => database.close())

// Planning a statement takes this engine ten times as long as a server; test/slow has all of the examples.
describeSearchIndex('PostgreSQL in this process', () => open(), { examples: 3 })

describe('the index in PostgreSQL', () => {
  test('answers like the one in SQLite', async () => {
    const [lite, index] = [openSqliteIndex({ path: ':memory:', openScan: openVectorScan }), open()]
    for (const batch of await documentsOfRepository()) for (const one of [lite, index]) await one.write(batch)
    expect((await index.status()).documents).toBeGreaterThan(200)
    await expectSameAnswers(lite, index)
    await lite.close()
  })

  test('says who changed once the change has landed', async () => {
    const heard: (string | undefined)[] = []
    const listening = await database.listen('ken_index', (project) => heard.push(project))
    await open('telling').write(batchOf([{ path: 'a', texts: ['alpha'] }]))
    await expect.poll(() => heard).toContain('telling')
    await listening.close()
  })

  test('vectors on the shelf are read once until the index changes, and a scope lets through what it did', async () => {
    const asked: string[] = []
    const listened: SqlDatabase = {
      ...database,
      transaction: (scope, work) =>
        database.transaction(scope, (sql) => {
          const session: SqlSession = {
            query: (text, values) => {
              asked.push(text)
              return sql.query(text, values)
            },
          }
          return work(session)
        }),
    }
    const reads = () => asked.splice(0).filter((text) => text.includes('LIMIT 8192')).length
    const project = newProject()
    const shelf = openVectorShelf()
    const [index, plain] = [openPostgresIndex({ database: listened, project, shelf }), open(project)]
    const samples = [
      { path: 'a', texts: ['redis cache'], workspace: 'w' },
      { path: 'b', texts: ['kafka queue', 'memcached'] },
    ]
    await index.write(batchOf(samples))
    await embedAll(index, samples)
    const questions = await Promise.all(
      [{}, { within: { workspaces: ['w'], projects: [] } }].map((scope) =>
        question('caching', { by: 'meaning', scope }),
      ),
    )
    for (const one of [...questions, ...questions]) expect(await index.search(one)).toEqual(await plain.search(one))
    expect(await index.search(questions[1]!)).toHaveLength(1)
    expect(reads()).toBe(1)
    const more = [{ path: 'c', texts: ['remember'] }]
    await plain.write(batchOf(more))
    await embedAll(plain, more)
    expect(await index.search(questions[0]!)).toHaveLength(3)
    expect(reads()).toBe(1)
    const listening = await heardOfIndex(database, (changed) => shelf.drop(changed))
    await plain.write(batchOf([], [{ collection: 'docs', path: 'c' }]))
    const { generation } = await plain.status()
    const place = { project, embedder: 'words-1', dimensions: 16, generation: generation - 1 }
    await expect.poll(() => shelf.get(place)).toBeUndefined()
    await listening.close()
  })

  test('a shelf that is full lets go of what was asked for longest ago, and takes nothing larger than itself', () => {
    const shelf = openVectorShelf(100)
    const place = (project: string) => ({ project, embedder: 'e', dimensions: 20, generation: 1 })
    const one = {
      chunks: new Float64Array(1),
      documents: new Float64Array(1),
      scales: new Float32Array(1),
      bytes: new Int8Array(20),
    }
    for (const project of ['a', 'b']) shelf.put(place(project), one)
    expect(shelf.get(place('a'))).toBe(one)
    shelf.put(place('c'), one)
    expect(['a', 'b', 'c'].filter((project) => shelf.get(place(project)) !== undefined)).toEqual(['a', 'c'])
    shelf.put(place('d'), { ...one, bytes: new Int8Array(90) })
    expect(shelf.get(place('d'))).toBeUndefined()
    expect(shelf.get({ ...place('c'), generation: 2 })).toBeUndefined()
    expect([shelf.hasRoomFor(2, 20), shelf.hasRoomFor(3, 20)]).toEqual([true, false])
  })

  test('what a replica holds of chunks and documents is brought up to date by what others changed since', async () => {
    const [project, asked] = [newProject(), [] as number[]]
    const ground = openGroundShelf()
    const listened: SqlDatabase = {
      ...database,
      transaction: (scope, work) =>
        database.transaction(scope, (sql) =>
          work({
            async query<Row extends object>(text: string, values?: readonly SqlValue[]) {
              const rows = await sql.query<Row>(text, values)
              const sent = rows.filter((row) => 'kind' in row && row.kind === 'segment')
              if (text.includes("'segment'")) asked.push(sent.length)
              return rows
            },
          }),
        ),
    }
    const [holding, other] = [openPostgresIndex({ database: listened, project, ground }), open(project)]
    const sameAnswers = async () => {
      for (const text of ['redis cache', 'cache'])
        expect(await holding.search(await question(text))).toEqual(await other.search(await question(text)))
      return asked.splice(0)
    }
    await other.write(
      batchOf([
        { path: 'a', texts: ['redis cache', 'cache'] },
        { path: 'b', texts: ['cache'], laidAside: { as: 'superseded', by: 'a' } },
      ]),
    )
    await other.write(batchOf([{ path: 'c', texts: ['redis redis'] }]))
    expect(await sameAnswers()).toEqual([2, 0])
    await other.write(batchOf([{ path: 'd', texts: ['redis cache cache'] }], [{ collection: 'docs', path: 'c' }]))
    expect(await sameAnswers()).toEqual([1, 0])
    await other.write(batchOf([], [{ collection: 'docs', path: 'a' }]))
    expect(await sameAnswers()).toEqual([1, 0])
    await other.health.renew(new IndexDamaged('for the test'))
    expect(await sameAnswers()).toEqual([0, 0])
    // As after a restore: the generations that are held never were.
    ground.put(project, { ...ground.get(project)!, generation: 1_000 })
    await other.write(batchOf([{ path: 'e', texts: ['redis cache'] }]))
    expect(await sameAnswers()).toEqual([0, 1, 0])
  })

  test('what was asked for longest ago goes first, and a ground that has no room takes that of all others', () => {
    const of = (rows: number) => layGround(1, new Map([[0, loadSegment(1, packParts([partOf(rows)]))]]))
    const partOf = (rows: number) => {
      const lengths = Array.from({ length: rows }, () => 1)
      return { id: 1, firstChunk: 0, lengths, marks: lengths.map(() => 0), isLaidAside: false }
    }
    const shelf = openGroundShelf(2_500)
    const held = () => ['a', 'b', 'c', 'd'].filter((project) => shelf.get(project) !== undefined)
    for (const project of ['a', 'b']) shelf.put(project, of(10))
    expect(shelf.get('a')).toBeDefined()
    shelf.put('c', of(10))
    expect(held()).toEqual(['a', 'c'])
    shelf.put('d', of(1_000))
    expect(held()).toEqual(['d'])
    shelf.put('a', of(10))
    expect(held()).toEqual(['a'])
  })

  test('one project finds, counts and lists nothing of another', async () => {
    const [one, other] = [open(), open()]
    const samples = [{ path: 'a', texts: ['redis cache'] }]
    await one.write(batchOf(samples))
    await embedAll(one, samples)
    for (const by of ['words', 'meaning', 'both'] as const)
      expect(await other.search(await question('redis cache', { by }))).toEqual([])
    expect(await other.documents({})).toEqual([])
    expect((await other.frequencies(['redi'])).of('redi')).toBe(0)
    expect(await other.status()).toMatchObject({ documents: 0, chunks: 0, vectors: {} })
    await other.write(batchOf([], [{ collection: 'docs', path: 'a' }]))
    expect(await one.search(await question('redis'))).toHaveLength(1)
  })

  test('a word that nothing holds any more leaves no trace', async () => {
    const project = newProject()
    const index = open(project)
    await index.write(
      batchOf([
        { path: 'a', texts: ['alpha beta', 'alpha'] },
        { path: 'b', texts: ['alpha'] },
      ]),
    )
    expect((await index.frequencies(['alpha'])).of('alpha')).toBe(3)
    await index.write(batchOf([], [{ collection: 'docs', path: 'a' }]))
    expect((await index.frequencies(['alpha', 'beta'])).of('alpha')).toBe(1)
    const left = await database.transaction({ project }, (sql) =>
      sql.query<{ term: string }>('SELECT unnest(terms) AS term FROM ken.index_leaves'),
    )
    expect(left).toEqual([{ term: 'alpha' }])
    await index.write(batchOf([], [{ collection: 'docs', path: 'b' }]))
    const rows = ['documents', 'segments', 'leaves', 'vectors'].map((table) => `SELECT FROM ken.index_${table}`)
    expect(await database.transaction({ project }, (sql) => sql.query(rows.join(' UNION ALL ')))).toEqual([])
  })

  test('a batch that cannot land leaves nothing of itself', async () => {
    const index = open()
    await index.write(batchOf([{ path: 'a', texts: ['alpha'] }]))
    const before = await index.status()
    const twice = [
      { path: 'b', texts: ['beta'] },
      { path: 'b', texts: ['beta'] },
    ]
    await expect(index.write(batchOf(twice, [{ collection: 'docs', path: 'a' }]))).rejects.toThrow()
    expect(await index.status()).toEqual(before)
    expect(await index.search(await question('alpha'))).toHaveLength(1)
  })

  test('vectors of an epoch that is over are dropped, and a rebuild is told until it is finished', async () => {
    const index = open()
    await index.write(batchOf([{ path: 'a', texts: ['alpha'] }]))
    const [pending] = await index.unembedded('words-1', 10)
    await index.health.renew(new IndexDamaged('for the test'))
    await expect(index.health.check()).rejects.toThrow(/rebuilt/)
    expect(await index.search(await question('alpha'))).toEqual([])
    await index.write(batchOf([{ path: 'a', texts: ['alpha'] }]))
    const [again] = await index.unembedded('words-1', 10)
    const vector = { bytes: new Int8Array([1, 2]), scale: 1 }
    await index.storeVectors('words-1', [{ chunk: again!.id, epoch: pending!.epoch, vector }])
    expect(await index.unembedded('words-1', 10)).toHaveLength(1)
    await index.storeVectors('words-1', [{ chunk: again!.id, epoch: again!.epoch, vector }])
    expect(await index.unembedded('words-1', 10)).toEqual([])
    await index.health.finish()
    await index.health.check()
  })

  test('text with the character 0 and half a pair of surrogates is taken in', async () => {
    const index = open()
    await index.write(batchOf([{ path: 'a', title: 'a\0b\ud800', texts: ['alpha \0 beta'] }]))
    expect((await index.search(await question('beta')))[0]!.document.title).toBe('a b\ufffd')
  })

  test('knows who defines, calls and imports what, within a scope', async () => {
    const index = open()
    const { documents, ...batch } = batchOf([
      { path: '/r/src/store.ts', texts: ['store'], origin: 'code', workspace: 'w' },
      { path: '/r/src/main.ts', texts: ['main'], origin: 'code', workspace: 'w' },
    ])
    const outlines = [
      {
        definitions: [{ name: 'openStore', kind: 'function', within: [], startLine: 1, endLine: 9 }],
        imports: [],
        calls: [],
      },
      {
        definitions: [{ name: 'main', kind: 'function', within: [], startLine: 3, endLine: 8 }],
        imports: [{ module: './store.ts', line: 1 }],
        calls: [{ name: 'openStore', line: 4 }],
      },
    ] as const
    await index.write({ ...batch, documents: documents.map((one, at) => ({ ...one, outline: outlines[at]! })) })
    const within = { workspaces: ['w'], projects: [] }
    expect(await index.code.symbols('openS', 5, within)).toMatchObject([{ name: 'openStore', path: '/r/src/store.ts' }])
    expect(await index.code.callers('openStore', within)).toEqual([{ path: '/r/src/main.ts', line: 4, inside: 'main' }])
    expect(await index.code.importers('/r/src/store.ts', within)).toMatchObject([{ path: '/r/src/main.ts', line: 1 }])
    expect(await index.code.definedIn('/r/src/main.ts', undefined)).toMatchObject([{ name: 'main' }])
    expect(await index.code.files('main.ts', within)).toEqual(['/r/src/main.ts'])
    expect(await index.code.callers('openStore', { workspaces: ['x'], projects: [] })).toEqual([])
  })
})
