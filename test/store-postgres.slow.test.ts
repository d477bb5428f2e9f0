import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AppError } from '../src/kernel/domain/errors.ts'
import { sha256 } from '../src/kernel/domain/sha256.ts'
import type { SqlDatabase } from '../src/kernel/ports/sql-database.ts'
import { systemClock } from '../src/kernel/system/clock.ts'
import { formatHashIndex, parseHashIndex } from '../src/record/domain/decision/duplicate.ts'
import { parseDecision } from '../src/record/domain/decision/parse.ts'
import { hashOf } from '../src/record/domain/doctor.ts'
import { HASHES } from '../src/record/domain/files.ts'
import { chainEvents, makeEvent } from '../src/record/domain/journal/change-events.ts'
import type { Draft, Store } from '../src/record/ports/store.ts'
import { planRedaction, redactRecord } from '../src/record/redact.ts'
import {
  openPostgresStores,
  type PostgresStores,
  type PostgresStoresOptions,
} from '../src/record/store/postgres/index.ts'
import { prepareTexts } from '../src/record/store/postgres/rewrite-texts.ts'
import { wordsRedactor } from '../src/record/words-redactor.ts'
import { decisionFile } from './contract/decision-text.ts'
import { stepClock } from './contract/step-clock.ts'
import { describeStore } from './contract/store.contract.ts'
import { plantRecord } from './postgres/planted-record.ts'
import { openNewDatabase } from './postgres/run-server.ts'

const ORIGIN = { surface: 'cli' } as const
const AGENT = { surface: 'mcp-http' } as const
let database: SqlDatabase
const opened: PostgresStores[] = []
beforeAll(async () => {
  database = await openNewDatabase()
})
afterAll(async () => {
  await Promise.all(opened.map((stores) => stores.close()))
  await database.close()
})

const openStores = async (options: Partial<PostgresStoresOptions> = {}): Promise<PostgresStores> => {
  const stores = await openPostgresStores({ database, clock: stepClock(), ...options })
  opened.push(stores)
  return stores
}
const write = (store: Store, files: Readonly<Record<string, string>>, more?: (draft: Draft) => void) =>
  store.commit(ORIGIN, async (draft) => {
    for (const [path, text] of Object.entries(files)) draft.write(path, text)
    more?.(draft)
  })
/** Runs SQL directly, as at the database's own prompt. */
const byHand = (statement: string, ...values: string[]) =>
  database.transaction('server', (sql) => sql.query<Record<string, unknown>>(statement, values))

describeStore('PostgreSQL', {
  keepsEveryState: true,
  open: async (files, options) => (await openStores(options)).open(await plantRecord(database, files)),
})

describe('replicas', () => {
  test('one instance sees the writes of another, their trust, and a rewrite of the past', async () => {
    const project = await plantRecord(database)
    const [one, two] = [(await openStores()).open(project), (await openStores()).open(project)]
    const titles = async () => (await two.catalogue()).decisions.map(({ title, trust }) => `${title}: ${trust}`)
    expect(await titles()).toEqual([])
    await write(one, Object.fromEntries([decisionFile(1, 'Queues in Redis')]))
    expect(await titles()).toEqual(['Queues in Redis: approved'])
    await one.commit(AGENT, async (draft) => draft.write(...decisionFile(2, 'Mail by a provider')))
    expect(await titles()).toEqual(['Queues in Redis: approved', 'Mail by a provider: proposed by an agent'])
    await one.care.rewrite(ORIGIN, {
      operation: 'redact',
      facts: {},
      change: async (text) => text.replaceAll(/redis/gi, 'memory'),
      rename: (path) => path.replace('redis', 'memory'),
    })
    expect(await titles()).toEqual(['Queues in memory: approved', 'Mail by a provider: proposed by an agent'])
    const ask = { limit: 5, among: 'all', check: false } as const
    expect((await two.rank({ ...ask, text: 'redis' })).hits).toEqual([])
    await one.commit(ORIGIN, async (draft) => draft.remove('decisions/001-queues-in-memory.md'))
    expect(await titles()).toEqual(['Mail by a provider: proposed by an agent'])
  })

  test('a text cached by a call is not given to a call that starts after another replica changed it', async () => {
    const project = await plantRecord(database)
    const [path, text] = decisionFile(1, 'Queues in Redis')
    const [one, two] = [(await openStores()).open(project), await openStores()]
    /** Reads as a call does: the record is looked up first. */
    const read = async (...paths: string[]) => {
      const store = two.open(project, { forOneCall: true })
      await store.catalogue()
      return Promise.all(paths.map((name) => store.read(name)))
    }
    await write(one, { [path]: text, 'state.md': 'before', 'gone.md': 'here' })
    expect(await read(path, 'state.md', 'gone.md', 'new.md')).toEqual([text, 'before', 'here', undefined])
    const changed = text.replace('Redis', 'memory')
    await write(one, { [path]: changed, 'state.md': 'after', 'new.md': 'new' }, (draft) => draft.remove('gone.md'))
    expect(await read(path, 'state.md', 'gone.md', 'new.md')).toEqual([changed, 'after', undefined, 'new'])
    const replaced = { operation: 'redact', facts: {}, rename: (name: string) => name }
    await one.care!.rewrite(ORIGIN, { ...replaced, change: async (was) => was.replaceAll('after', 'later') })
    expect(await read('state.md')).toEqual(['later'])
  })

  test('the memory cache is bounded, and evicted entries are loaded again', async () => {
    const stores = await openStores({ bounds: { projects: 1, decisions: 1_000 } })
    const projects = await Promise.all(
      ['Alpha', 'Beta', 'Gamma'].map((title) =>
        plantRecord(database, Object.fromEntries([decisionFile(1, `${title} first`)])),
      ),
    )
    const titles = async () =>
      Promise.all(projects.map(async (one) => (await stores.open(one).catalogue()).decisions.map((d) => d.title)))
    expect(await titles()).toEqual([['Alpha first'], ['Beta first'], ['Gamma first']])
    expect(await titles()).toEqual([['Alpha first'], ['Beta first'], ['Gamma first']])
  })

  test('a change made while another replica verifies is not a fault', async () => {
    const project = await plantRecord(database)
    const writer = (await openStores()).open(project)
    await write(writer, { 'project.md': 'p' })
    let change: (() => Promise<unknown>) | undefined = () => write(writer, { 'project.md': 'q' })
    // The change is made after the files were read and before the journal is read.
    const interrupted: SqlDatabase = {
      ...database,
      transaction: async (...asked: Parameters<SqlDatabase['transaction']>) => {
        const answer = await database.transaction(...asked)
        const [now] = [change, (change = undefined)]
        await now?.()
        return answer as never
      },
    }
    expect(await (await openStores({ database: interrupted })).open(project).verify()).toEqual([])
    expect(change).toBeUndefined()
  })

  test('a change overtaken after losing its lock is not stored, and fails', async () => {
    const project = await plantRecord(database)
    const unlocked: SqlDatabase = { ...database, withLock: (_name, _patience, work) => work([]) }
    const [one, two] = [(await openStores()).open(project), (await openStores({ database: unlocked })).open(project)]
    await write(one, { 'project.md': 'p' })
    const late = two.commit(ORIGIN, async (draft) => {
      draft.write('project.md', 'late')
      await write(one, { 'stack.md': 's' })
    })
    await expect(late).rejects.toMatchObject({ code: 'unavailable', details: { recorded: 'no' } })
    expect([await one.read('project.md'), await one.read('stack.md')]).toEqual(['p', 's'])
    expect(await one.verify()).toEqual([])
  })

  test.each([
    ['has landed', true],
    ['has not landed', false],
  ])('a change with an unknown outcome is stored once: it %s', async (_title, lands) => {
    const project = await plantRecord(database)
    let [isCut, ran] = [false, 0]
    const failing: SqlDatabase = {
      ...database,
      async batch(scope, statements) {
        if (!isCut) return database.batch(scope, statements)
        isCut = false
        if (lands) await database.batch(scope, statements)
        throw new AppError('unavailable', 'lost', { details: { outcome: 'unknown' } })
      },
    }
    const store = (await openStores({ database: failing })).open(project)
    await write(store, { 'project.md': 'p' })
    const answer = await store.commit(ORIGIN, async (draft) => {
      draft.write('project.md', 'once')
      ran += 1
      isCut = true
      return 'done'
    })
    expect([answer, ran, await store.read('project.md'), (await store.journal()).length]).toEqual([
      'done',
      1,
      'once',
      2,
    ])
    expect(await store.verify()).toEqual([])
  })
})

describe('journal lines of another machine', () => {
  const elsewhere = (id: string, path: string) => {
    const origin = { surface: 'cli' } as const
    const event = { operation: 'edit', facts: {}, files: { [path]: sha256(id) } }
    const made = makeEvent({ origin, at: '2020-01-01T00:00:00.000Z', id: () => id }, event)
    return chainEvents([made], { tips: [], last: undefined }).lines
  }
  const take = (store: Store, lines: readonly string[], files: Readonly<Record<string, string>>) =>
    write(store, files, (draft) => draft.take(lines))

  test('a replica with a cached journal sees lines inserted since', async () => {
    const project = await plantRecord(database)
    const clock = stepClock()
    const [one, two] = [(await openStores({ clock })).open(project), (await openStores({ clock })).open(project)]
    await one.commit(AGENT, async (draft) => draft.write(...decisionFile(1, 'Queues in Redis')))
    await write(one, { 'stack.md': 's' })
    expect((await two.catalogue()).decisions.map(({ trust }) => trust)).toEqual(['proposed by an agent'])
    await take(one, elsewhere('x', 'a.md'), { 'a.md': 'x' })
    await write(two, { 'stack.md': 't' })
    await take(two, elsewhere('y', 'b.md'), { 'b.md': 'y' })
    expect((await two.catalogue()).decisions.map(({ trust }) => trust)).toEqual(['proposed by an agent'])
    expect(await one.history.lines()).toEqual(await two.history.lines())
    expect([(await one.journal()).length, await one.verify(), await two.verify()]).toEqual([7, [], []])
  })

  test('are numbered without gaps, and every line keeps its revision', async () => {
    const project = await plantRecord(database)
    const store = (await openStores()).open(project)
    await write(store, { 'project.md': 'p' })
    await write(store, { 'stack.md': 's' })
    await take(store, elsewhere('x', 'a.md'), { 'a.md': 'x' })
    const rows = await byHand(
      'SELECT place, revision FROM ken.record_events WHERE project = $1 ORDER BY place',
      project.id,
    )
    expect(rows.map(({ place, revision }) => [place, revision])).toEqual([
      [1, 3],
      [2, 1],
      [3, 2],
      [4, 3],
    ])
  })

  test('an import without changes creates no revision', async () => {
    const project = await plantRecord(database)
    const store = (await openStores()).open(project)
    await take(store, elsewhere('x', 'a.md'), { 'a.md': 'x' })
    await take(store, elsewhere('x', 'a.md'), { 'a.md': 'x' })
    expect(await byHand('SELECT revision FROM ken.records WHERE project = $1', project.id)).toEqual([{ revision: 1 }])
  })

  test('are not added to a truncated journal, or if the database cannot store them', async () => {
    const project = await plantRecord(database)
    const store = (await openStores()).open(project)
    await write(store, { 'project.md': 'p' })
    await write(store, { 'stack.md': 's' })
    await expect(take(store, ['a\0b'], {})).rejects.toMatchObject({ code: 'invalid_input' })
    await byHand('DELETE FROM ken.record_events WHERE project = $1 AND place = 2', project.id)
    await expect(take(store, elsewhere('x', 'a.md'), { 'a.md': 'x' })).rejects.toMatchObject({ code: 'damaged' })
    expect([await store.read('a.md'), (await store.journal()).length]).toEqual([undefined, 1])
  })
})

describe('two projects', () => {
  test('never see each other’s rows', async () => {
    const stores = await openStores()
    const [mine, theirs] = [await plantRecord(database), await plantRecord(database)]
    const [here, there] = [stores.open(mine), stores.open(theirs)]
    const [path, text] = decisionFile(1, 'Secret of theirs')
    await write(there, { [path]: text, 'project.md': 'theirs' }, (draft) => draft.snapshot('theirs'))
    await write(here, { 'stack.md': 'mine' })
    expect([await here.read(path), await here.list(), (await here.catalogue()).decisions]).toEqual([
      undefined,
      ['stack.md'],
      [],
    ])
    expect([await here.snapshots.list(), await here.snapshots.read(1), await here.verify()]).toEqual([
      [],
      undefined,
      [],
    ])
    for await (const kept of here.care.everything()) expect(JSON.stringify(kept)).not.toContain('theirs')
    for (const table of ['records', 'record_texts', 'record_files', 'record_events', 'record_snapshots'])
      expect(
        await database.transaction({ project: mine.id }, (sql) =>
          sql.query(`SELECT project FROM ken.${table} WHERE project <> $1`, [mine.id]),
        ),
      ).toEqual([])
  })

  test('a project that is not on the server accepts no change', async () => {
    const store = (await openStores()).open({ id: '01NOBODY', name: 'x', mode: 'cloud', location: 'x' })
    await expect(write(store, { 'project.md': 'p' })).rejects.toMatchObject({ code: 'not_found' })
    expect([await store.list(), await store.read('project.md')]).toEqual([[], undefined])
  })
})

describe('stored data', () => {
  const kept = async (): Promise<{ id: string; store: Store }> => {
    const project = await plantRecord(database)
    const store = (await openStores()).open(project)
    await write(store, { 'project.md': 'one', 'stack.md': 's' }, (draft) => draft.snapshot('first'))
    await write(store, { 'project.md': 'two' }, (draft) => draft.snapshot('second'))
    await write(store, { 'project.md': 'three' })
    return { id: project.id, store }
  }

  test.each([
    ['a text', `UPDATE ken.record_texts SET text = 'x' WHERE project = $1 AND text = 'three'`, 'edited', 'project.md'],
    [
      'a past text',
      `UPDATE ken.record_texts SET text = 'x' WHERE project = $1 AND text = 'one'`,
      'damaged',
      'project.md',
    ],
    ['a lost text', `DELETE FROM ken.record_texts WHERE project = $1 AND text = 's'`, 'missing', 'stack.md'],
    ['a lost state', 'DELETE FROM ken.record_files WHERE project = $1 AND revision = 2', 'damaged', 'project.md'],
    ['a lost file', `DELETE FROM ken.record_files WHERE project = $1 AND path = 'stack.md'`, 'missing', 'stack.md'],
    [
      'a file that nobody wrote',
      `INSERT INTO ken.record_files SELECT $1, 'context/new.md', 3, NULL, sha256 FROM ken.record_texts WHERE project = $1 LIMIT 1`,
      'unknown',
      'context/new.md',
    ],
    [
      'an event',
      `UPDATE ken.record_events SET line = replace(line, '"cli"', '"app"') WHERE project = $1 AND place = 2`,
      'damaged',
      'journal/events.jsonl',
    ],
    [
      'the last event',
      'DELETE FROM ken.record_events WHERE project = $1 AND place = 3',
      'damaged',
      'journal/events.jsonl',
    ],
    ['a snapshot', 'UPDATE ken.record_snapshots SET revision = 3 WHERE project = $1', 'damaged', 'snapshots/v001'],
    [
      'the last snapshot',
      'DELETE FROM ken.record_snapshots WHERE project = $1 AND version = 2',
      'missing',
      'snapshots/v002',
    ],
  ])('verify detects %s changed by hand', async (_what, statement, kind, path) => {
    const { id, store } = await kept()
    await byHand(statement, id)
    expect(await store.verify()).toContainEqual(expect.objectContaining({ kind, path }))
  })

  test('a rewrite leaves the removed text in no column of any table', async () => {
    const { id, store } = await kept()
    await write(store, { 'context/password1.md': 'password1', 'stack.md': 'a password1 b' }, (draft) => {
      draft.note('noted', { password1: 'password1' })
      draft.snapshot('password1', 'password1')
    })
    await write(store, { 'stack.md': 'clean' })
    const found = async () => {
      const tables = await byHand(`SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'ken'`)
      const rows = await Promise.all(
        tables.map(({ name }) =>
          byHand(`SELECT '${String(name)}' AS name FROM ken."${String(name)}" t WHERE t::text LIKE '%password1%'`),
        ),
      )
      return [...new Set(rows.flat().map(({ name }) => name))].toSorted()
    }
    expect(await found()).toEqual(['record_events', 'record_files', 'record_snapshots', 'record_texts'])
    const clean = (text: string) => text.replaceAll('password1', '***')
    await store.care.rewrite(ORIGIN, {
      operation: 'redact',
      facts: {},
      change: async (text) => clean(text),
      rename: clean,
    })
    expect([await found(), await store.verify()]).toEqual([[], []])
    expect(await store.read('context/***.md')).toBe('***')
    expect((await byHand('SELECT revision FROM ken.records WHERE project = $1', id))[0]).toEqual({ revision: 6 })
  })

  test('a rewrite that would rename two files to the same name is refused', async () => {
    const { store } = await kept()
    const clash = store.care.rewrite(ORIGIN, {
      operation: 'redact',
      facts: {},
      change: async (text) => text.toUpperCase(),
      rename: () => 'same.md',
    })
    await expect(clash).rejects.toMatchObject({ code: 'conflict' })
    expect([await store.read('project.md'), await store.verify()]).toEqual(['three', []])
  })

  test('others write and verify while a rewrite makes its texts, and it changes what they wrote too', async () => {
    const { store } = await kept()
    const other = (await openStores({ clock: systemClock, lockTimeoutMs: 2_000 })).open(store.project)
    let isFirst = true
    const verified: unknown[] = []
    await store.care.rewrite(ORIGIN, {
      operation: 'redact',
      facts: {},
      async change(text) {
        if (isFirst) {
          isFirst = false
          await write(other, { 'stack.md': 'a password1 b', 'context/late.md': 'password1' })
          verified.push(await other.verify())
        }
        return text.replaceAll('password1', '***')
      },
      rename: (path) => path,
    })
    expect(verified).toEqual([[]])
    expect(await other.read('stack.md')).toBe('a *** b')
    expect(await other.read('context/late.md')).toBe('***')
    expect(await store.verify()).toEqual([])
  })

  test('a rewrite sends a long history in parts, and never holds all of it', async () => {
    const { project } = (await kept()).store
    let largest = 0
    const measured: SqlDatabase = {
      ...database,
      transaction: (scope, work, how) =>
        database.transaction(
          scope,
          (sql) =>
            work({
              async query<Row extends object>(text: string, values: Parameters<typeof sql.query>[1] = []) {
                const rows = await sql.query<Row>(text, values)
                const read = rows.map((row) => Object.values(row).join('').length)
                for (const size of [...values.map((value) => String(value).length), read.reduce((a, b) => a + b, 0)])
                  largest = Math.max(largest, size)
                return rows
              },
            }),
          how,
        ),
    }
    const store = (await openStores({ database: measured })).open(project)
    const long = `password1 ${'and so on. '.repeat(90_000)}`
    for (let state = 0; state < 12; state++) await write(store, { 'context/long.md': `${long}${state}` })
    largest = 0
    await store.care.rewrite(ORIGIN, {
      operation: 'redact',
      facts: {},
      change: async (text) => text.replaceAll('password1', '***'),
      rename: (path) => path,
    })
    expect(await store.read('context/long.md')).toBe(`${long.replace('password1', '***')}11`)
    expect(largest).toBeLessThan(5_000_000)
  })

  test('a decision recorded after the words were looked for is cleaned, with its name and its hash', async () => {
    const { store } = await kept()
    const [early, late] = [decisionFile(1, 'Mail for Zebulon'), decisionFile(2, 'Queues of zebulon in Redis')]
    const hash = ([path, text]: readonly [string, string]) =>
      hashOf(parseDecision(text, path.slice('decisions/'.length)))
    const index = (...files: (readonly [string, string])[]) =>
      formatHashIndex(
        Object.fromEntries(
          files.map((file) => [hash(file), { decision_id: file[0].slice(10, -3), timestamp: '2026-01-01T00:00:00Z' }]),
        ),
      )
    await write(store, { [early[0]]: early[1], [HASHES]: index(early) })
    const plan = await planRedaction(store, wordsRedactor(['Zebulon']))
    await write(store, { [late[0]]: late[1], [HASHES]: index(early, late) })
    await redactRecord({ origin: ORIGIN }, store, plan)
    const paths = (await store.list()).filter((path) => path.startsWith('decisions/'))
    expect(paths.join()).not.toContain('zebulon')
    const now = parseHashIndex(await store.read(HASHES))!
    const files = await Promise.all(paths.map(async (path) => [path, (await store.read(path))!] as const))
    expect(Object.keys(now)).toEqual(files.map(hash))
    expect(Object.values(now).map(({ decision_id: id }) => `decisions/${id}.md`)).toEqual(paths)
    for await (const { text } of store.care.everything()) expect(text).not.toMatch(/zebulon/i)
    expect(await store.verify()).toEqual([])
  })

  test('verify notes texts of a killed rewrite or added by hand, and the next rewrite removes them', async () => {
    const { id, store } = await kept()
    const redact = (word: string) => ({
      operation: 'redact',
      facts: {},
      change: async (text: string) => text.replaceAll('three', word),
      rename: (path: string) => path,
    })
    await prepareTexts({ database, project: id }, redact('***'))
    const { discrepancies, notes } = await store.care.inspect()
    expect([discrepancies, notes]).toEqual([[], [expect.stringContaining('1 text that no file has: a redaction')]])
    await byHand(`INSERT INTO ken.record_texts (project, sha256, text) VALUES ($1, 'x', 'x')`, id)
    expect((await store.care.inspect()).notes).toEqual([expect.stringContaining('2 texts that no file has')])
    await store.care.rewrite(ORIGIN, redact('+++'))
    expect([await store.read('project.md'), await store.care.inspect()]).toEqual([
      '+++',
      { discrepancies: [], notes: [] },
    ])
  })

  test('a text that the database cannot store is refused before anything is written', async () => {
    const { store } = await kept()
    await expect(write(store, { 'stack.md': 'x', 'context/a.md': 'a\0b' })).rejects.toMatchObject({
      code: 'invalid_input',
    })
    expect(await store.read('stack.md')).toBe('s')
  })
})
