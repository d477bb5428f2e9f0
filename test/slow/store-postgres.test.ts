import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPostgresDatabase } from '../../src/database/postgres/index.ts'
import { migrate } from '../../src/database/schema/migrate.ts'
import type { AppError } from '../../src/kernel/domain/errors.ts'
import { sha256 } from '../../src/kernel/domain/sha256.ts'
import type { ProjectRef } from '../../src/kernel/ports/projects.ts'
import type { SqlDatabase } from '../../src/kernel/ports/sql-database.ts'
import { systemClock as clock } from '../../src/kernel/system/clock.ts'
import { chainEvents, makeEvent } from '../../src/record/domain/journal/change-events.ts'
import type { Store } from '../../src/record/ports/store.ts'
import { openFileStore } from '../../src/record/store/files/index.ts'
import { openPostgresStores } from '../../src/record/store/postgres/index.ts'
import { decisionFile } from '../contract/decision-text.ts'
import { plantRecord } from '../postgres/planted-record.ts'
import { newDatabase, type OwnDatabase } from '../postgres/run-server.ts'

const ORIGIN = { surface: 'cli' } as const
const closing: (() => Promise<void>)[] = []
let server: OwnDatabase
let database: SqlDatabase

const connect = async (): Promise<SqlDatabase> => {
  const opened = await openPostgresDatabase({
    url: server.url,
    connections: 4,
  })
  closing.push(() => opened.close())
  return opened
}
/** A replica with separate connections and memory. */
const replicaOf = async (project: ProjectRef): Promise<Store> => {
  const stores = await openPostgresStores({ database: await connect(), clock, lockTimeoutMs: 120_000 })
  closing.push(() => stores.close())
  return stores.open(project)
}
const giveNumber = (store: Store, title: string): Promise<number> =>
  store.commit(ORIGIN, async (draft) => {
    const num = Math.max(0, ...(await draft.catalogue()).decisions.map((d) => d.num)) + 1
    draft.write(...decisionFile(num, title))
    draft.snapshot(title)
    return num
  })
/** Journal lines from one machine, a second apart, about one file on that machine. */
const machineLines = (name: string, texts: readonly string[], since: string): readonly string[] =>
  chainEvents(
    texts.map((text, i) =>
      makeEvent(
        { origin: ORIGIN, at: new Date(Date.parse(since) + i * 1000).toISOString(), id: () => `${name}-${i}` },
        { operation: 'edit', facts: {}, files: { [`context/${name}.md`]: sha256(text) } },
      ),
    ),
    { tips: [], last: undefined },
  ).lines
const upTo = (most: number): number[] => Array.from({ length: most }, (_, i) => i + 1)

beforeAll(async () => {
  server = await newDatabase()
  database = await connect()
  await migrate(database, { clock })
})
afterAll(async () => {
  for (const close of closing.toReversed()) await close()
  await server.stop()
})

test('four replicas that assign numbers at the same time assign none twice and lose none', async () => {
  const project = await plantRecord(database)
  const replicas = await Promise.all(upTo(4).map(() => replicaOf(project)))
  const numbers = await Promise.all(
    replicas.flatMap((store, i) => upTo(25).map((n) => giveNumber(store, `Number ${n} of replica ${i}`))),
  )
  expect(numbers.toSorted((a, b) => a - b)).toEqual(upTo(100))
  for (const store of replicas) {
    expect((await store.catalogue()).decisions.map((d) => d.num)).toEqual(upTo(100))
    expect(await store.verify()).toEqual([])
  }
  expect((await replicas[0]!.journal()).length).toBe(100)
})

test('while connections are dropped repeatedly, every acknowledged change is stored once', async () => {
  const project = await plantRecord(database)
  const [steady, victim] = [await replicaOf(project), await replicaOf(project)]
  const killer = await connect()
  const acknowledged: string[] = []
  const unsure: string[] = []
  let isDone = false
  const work = async (store: Store, name: string) => {
    for (const n of upTo(20)) {
      const title = `Change ${n} of ${name}`
      await giveNumber(store, title).then(
        () => acknowledged.push(title),
        (error: unknown) => {
          expect(error).toMatchObject({ code: 'unavailable' })
          if ((error as AppError).details?.['outcome'] === 'unknown') unsure.push(title)
        },
      )
    }
  }
  const kill = async () => {
    let cut = 0
    while (!isDone) {
      // Connections for locks and transactions of all replicas, except the connection that kills.
      const rows = await killer.transaction('server', (sql) =>
        sql.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND application_name LIKE 'ken%' AND pid <> pg_backend_pid() AND backend_type = 'client backend'
           ORDER BY random() LIMIT 1`,
        ),
      )
      cut += rows.length
      await new Promise((resolve) => setTimeout(resolve, 15))
    }
    return cut
  }
  const killing = kill()
  await Promise.all([work(steady, 'one'), work(victim, 'two')])
  isDone = true
  expect(await killing).toBeGreaterThan(10)
  const fresh = await replicaOf(project)
  const { decisions } = await fresh.catalogue()
  const titles = decisions.map(({ title }) => title)
  expect(acknowledged.filter((title) => !titles.includes(title))).toEqual([])
  expect(decisions.map(({ num }) => num)).toEqual(upTo(decisions.length))
  expect(new Set(titles).size).toBe(titles.length)
  // Refused changes are not stored, unless their outcome was unknown.
  expect(titles.filter((title) => !acknowledged.includes(title) && !unsure.includes(title))).toEqual([])
  expect(acknowledged.length).toBeGreaterThan(20)
  expect(await fresh.verify()).toEqual([])
})

test('a change that lost its lock fails if another change was committed meanwhile', async () => {
  const project = await plantRecord(database)
  const [one, two] = [await replicaOf(project), await replicaOf(project)]
  const slow = one.commit(ORIGIN, async (draft) => {
    draft.write('project.md', 'slow')
    await database.transaction('server', (sql) =>
      sql.query(
        `SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN pg_stat_activity a USING (pid)
         WHERE a.datname = current_database() AND l.locktype = 'advisory' AND l.granted AND a.application_name = 'ken locks'`,
      ),
    )
    await two.commit(ORIGIN, async (other) => other.write('project.md', 'quick'))
  })
  await expect(slow).rejects.toMatchObject({ code: 'unavailable', details: { recorded: 'no' } })
  expect([await one.read('project.md'), (await one.journal()).length, await one.verify()]).toEqual(['quick', 1, []])
})

test('replicas that import lines from four machines while connections drop have each line once', async () => {
  const project = await plantRecord(database)
  const replicas = await Promise.all(upTo(4).map(() => replicaOf(project)))
  const killer = await connect()
  const taken = replicas.map((_, i) => machineLines(`m${i}`, upTo(8).map(String), `2025-01-01T00:00:00.${i}00Z`))
  let isDone = false
  const killing = (async () => {
    while (!isDone) {
      await killer.transaction('server', (sql) =>
        sql.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND application_name LIKE 'ken%' AND pid <> pg_backend_pid() AND backend_type = 'client backend'
           ORDER BY random() LIMIT 1`,
        ),
      )
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
  })()
  const takeUntilTold = async (store: Store, i: number, count: number): Promise<void> => {
    const attempt = store.commit(ORIGIN, async (draft) => {
      draft.take(taken[i]!.slice(0, count))
      draft.write(`context/m${i}.md`, String(count))
    })
    await attempt.catch((error: unknown) => {
      expect(error).toMatchObject({ code: 'unavailable' })
      return takeUntilTold(store, i, count)
    })
  }
  await Promise.all(
    replicas.map(async (store, i) => {
      for (const count of upTo(8)) await takeUntilTold(store, i, count)
    }),
  )
  isDone = true
  await killing
  const fresh = await replicaOf(project)
  const lines = (await fresh.history.lines()).map(({ text }) => text)
  expect(new Set(lines).size).toBe(lines.length)
  expect(lines.filter((line) => taken.flat().includes(line)).toSorted()).toEqual(taken.flat().toSorted())
  expect(await Promise.all(upTo(4).map((i) => fresh.read(`context/m${i - 1}.md`)))).toEqual(['8', '8', '8', '8'])
  expect(await fresh.verify()).toEqual([])
})

test('a journal longer than one page is read consistently while lines are added', async () => {
  const project = await plantRecord(database)
  const [reader, writer] = [await replicaOf(project), await replicaOf(project)]
  const many = machineLines('many', upTo(5_500).map(String), '2025-01-01T00:00:00.000Z')
  await writer.commit(ORIGIN, async (draft) => {
    draft.take(many)
    draft.write('context/many.md', '5500')
  })
  let isDone = false
  const reading = (async () => {
    const sizes = new Set<number>()
    while (!isDone) {
      const lines = await reader.history.lines()
      expect(new Set(lines.map((line) => line.sha256)).size).toBe(lines.length)
      expect(lines.filter(({ event }) => event?.id.startsWith('many-')).map(({ text }) => text)).toEqual(many)
      sizes.add(lines.length)
    }
    return sizes
  })()
  for (const n of upTo(6))
    await writer.commit(ORIGIN, async (draft) => {
      draft.take(machineLines(`early${n}`, ['x'], '2025-01-01T00:00:00.500Z'))
      draft.write(`context/early${n}.md`, 'x')
    })
  isDone = true
  expect((await reading).size).toBeGreaterThan(1)
  expect(await reader.verify()).toEqual([])
})

test('files and journal written to a folder are a record that verifies', async () => {
  const project = await plantRecord(database, { 'stack.md': 'from elsewhere', '.decision-hashes.json': '{}' })
  const store = await replicaOf(project)
  for (const n of upTo(5)) await giveNumber(store, `Number ${n}`)
  await store.commit(ORIGIN, async (draft) => {
    draft.remove('decisions/002-number-2.md')
    draft.note('tidy', { why: 'quotes " and \\ and \u2028 and é' })
  })
  await store.care.rewrite(ORIGIN, {
    operation: 'redact',
    facts: {},
    change: async (text) => text.replaceAll('elsewhere', '[redacted]'),
    rename: (path) => path,
  })
  const home = mkdtempSync(join(tmpdir(), 'ken-export-'))
  try {
    const lines = await database.transaction({ project: project.id }, (sql) =>
      sql.query<{ line: string }>('SELECT line FROM ken.record_events WHERE project = $1 ORDER BY place', [project.id]),
    )
    const files = await Promise.all(
      [...(await store.list()), '.decision-hashes.json'].map(
        async (path) => [path, (await store.read(path))!] as const,
      ),
    )
    const journal = ['journal/events.jsonl', lines.map(({ line }) => `${line}\n`).join('')] as const
    for (const [path, text] of [...files, journal]) {
      mkdirSync(dirname(join(home, 'record', path)), { recursive: true })
      writeFileSync(join(home, 'record', path), text)
    }
    const exported = await openFileStore({
      root: join(home, 'record'),
      project: { ...project, mode: 'local' },
      cacheDir: join(home, 'cache'),
      stateDir: join(home, 'state'),
      clock,
    })
    expect(await exported.verify()).toEqual([])
    expect((await exported.catalogue()).decisions).toEqual((await store.catalogue()).decisions)
    expect(await exported.journal()).toEqual(await store.journal())
    await exported.close()
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
})

test('a record with more decisions than one page is read completely while it changes', async () => {
  const project = await plantRecord(
    database,
    Object.fromEntries(upTo(4_500).map((n) => decisionFile(n, `Planted ${n}`))),
  )
  const [reader, writer] = [await replicaOf(project), await replicaOf(project)]
  const [read, written] = await Promise.all([reader.catalogue(), giveNumber(writer, 'While it is read')])
  expect([4_500, 4_501]).toContain(read.decisions.length)
  expect([written, (await reader.catalogue()).decisions.length]).toEqual([4_501, 4_501])
})
