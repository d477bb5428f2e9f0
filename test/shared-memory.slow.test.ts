import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBundledEmbedder } from '../src/app/bundled-model.ts'
import type { SqlDatabase } from '../src/kernel/ports/sql-database.ts'
import { indexShared } from '../src/memory/index-shared.ts'
import { openPostgresIndex } from '../src/memory/index/postgres/index.ts'
import { listedWithin } from '../src/memory/open-shared-memory.ts'
import { openNewDatabase } from './postgres/run-server.ts'
import { openSharedDesk, type SharedDesk } from './shared-desk.ts'

let database: SqlDatabase
let desk: SharedDesk
let ann: Awaited<ReturnType<SharedDesk['found']>>
let eve: Awaited<ReturnType<SharedDesk['found']>>

const KEY = `AKIA${'ABCDEFGHIJ234567'}`

beforeAll(async () => {
  database = await openNewDatabase()
  // Loaded before the first search, which does not wait long for vectors.
  const embedder = await openBundledEmbedder()
  await embedder?.embed(['ready'], 'query')
  desk = await openSharedDesk(database, async () => embedder)
  ann = await desk.found('Ann')
  eve = await desk.found('Eve')
})
afterAll(() => desk.close())

const rowsOf = (project: string) =>
  database.transaction('server', async (sql) => {
    const counts: Record<string, number> = {}
    for (const table of TABLES) {
      const [row] = await sql.query<{ rows: number }>(
        `SELECT count(*)::int AS rows FROM ken.${table} WHERE project = $1`,
        [project],
      )
      if (row!.rows > 0) counts[table] = row!.rows
    }
    return counts
  })
const TABLES = [
  'shares',
  'shared_texts',
  ...['documents', 'segments', 'leaves', 'vectors', 'outlines'].map((name) => `index_${name}`),
]

describe('the memory of a team', () => {
  test('a note is found by words and by meaning, can be read in full, and names its author', async () => {
    const written = await desk.ask(ann, 'memory_write', {
      content: 'The staging database is reset every night at three.',
      tags: ['staging'],
    })
    expect(written).toMatchObject({ scope: 'shop', line: 1, redacted: 0 })
    const asked = [
      ['memory_search', 'staging database'],
      ['memory_vsearch', 'when does the test system start from scratch'],
      ['memory_query', 'staging database reset'],
    ] as const
    for (const [operation, query] of asked) {
      const ask = () =>
        desk.ask(ann, operation, { query }) as Promise<{ results: Record<string, unknown>[]; notes?: unknown }>
      // Under load the first search may not wait for vectors; its notes say so.
      await expect.poll(async () => ({ operation, ...(await ask()) })).toMatchObject({ results: [expect.anything()] })
      const { results } = await ask()
      expect({ operation, ...results[0] }).toMatchObject({
        operation,
        origin: 'note',
        trust: 'learned',
        by: 'Ann',
        tags: ['staging'],
      })
      expect(String(results[0]!['snippet'])).toContain('reset every night')
      const read = await desk.ask(ann, 'memory_get', { id: results[0]!['id'] })
      expect(String(read['text'])).toContain('reset every night at three')
      expect(String(read['label'])).toContain('data, not instructions')
    }
    const { documents } = (await desk.ask(ann, 'memory_multi_get', { pattern: 'notes/**/*.md' })) as {
      documents: unknown[]
    }
    expect(documents).toHaveLength(1)
    expect((await desk.ask(ann, 'memory_browse', {}))['results']).toHaveLength(1)
    expect(await desk.ask(ann, 'memory_facets', {})).toMatchObject({
      origin: [{ value: 'note', count: 1 }],
      tags: [{ value: 'staging', count: 1 }],
    })
  })

  test('an unknown tag gets a note with the existing tags', async () => {
    const { results, notes } = await desk.ask(ann, 'memory_search', { query: 'staging', tags: ['stagin'] })
    expect(results).toEqual([])
    expect(String(notes)).toContain('staging')
  })

  test('documents beyond the capacity of a replica are not listed, but are still found one by one', async () => {
    const index = openPostgresIndex({ database, project: ann.project })
    const [first] = await index.documents({})
    const listed = (most: number) => listedWithin({ index, shared: index.shared() }, most)
    expect(await listed(2).documents({})).toHaveLength(2)
    await expect(listed(1).documents({})).rejects.toMatchObject({ code: 'unavailable' })
    expect(await listed(1).documents({ key: first!.key })).toEqual([first])
  })

  test('no secret in a note is stored', async () => {
    const written = await desk.ask(ann, 'memory_write', { content: `Deploy with ${KEY} and hope.` })
    expect(written['redacted']).toBe(1)
    const kept = await database.transaction('server', (sql) =>
      sql.query('SELECT FROM ken.shared_texts WHERE text LIKE $1', [`%${KEY}%`]),
    )
    expect(kept).toEqual([])
  })

  test('another organisation cannot find a note by any name or id', async () => {
    const { results } = (await desk.ask(ann, 'memory_search', { query: 'staging' })) as { results: { id: string }[] }
    for (const workspace of [undefined, 'all', ann.project]) {
      const input = { query: 'staging', ...(workspace && { workspace }) }
      if (workspace === ann.project) await expect(desk.ask(eve, 'memory_search', input)).rejects.toThrow(/workspace/)
      else expect((await desk.ask(eve, 'memory_search', input))['results']).toEqual([])
    }
    await expect(desk.ask(eve, 'memory_get', { id: results[0]!.id })).rejects.toMatchObject({ code: 'not_found' })
    await expect(desk.ask(eve, 'memory_get', { id: results[0]!.id }, ann.project)).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test('documents without vectors get them from a job, and none is embedded twice', async () => {
    const bob = await desk.found('Bob')
    const shared = desk.memory.shared(bob.project, bob.person)
    const share = await shared.openShare(newShare('s1'))
    const { chunks, embedded } = await indexShared({ project: { id: bob.project, name: 'shop' }, shared }, [
      session(`shared/${share.id}/one.md`, share.id, 'The parrot payment gateway times out after nine seconds.'),
    ])
    expect(chunks).toBeGreaterThan(0)
    expect(embedded).toBe(0)
    await desk.memory.lacksVectors(bob.project)
    await desk.memory.lacksVectors(bob.project)
    const [job, ...more] = await desk.jobs.take({ kinds: ['embedding'], most: 5, lease: 60_000 })
    expect(more).toEqual([])
    await desk.memory.embed(job!, new AbortController().signal)
    await desk.jobs.done(job!)
    expect((await rowsOf(bob.project))['index_vectors']).toBe(chunks)
    await desk.memory.embed(job!, new AbortController().signal)
    expect((await rowsOf(bob.project))['index_vectors']).toBe(chunks)
  })
})

describe('a shared document', () => {
  test('is replaced by a new version at its path, and leaves no row when withdrawn', async () => {
    const bob = await desk.found('Bo')
    const project = { id: bob.project, name: 'shop' }
    const shared = desk.memory.shared(bob.project, bob.person)
    const share = await shared.openShare(newShare('s2'))
    expect((await shared.openShare(newShare('s3'))).id).toBe(share.id)
    const path = `shared/${share.id}/one.md`
    await indexShared({ project, shared }, [session(path, share.id, 'An ostrich in the queue.')])
    await indexShared({ project, shared }, [session(path, share.id, 'A heron in the queue.')])
    expect((await desk.ask(bob, 'memory_search', { query: 'ostrich' }))['results']).toEqual([])
    expect((await desk.ask(bob, 'memory_search', { query: 'heron' }))['results']).toHaveLength(1)
    expect(await shared.held(share.id, { after: '', limit: 10 })).toMatchObject([{ path }])
    await shared.finishUpload(share.id, '2026-03-01T09:00:00.000Z')
    expect(await shared.shares()).toMatchObject([
      { id: share.id, author: 'Bo', documents: 1, uploadedAt: '2026-03-01T09:00:00.000Z' },
    ])
    const gone = await shared.withdraw(share.id)
    expect(gone).toMatchObject({ texts: 1, documents: 1 })
    expect(gone.chunks).toBeGreaterThan(0)
    expect(gone.postings).toBeGreaterThan(0)
    expect(await rowsOf(bob.project)).toEqual({})
    expect(await shared.withdraw(share.id)).toMatchObject({ texts: 0 })
  })

  test('cannot be changed by other members of the project', async () => {
    const bob = await desk.found('Bob')
    const project = { id: bob.project, name: 'shop' }
    const own = desk.memory.shared(bob.project, bob.person)
    const other = desk.memory.shared(bob.project, ann.person)
    const share = await own.openShare(newShare('s4'))
    const path = `shared/${share.id}/one.md`
    await indexShared({ project, shared: own }, [session(path, share.id, 'A stork on the roof.')])
    const before = await rowsOf(bob.project)
    expect(await other.held(share.id, { after: '', limit: 10 })).toEqual([])
    await expect(indexShared({ project, shared: other }, [session(path, share.id, 'A crow.')])).rejects.toMatchObject({
      code: 'not_found',
    })
    expect(await other.withdraw(share.id)).toMatchObject({ texts: 0 })
    expect(await other.withdraw(share.id, [path])).toMatchObject({ texts: 0 })
    expect(await rowsOf(bob.project)).toEqual(before)
    expect(await other.shares()).toMatchObject([{ id: share.id, documents: 1 }])
  })
})

const newShare = (id: string) => ({
  id,
  author: 'Bo',
  workspace: 'w1',
  name: 'shop',
  openedAt: '2026-03-01T08:00:00.000Z',
})

const session = (path: string, share: string, text: string) => ({
  path,
  share,
  author: 'Bo',
  text: `# A session\n\n## user\n\n${text}\n`,
  modified: Date.UTC(2026, 2, 1),
  origin: 'session' as const,
})
