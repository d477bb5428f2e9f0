import { execFileSync, spawn } from 'node:child_process'
import {
  appendFileSync, chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, truncateSync, unlinkSync, utimesSync, writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { decisionFile } from '../../../test/contract/decision-text.ts'
import { seededChance } from '../../../test/crash/seeded-chance.ts'
import { stepClock } from '../../../test/contract/step-clock.ts'
import { wordEmbedder } from '../../../test/contract/word-embedder.ts'
import { makeSnapshot, serializeSnapshot } from '../../core/snapshot/snapshot.ts'
import type { Store } from '../../ports/store.ts'
import { openFileStore, type FileStoreOptions } from './index.ts'
import { encodeIntent } from './intent.ts'

const PROJECT = { id: '01JQ0000000000000000000000', name: 'files', mode: 'local', location: 'here' } as const
const ORIGIN = { surface: 'cli' } as const
const base = mkdtempSync(join(tmpdir(), 'ken-files-'))
let home: string
let made = 0
let opened: Store[] = []

beforeEach(() => {
  home = join(base, String(++made))
  mkdirSync(join(home, 'record'), { recursive: true })
})
afterEach(() => Promise.all(opened.splice(0).map((store) => store.close())))
afterAll(() => rmSync(base, { recursive: true, force: true }))

const at = (...path: string[]) => join(home, 'record', ...path)

async function open(options: Partial<FileStoreOptions> = {}): Promise<Store> {
  const store = await openFileStore({ root: at(), project: PROJECT, cacheDir: join(home, 'cache'), clock: stepClock(), ...options })
  opened.push(store)
  return store
}

function put(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(at(path)), { recursive: true })
    writeFileSync(at(path), text)
  }
}

const write = (store: Store, files: Readonly<Record<string, string>>, trigger?: string) =>
  store.commit(ORIGIN, async (draft) => {
    for (const [path, text] of Object.entries(files)) draft.write(path, text)
    if (trigger !== undefined) draft.snapshot(trigger)
  })

const titles = async (store: Store) => (await store.catalogue()).decisions.map((d) => d.title)

describe('a record on disk', () => {
  test('opening writes nothing; the first change makes the folder', async () => {
    rmSync(at(), { recursive: true })
    const store = await open()
    expect(await store.catalogue()).toEqual({ decisions: [], unreadable: [] })
    expect(existsSync(at())).toBe(false)
    await write(store, { 'project.md': '# P\n' })
    expect(readFileSync(at('project.md'), 'utf8')).toBe('# P\n')
    expect(readdirSync(at('.txn'))).toEqual(['lock'])
  })

  test('a file keeps its permissions when it is replaced', async () => {
    put({ 'project.md': 'old' })
    chmodSync(at('project.md'), 0o640)
    await write(await open(), { 'project.md': 'new' })
    expect(statSync(at('project.md')).mode & 0o777).toBe(0o640)
  })

  test('symbolic links are not followed, wherever in the path they are', async () => {
    put(Object.fromEntries([decisionFile(1, 'One')]))
    writeFileSync(join(home, 'secret.md'), 'secret')
    mkdirSync(join(home, 'outside'))
    symlinkSync(join(home, 'secret.md'), at('stack.md'))
    symlinkSync(join(home, 'outside'), at('context'))
    symlinkSync(join(home, 'secret.md'), at('decisions', '002-link.md'))
    const store = await open()
    for (const path of ['stack.md', 'context/x.md', 'decisions/002-link.md']) {
      await expect(store.read(path)).rejects.toMatchObject({ code: 'forbidden' })
      await expect(write(store, { 'project.md': 'x', [path]: 'stolen' })).rejects.toMatchObject({ code: 'forbidden' })
    }
    expect(await store.list()).toEqual(['decisions/001-one.md'])
    expect((await store.catalogue()).unreadable).toMatchObject([{ path: 'decisions/002-link.md' }])
    expect([readFileSync(join(home, 'secret.md'), 'utf8'), readdirSync(join(home, 'outside')), existsSync(at('project.md'))]).toEqual(['secret', [], false])
  })

  test('a record, or its scratch folder, that is itself a link is refused', async () => {
    symlinkSync(at(), join(home, 'linked'))
    await expect(open({ root: join(home, 'linked') })).rejects.toMatchObject({ code: 'forbidden' })
    mkdirSync(join(home, 'elsewhere'))
    symlinkSync(join(home, 'elsewhere'), at('.txn'))
    await expect(write(await open(), { 'project.md': 'x' })).rejects.toMatchObject({ code: 'forbidden' })
    expect(readdirSync(join(home, 'elsewhere'))).toEqual([])
  })

  test('a file where a folder belongs is told plainly, in one sentence with a hint', async () => {
    put({ decisions: 'I am a file' })
    const store = await open()
    await expect(store.catalogue()).rejects.toMatchObject({ code: 'damaged', hint: expect.any(String) })
    await expect(write(store, { 'decisions/001-x.md': 'x' })).rejects.toMatchObject({ code: 'damaged' })
  })

  test('bytes that are no text are reported, and the rest of the record works', async () => {
    put(Object.fromEntries([decisionFile(1, 'One')]))
    writeFileSync(at('decisions', '002-x.md'), Buffer.from([0xff, 0xfe, 0x00]))
    const store = await open()
    await expect(store.read('decisions/002-x.md')).rejects.toMatchObject({ code: 'damaged' })
    expect(await titles(store)).toEqual(['One'])
    expect((await store.catalogue()).unreadable).toMatchObject([{ path: 'decisions/002-x.md', kind: 'unreadable' }])
    await write(store, Object.fromEntries([decisionFile(3, 'Three')]), 'with a broken file beside')
    expect(Object.keys((await store.snapshots.read(1))!.files)).toEqual(['decisions/001-one.md', 'decisions/003-three.md'])
  })
})

describe('edits by hand', () => {
  test('are seen at once: new, changed in place, renamed, removed', async () => {
    const [one, two] = [decisionFile(1, 'One'), decisionFile(2, 'Two')]
    put(Object.fromEntries([one]))
    const store = await open()
    expect(await titles(store)).toEqual(['One'])
    put(Object.fromEntries([two]))
    expect(await titles(store)).toEqual(['One', 'Two'])
    writeFileSync(at(one[0]), one[1].replace('# 001 — One', '# 001 — Uno'))
    expect(await titles(store)).toEqual(['Uno', 'Two'])
    expect((await store.rank({ text: 'uno', limit: 5, among: 'active', check: false })).hits.map((hit) => hit.entry.num)).toEqual([1])
    unlinkSync(at(two[0]))
    expect(await titles(store)).toEqual(['Uno'])
    writeFileSync(at(one[0]), 'nonsense')
    expect(await store.catalogue()).toMatchObject({ decisions: [], unreadable: [{ path: one[0] }] })
    rmSync(at('decisions'), { recursive: true })
    expect(await titles(store)).toEqual([])
    put(Object.fromEntries([two]))
    expect(await titles(store)).toEqual(['Two'])
  })

  test('are told by verify, file by file, and a change through Ken vouches for the file again', async () => {
    const store = await open()
    await write(store, { 'project.md': 'p', 'stack.md': 's', 'state_current.md': 'c' })
    writeFileSync(at('project.md'), 'P')
    unlinkSync(at('stack.md'))
    writeFileSync(at('notes.md'), 'by hand')
    expect((await store.verify()).map((d) => [d.path, d.kind])).toEqual([['notes.md', 'unknown'], ['project.md', 'edited'], ['stack.md', 'missing']])
    await write(store, { 'project.md': 'P', 'stack.md': 's', 'notes.md': 'by hand' })
    expect(await store.verify()).toEqual([])
  })

  test('other line ends, as a checkout makes them, are no edit', async () => {
    const store = await open()
    await write(store, Object.fromEntries([decisionFile(1, 'One')]))
    writeFileSync(at('decisions', '001-one.md'), readFileSync(at('decisions', '001-one.md'), 'utf8').replaceAll('\n', '\r\n'))
    expect(await store.verify()).toEqual([])
    expect(await titles(store)).toEqual(['One'])
  })

  test('in a repository an older state of a file is one the journal knows', async () => {
    mkdirSync(join(home, 'repo', '.ken'), { recursive: true })
    const root = join(home, 'repo', '.ken', 'record')
    const store = await open({ root, project: { ...PROJECT, mode: 'repo' } })
    await write(store, { 'project.md': 'one' })
    await write(store, { 'project.md': 'two' })
    writeFileSync(join(root, 'project.md'), 'one')
    expect(await store.verify()).toEqual([])
    writeFileSync(join(root, 'project.md'), 'three')
    expect((await store.verify()).map((d) => d.kind)).toEqual(['edited'])
  })

  test('a journal with a torn line goes on, and the line is reported', async () => {
    const store = await open()
    await write(store, { 'project.md': 'p' })
    appendFileSync(at('journal', 'events.jsonl'), '{"event_version":1,"id"')
    await write(store, { 'stack.md': 's' })
    expect((await store.journal()).map((e) => Object.keys(e.files))).toEqual([['project.md'], ['stack.md']])
    expect((await store.verify()).map((d) => [d.path, d.kind])).toEqual([['journal/events.jsonl', 'damaged']])
  })

  test('events of another program in the journal are kept and skipped', async () => {
    put({ 'journal/events.jsonl': '{"event_version":1,"event_id":"x","operation":"propose","payload_hash":"y"}\n', 'project.md': 'p' })
    const store = await open()
    expect([await store.journal(), await store.verify()]).toEqual([[], []])
    await write(store, { 'stack.md': 's' })
    expect((await store.journal()).map((e) => e.operation)).toEqual(['adopt', 'edit'])
    expect(readFileSync(at('journal', 'events.jsonl'), 'utf8')).toMatch(/^\{"event_version":1,"event_id":"x"/)
  })
})

describe('the cache', () => {
  const cacheFile = () => join(home, 'cache', readdirSync(join(home, 'cache')).find((name) => name.endsWith('.db'))!)

  test('keeps a file that did not change from being read again, by this process and the next', async () => {
    const [path, text] = decisionFile(1, 'Original title')
    const putDated = (words: string) => {
      put({ [path]: words })
      utimesSync(at(path), 1_700_000_000, 1_700_000_000)
    }
    putDated(text)
    const first = await open()
    expect(await titles(first)).toEqual(['Original title'])
    // Same size, time and inode, other words: only reading would tell.
    putDated(text.replaceAll('Original title', 'Differenttitle'))
    expect(await titles(first)).toEqual(['Original title'])
    expect(await titles(await open())).toEqual(['Original title'])
  })

  test.each([
    ['is deleted', () => rmSync(join(home, 'cache'), { recursive: true })],
    ['is garbage', () => writeFileSync(cacheFile(), 'garbage '.repeat(2000))],
    ['is cut off', () => truncateSync(cacheFile(), 5000)],
    ['is of another version', () => writeFileSync(cacheFile(), emptyDatabase(99))],
  ])('is made again when it %s', async (_how, harm) => {
    const first = await open()
    await write(first, Object.fromEntries([decisionFile(1, 'Cache in Redis'), decisionFile(2, 'Queue in Kafka')]), 'one')
    const before = await first.rank({ text: 'redis', limit: 5, among: 'active', check: true })
    await first.close()
    harm()
    for (const leftover of ['-wal', '-shm']) if (existsSync(join(home, 'cache'))) rmSync(cacheFile() + leftover, { force: true })
    const second = await open()
    expect(await second.rank({ text: 'redis', limit: 5, among: 'active', check: true })).toEqual(before)
    await write(second, Object.fromEntries([decisionFile(3, 'Three')]), 'two')
    expect(Object.keys((await second.snapshots.read(2))!.files)).toHaveLength(3)
  })

  test('damaged under a running process is made again without a word', async () => {
    const store = await open()
    await write(store, Object.fromEntries([decisionFile(1, 'Cache in Redis')]), 'one')
    writeFileSync(cacheFile(), 'garbage '.repeat(4000))
    rmSync(`${cacheFile()}-wal`, { force: true })
    await write(store, Object.fromEntries([decisionFile(2, 'Queue in Kafka')]), 'two')
    const { hits } = await store.rank({ text: 'redis kafka', limit: 5, among: 'active', check: true })
    expect(hits.map((hit) => hit.entry.num).toSorted()).toEqual([1, 2])
    expect(Object.keys((await store.snapshots.read(2))!.files)).toHaveLength(2)
  })

  test('that cannot be stored is kept in memory', async () => {
    writeFileSync(join(home, 'not-a-folder'), '')
    put(Object.fromEntries([decisionFile(1, 'One')]))
    expect(await titles(await open({ cacheDir: join(home, 'not-a-folder', 'cache') }))).toEqual(['One'])
  })

  test('two processes on one record see each other through it and through the files', async () => {
    const [one, two] = [await open(), await open()]
    await write(one, Object.fromEntries([decisionFile(1, 'Cache in Redis')]))
    expect(await titles(two)).toEqual(['Cache in Redis'])
    await write(two, Object.fromEntries([decisionFile(2, 'Cache in files'), decisionFile(1, 'Cache in Redis', { rationale: 'Other words: cache cache.' })]))
    const ask = { text: 'cache words', limit: 5, among: 'active', check: false } as const
    expect(await one.rank(ask)).toEqual(await two.rank(ask))
    expect(await (await open({ cacheDir: join(home, 'other-cache') })).rank(ask)).toEqual(await two.rank(ask))
  })

  test('vectors outlive the process', async () => {
    const calls: string[] = []
    put(Object.fromEntries([decisionFile(1, 'Redis for hot reads'), decisionFile(2, 'Kafka between services')]))
    const ask = { text: 'caching', limit: 5, among: 'active', check: false } as const
    const first = await open({ embedder: async () => wordEmbedder(calls) })
    const before = await first.rank(ask)
    calls.length = 0
    expect(await (await open({ embedder: async () => wordEmbedder(calls) })).rank(ask)).toEqual(before)
    expect(calls).toEqual(['query: caching'])
  })
})

describe('after a crash', () => {
  const EVENT = '{"event_version":1,"id":"e1","at":"2026-01-01T00:00:00.000Z","operation":"edit","origin":{"surface":"cli"},"facts":{},"files":{}}\n'
  const intent = { id: '01A', writes: [{ path: 'project.md', text: 'new' }, { path: 'context/x.md', text: 'x' }], removes: ['stack.md'], appends: [{ path: 'journal/events.jsonl', offset: 0, text: EVENT }] }
  const expectFinished = async (store: Store) => {
    expect([await store.read('project.md'), await store.read('context/x.md'), await store.read('stack.md')]).toEqual(['new', 'x', undefined])
    expect((await store.journal()).map((e) => e.id)).toEqual(['e1'])
    expect(readdirSync(at('.txn')).toSorted()).toEqual(['lock'])
  }

  test('a whole intent is finished by whoever opens the record next', async () => {
    put({ 'project.md': 'old', 'stack.md': 's', '.txn/01A.intent': encodeIntent(intent), '.txn/01A.0.new': 'new', '.txn/01A.1.new': '' })
    await expectFinished(await open())
  })

  test('an intent that was half applied is finished, and doing it twice does no harm', async () => {
    put({ 'project.md': 'new', '.txn/01A.intent': encodeIntent(intent), '.txn/01A.0.old': 'old', '.txn/01A.0.gone': 's', 'journal/events.jsonl': EVENT.slice(0, 20) })
    await expectFinished(await open())
    put({ '.txn/01A.intent': encodeIntent(intent) })
    await expectFinished(await open())
  })

  test('an intent whose last line has landed is not applied over what came after it', async () => {
    put({ 'project.md': 'newer', 'context/x.md': 'newer', '.txn/01A.intent': encodeIntent(intent), 'journal/events.jsonl': EVENT + EVENT.replace('e1', 'e2') })
    const store = await open()
    expect([await store.read('project.md'), (await store.journal()).length]).toEqual(['newer', 2])
  })

  test('a torn intent is dropped', async () => {
    put({ 'project.md': 'old', 'stack.md': 's', '.txn/01A.intent': encodeIntent(intent).slice(0, -5), '.txn/01A.0.new': 'ne' })
    const store = await open()
    expect([await store.read('project.md'), await store.read('stack.md')]).toEqual(['old', 's'])
    expect(readdirSync(at('.txn')).toSorted()).toEqual(['lock'])
  })

  test('a process that is already running sees the change finished, too', async () => {
    const store = await open()
    await store.catalogue()
    const [path, text] = decisionFile(1, 'One')
    put({ '.txn/01A.intent': encodeIntent({ ...intent, writes: [{ path, text }] }) })
    expect(await titles(store)).toEqual(['One'])
  })

  test('while another process lands a change, its intent is left alone', async () => {
    put({ 'project.md': 'old' })
    const [writer, reader] = [await open(), await open()]
    await writer.commit(ORIGIN, async () => {
      put({ '.txn/01A.intent': encodeIntent(intent) })
      await reader.catalogue()
      expect(await reader.read('project.md')).toBe('old')
      rmSync(at('.txn', '01A.intent'))
    })
  })

  test('an intent that points outside of the record is refused', async () => {
    put({ '.txn/01A.intent': encodeIntent({ ...intent, writes: [{ path: '../evil.md', text: 'x' }] }) })
    await open()
    await expect(write(await open(), { 'project.md': 'x' })).rejects.toMatchObject({ code: 'forbidden' })
    expect(existsSync(join(home, 'evil.md'))).toBe(false)
  })
})

describe('the lock', () => {
  const HOLDER = `
    import { DatabaseSync } from 'node:sqlite'
    const lock = new DatabaseSync(process.argv[1])
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    process.stdout.write('held')
    setInterval(() => {}, 1000)`

  test('held by another process: writing gives up in time with one clear error, reading goes on; it is free once that process is killed', async () => {
    const store = await open({ lockTimeoutMs: 60 })
    await write(store, { 'project.md': 'one' })
    const holder = spawn(process.execPath, ['--input-type=module', '-e', HOLDER, at('.txn', 'lock')], { stdio: ['ignore', 'pipe', 'inherit'] })
    await new Promise((resolve) => holder.stdout.once('data', resolve))
    await expect(write(store, { 'project.md': 'two' })).rejects.toMatchObject({ code: 'unavailable', hint: expect.any(String) })
    expect(await store.read('project.md')).toBe('one')
    holder.kill('SIGKILL')
    await new Promise((resolve) => holder.once('exit', resolve))
    await write(store, { 'project.md': 'two' })
    expect([await store.read('project.md'), readdirSync(at('.txn'))]).toEqual(['two', ['lock']])
  })

  test('a change inside a change gives up instead of waiting for itself', async () => {
    const store = await open({ lockTimeoutMs: 50 })
    await expect(store.commit(ORIGIN, () => write(store, { 'project.md': 'x' }))).rejects.toMatchObject({ code: 'unavailable' })
    await write(store, { 'project.md': 'y' })
  })

  test('a lock file with something in it is told as damaged', async () => {
    put({ '.txn/lock': 'not a database, but long enough to be taken for one '.repeat(50) })
    await expect(write(await open(), { 'project.md': 'x' })).rejects.toMatchObject({ code: 'damaged' })
  })
})

describe('snapshots', () => {
  test('plain files of other programs are read as they are, and new ones count on from them', async () => {
    const plain = (version: number, files: Record<string, string>) => serializeSnapshot(makeSnapshot({ version, timestamp: `2026-01-0${version}T00:00:00+00:00`, trigger: 'old', files }))
    put({
      'project.md': 'p', 'snapshots/v001.json': plain(1, { 'project.md': 'é', 'decisions/001-a.md': 'a' }), 'snapshots/v002.json': plain(2, { 'project.md': 'p' }),
      'snapshots/v003.json': 'not JSON', 'snapshots/v004.json': plain(9, {}), 'snapshots/notes.json': '{}',
    })
    const store = await open()
    expect((await store.snapshots.list()).map((s) => [s.version, s.decisions])).toEqual([[1, 1], [2, 0]])
    expect((await store.snapshots.read(1))!.files).toEqual({ 'project.md': 'é', 'decisions/001-a.md': 'a' })
    await write(store, { 'stack.md': 's' }, 'new')
    await write(store, { 'stack.md': 't' }, 'newer')
    expect((await store.snapshots.list()).map((s) => s.version)).toEqual([1, 2, 5, 6])
    expect((await store.snapshots.read(6))!.files).toEqual({ 'project.md': 'p', 'stack.md': 't' })
    expect((await store.verify()).map((d) => [d.path, d.kind])).toEqual([['snapshots/v003.json', 'damaged'], ['snapshots/v004.json', 'damaged']])
  })

  test('a damaged entry is left out with those that build on it, reported, and the next one stands alone', async () => {
    put({ 'project.md': randomText(4000) })
    const store = await open()
    for (const n of [1, 2, 3, 4]) await write(store, Object.fromEntries([decisionFile(n, `Number ${n}`)]), `n${n}`)
    const pack = at('snapshots', 'pack.jsonl')
    const lines = readFileSync(pack, 'utf8').split('\n')
    writeFileSync(pack, lines.map((line, i) => (i === 2 ? line.replace(/"payload":"...../, '"payload":"AAAAA') : line)).join('\n'))
    expect((await store.snapshots.list()).map((s) => s.version)).toEqual([1, 2])
    expect((await store.verify()).map((d) => [d.path, d.kind])).toEqual([['snapshots/pack.jsonl', 'damaged'], ['snapshots/pack.jsonl', 'damaged']])
    await write(store, Object.fromEntries([decisionFile(5, 'Number 5')]), 'n5')
    expect((await store.snapshots.list()).map((s) => s.version)).toEqual([1, 2, 5])
    expect(Object.keys((await store.snapshots.read(5))!.files)).toHaveLength(6)
  })

  test('files changed by hand between two snapshots are in the second', async () => {
    const store = await open()
    await write(store, { 'project.md': 'p', ...Object.fromEntries([decisionFile(1, 'One'), decisionFile(2, 'Two')]) }, 'first')
    put({ 'project.md': 'by hand', ...Object.fromEntries([decisionFile(1, 'One', { rationale: 'By hand.' }), decisionFile(3, 'Three')]) })
    unlinkSync(at(decisionFile(2, 'Two')[0]))
    await write(store, { 'stack.md': 's' }, 'second')
    expect((await store.snapshots.read(2))!.files).toEqual({ 'project.md': 'by hand', 'stack.md': 's', ...Object.fromEntries([decisionFile(1, 'One', { rationale: 'By hand.' }), decisionFile(3, 'Three')]) })
  })

  test('old ones are pruned in time, and every one that is kept still reads', async () => {
    const clock = stepClock('2026-01-01T00:00:00.000Z')
    const hourly = { ...clock, now: () => new Date((Date.parse('2026-01-01T00:00:00.000Z')) + 3_600_000 * hours++) }
    let hours = 0
    const store = await open({ clock: hourly })
    await write(store, { 'project.md': 'p0' }, 'n0')
    for (let n = 1; n < 200; n++) {
      hours += 3
      await write(store, { 'project.md': `p${n}` }, `n${n}`)
    }
    const kept = await store.snapshots.list()
    expect(kept.length).toBeLessThan(150)
    expect(kept.at(-1)!.trigger).toBe('n199')
    for (const { version, trigger } of kept) expect((await store.snapshots.read(version))!.files).toEqual({ 'project.md': trigger.replace('n', 'p') })
  })
})

const CHILD = fileURLToPath(new URL('../../../test/crash/try-commit.ts', import.meta.url))
const isRoot = process.getuid?.() === 0

test('1,000 snapshots of 1,000 decisions cost less than three times the record', { timeout: 180_000 }, async () => {
  const words = readFileSync(new URL('../../../test/fixtures/golden/bm25-corpus.json', import.meta.url), 'utf8').match(/[A-Za-z]{3,}/g)!
  const chance = seededChance(7)
  const prose = (count: number) => Array.from({ length: count }, () => words[Math.floor(chance() * words.length)]!).join(' ')
  const make = (num: number) => decisionFile(num, prose(6), { rationale: `${prose(70)}.\n\n${prose(30)}.`, rejected: [{ name: prose(2), reason: prose(12) }] })
  put({ 'project.md': prose(300), ...Object.fromEntries(Array.from({ length: 1000 }, (_, i) => make(i + 1))) })
  const store = await open()
  let history = ''
  for (let n = 1; n <= 1000; n++) {
    history += `## ${n}\n\n- ${prose(12)}\n\n---\n`
    const files = n % 4 === 0 ? { 'state_current.md': prose(40), 'state_history.md': history } : Object.fromEntries([make(1000 + n)])
    await write(store, files, `n${n}`)
  }
  const list = await store.snapshots.list()
  expect(list).toHaveLength(1000)
  const newest = (await store.snapshots.read(1000))!
  const record = Object.values(newest.files).reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  const first = (await store.snapshots.read(1))!
  expect(Object.keys(first.files).length).toBe(1002)
  expect(await store.read('state_history.md')).toBe(newest.files['state_history.md'])
  expect(statSync(at('snapshots', 'pack.jsonl')).size / record).toBeLessThan(3)
  expect(statSync(at('snapshots', 'pack.jsonl')).size / Object.values(first.files).reduce((sum, text) => sum + Buffer.byteLength(text), 0)).toBeLessThan(3)
})

describe('a disk that refuses', () => {
  interface Attempt {
    readonly code?: string
    readonly message?: string
    readonly hint?: string
    readonly before: Readonly<Record<string, string>>
    readonly after: Readonly<Record<string, string>>
  }
  const attempt = (root: string, command: readonly string[] = []) => {
    const [program, ...values] = [...command, process.execPath, CHILD, root, join(home, 'cache-of-child'), '10']
    return (JSON.parse(execFileSync(program!, values, { encoding: 'utf8' })) as Attempt[])[0]!
  }
  const unprivileged = isRoot ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : []

  beforeEach(async () => {
    const store = await open()
    await write(store, { 'project.md': 'before' })
    await store.close()
    for (const folder of [base, home]) chmodSync(folder, 0o755)
  })

  test.skipIf(isRoot && !hasCommand('setpriv'))('a record owned by someone else can be read and not written, and says so', () => {
    if (!isRoot) for (const folder of [at('.txn'), at()]) chmodSync(folder, 0o555)
    const answer = attempt(at(), unprivileged)
    for (const folder of [at(), at('.txn')]) chmodSync(folder, 0o755)
    expect(answer).toMatchObject({ code: 'forbidden', hint: expect.stringContaining('owns'), after: { 'project.md': 'before' } })
    expect(answer.after).toEqual(answer.before)
  })

  test.skipIf(!canMount())('a full disk leaves the record as it was, with one clear error', () => {
    const small = join(home, 'small')
    mkdirSync(small)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', small])
    try {
      cpSync(at(), join(small, 'record'), { recursive: true })
      const sizes = Array.from({ length: 24 }, (_, i) => 8_000 * (i + 1))
      const answers = JSON.parse(execFileSync(process.execPath, [CHILD, join(small, 'record'), join(home, 'cache-of-child'), ...sizes.map(String)], { encoding: 'utf8' })) as Attempt[]
      expect(answers.filter((answer) => answer.code === undefined).length).toBeGreaterThan(0)
      expect(answers.filter((answer) => answer.code !== undefined).length).toBeGreaterThan(0)
      for (const answer of answers) {
        if (answer.code === undefined) continue
        expect(answer).toMatchObject({ code: 'unavailable', message: expect.stringContaining('full') })
        expect(answer.after).toEqual(answer.before)
      }
    } finally {
      execFileSync('umount', [small])
    }
  })

  test.skipIf(!canMount())('a read-only file system can be read and not written, and says so', () => {
    const mounted = join(home, 'mounted')
    mkdirSync(mounted)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', mounted])
    try {
      cpSync(at(), join(mounted, 'record'), { recursive: true })
      execFileSync('mount', ['-o', 'remount,ro', mounted])
      expect(attempt(join(mounted, 'record'))).toMatchObject({ code: 'unavailable', message: expect.stringContaining('read-only'), after: { 'project.md': 'before' } })
    } finally {
      execFileSync('umount', [mounted])
    }
  })
})

function randomText(length: number): string {
  const chance = seededChance(length)
  return Array.from({ length }, () => Math.floor(chance() * 36).toString(36)).join('')
}

function hasCommand(name: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function canMount(): boolean {
  if (!isRoot) return false
  const probe = mkdtempSync(join(tmpdir(), 'ken-mount-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', probe], { stdio: 'ignore' })
    execFileSync('umount', [probe], { stdio: 'ignore' })
    return true
  } catch {
    return false
  } finally {
    rmSync(probe, { recursive: true, force: true })
  }
}

function emptyDatabase(version: number): Buffer {
  const path = join(base, `empty-${version}.db`)
  execFileSync(process.execPath, ['--input-type=module', '-e', `import { DatabaseSync } from 'node:sqlite'; new DatabaseSync(process.argv[1]).exec('CREATE TABLE t (x); PRAGMA user_version = ${version}')`, path])
  return readFileSync(path)
}
