import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SqlDatabase, SqlValue } from '../src/kernel/ports/sql-database.ts'
import { openGroundShelf } from '../src/memory/index/postgres/ground-shelf.ts'
import { layGround, loadSegment } from '../src/memory/index/postgres/ground.ts'
import { openPostgresIndex } from '../src/memory/index/postgres/index.ts'
import { packParts } from '../src/memory/index/postgres/segment.ts'
import { openVectorCache } from '../src/memory/index/postgres/vector-cache.ts'
import { openSqliteIndex } from '../src/memory/index/sqlite/index.ts'
import { IndexDamaged } from '../src/retrieval/domain/index-damaged.ts'
import { openVectorScan } from '../src/retrieval/vectors/index.ts'
import { batchOf, describeSearchIndex, embedAll, question } from './contract/search-index.contract.ts'
import { openNewDatabase } from './postgres/run-server.ts'
import { documentsOfRepository, expectSameAnswers } from './postgres/same-answers.ts'

let database: SqlDatabase
let projects = 0
const newProject = () => `project-${++projects}`
const open = (project = newProject()) => openPostgresIndex({ database, project })

beforeAll(async () => {
  database = await openNewDatabase()
})
afterAll(() => database.close())

describeSearchIndex('PostgreSQL', () => open())
describeSearchIndex(
  'PostgreSQL, by a replica that holds what it has read',
  () => openPostgresIndex({ database, project: newProject(), shelf: openVectorCache(), ground: openGroundShelf() }),
  { examples: 3 },
)

describe('the index in PostgreSQL', () => {
  test('answers like the one in SQLite', async () => {
    const [lite, index] = [openSqliteIndex({ path: ':memory:', openScan: openVectorScan }), open()]
    for (const batch of await documentsOfRepository()) for (const one of [lite, index]) await one.write(batch)
    expect((await index.status()).documents).toBeGreaterThan(200)
    await expectSameAnswers(lite, index)
    await lite.close()
  })

  test('notifies which project changed after the change is committed', async () => {
    const heard: (string | undefined)[] = []
    const listening = await database.listen('ken_index', (project) => heard.push(project))
    await open('telling').write(batchOf([{ path: 'a', texts: ['alpha'] }]))
    await expect.poll(() => heard).toContain('telling')
    await listening.close()
  })

  test('cached vectors are read once, then only new ones, and scopes filter as without a cache', async () => {
    const read: number[] = []
    const listened: SqlDatabase = {
      ...database,
      transaction: (scope, work) =>
        database.transaction(scope, (sql) =>
          work({
            async query<Row extends object>(text: string, values?: readonly SqlValue[]) {
              const rows = await sql.query<Row>(text, values)
              const [page] = rows as readonly { chunks?: readonly number[] | null }[]
              if (text.includes('string_agg(bytes')) read.push(page?.chunks?.length ?? 0)
              return rows
            },
          }),
        ),
    }
    const project = newProject()
    const [shelf, ground] = [openVectorCache(), openGroundShelf()]
    const [index, plain] = [openPostgresIndex({ database: listened, project, shelf, ground }), open(project)]
    const write = async (samples: Parameters<typeof batchOf>[0], removed: string[] = []) => {
      await plain.write(
        batchOf(
          samples,
          removed.map((path) => ({ collection: 'docs', path })),
        ),
      )
      await embedAll(plain, samples)
    }
    const questions = await Promise.all(
      [{}, { within: { workspaces: ['w'], projects: [] } }].map((scope) =>
        question('caching', { by: 'meaning', scope }),
      ),
    )
    const reads = async () => {
      for (const one of [...questions, ...questions]) expect(await index.search(one)).toEqual(await plain.search(one))
      return read.splice(0)
    }
    await write([
      { path: 'a', texts: ['redis cache'], workspace: 'w' },
      { path: 'b', texts: ['kafka queue', 'memcached'] },
    ])
    expect(await reads()).toEqual([3])
    expect(await index.search(questions[1]!)).toHaveLength(1)
    await write([{ path: 'c', texts: ['remember'] }])
    expect(await reads()).toEqual([1])
    await write([{ path: 'b', texts: ['memcached'] }], ['c'])
    expect(await reads()).toEqual([1])
    // Words are indexed first: chunks without a vector are requested again.
    const late = [{ path: 'd', texts: ['cached', 'caches'] }]
    await plain.write(batchOf(late))
    expect(await reads()).toEqual([0])
    await embedAll(plain, late)
    expect(await reads()).toEqual([2])
    await write([], ['a'])
    expect(await reads()).toEqual([])
    shelf.drop()
    expect(await reads()).toEqual([3])
  })

  test('a full cache drops the least recently used entry; one large project may fill it alone', async () => {
    const shelf = openVectorCache({ most: 100, largest: 200 })
    const of = (project: string, vectors = 1) => {
      const made = {
        generation: 1,
        chunks: new Float64Array(vectors),
        documents: new Float64Array(vectors),
        scales: new Float32Array(vectors),
        bytes: new Int8Array(vectors * 20),
      }
      let isHeld = false
      return shelf
        .use({ project, embedder: 'e', dimensions: 20 }, async (held) => {
          isHeld = held !== undefined
          return held ?? made
        })
        .then(() => isHeld)
    }
    for (const project of ['a', 'b', 'a', 'c']) await of(project)
    expect([await of('a'), await of('c'), await of('b')]).toEqual([true, true, false])
    await of('d', 5)
    expect([await of('d', 5), await of('a')]).toEqual([true, false])
    expect(await of('d', 5)).toBe(false)
    await of('e', 6)
    expect(await of('e', 6)).toBe(false)
    expect([shelf.hasRoomFor(5, 20), shelf.hasRoomFor(6, 20)]).toEqual([true, false])
  })

  test('a request during a read of vectors waits for it, and a failed read blocks no one', async () => {
    const shelf = openVectorCache()
    const place = { project: 'p', embedder: 'e', dimensions: 1 }
    const made = (generation: number) => ({
      generation,
      chunks: new Float64Array(1),
      documents: new Float64Array(1),
      scales: new Float32Array(1),
      bytes: new Int8Array(1),
    })
    const failing = shelf.use(place, async () => Promise.reject(new Error('cut')))
    const seen: (number | undefined)[] = []
    const asked = [1, 2, 3].map((generation) =>
      shelf.use(place, async (held) => {
        seen.push(held?.generation)
        await setTimeout(1)
        return made(generation)
      }),
    )
    await expect(failing).rejects.toThrow('cut')
    expect((await Promise.all(asked)).map(({ generation }) => generation)).toEqual([1, 2, 3])
    expect(seen).toEqual([undefined, 1, 2])
  })

  test('the chunks and documents of a replica are updated with later changes by others', async () => {
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
        { path: 'b', texts: ['cache'], superseded: { as: 'superseded', by: 'a' } },
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
    // As after a restore: the cached generations never existed.
    ground.put(project, { ...ground.get(project)!, generation: 1_000 })
    await other.write(batchOf([{ path: 'e', texts: ['redis cache'] }]))
    expect(await sameAnswers()).toEqual([0, 1, 0])
  })

  test('the least recently used entry is dropped first, and an entry larger than the cache replaces all others', () => {
    const of = (rows: number) => layGround(1, new Map([[0, loadSegment(1, packParts([partOf(rows)]))]]))
    const partOf = (rows: number) => {
      const lengths = Array.from({ length: rows }, () => 1)
      return { id: 1, firstChunk: 0, lengths, marks: lengths.map(() => 0), isSuperseded: false }
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

  test('a word that is no longer used is removed completely', async () => {
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

  test('a failed batch leaves nothing behind', async () => {
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

  test('vectors of a past epoch are dropped, and a rebuild is reported until it is finished', async () => {
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

  test('text with NUL and unpaired surrogates is accepted', async () => {
    const index = open()
    await index.write(batchOf([{ path: 'a', title: 'a\0b\ud800', texts: ['alpha \0 beta'] }]))
    expect((await index.search(await question('beta')))[0]!.document.title).toBe('a b\ufffd')
  })

  test('returns definitions, calls and imports within a scope', async () => {
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
