import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { zstdCompressSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { aider } from '../src/memory/harvest/aider/index.ts'
import { cline, roo } from '../src/memory/harvest/cline/index.ts'
import { crush } from '../src/memory/harvest/crush/index.ts'
import { humanText, promptTime } from '../src/memory/harvest/cursor/human-text.ts'
import { cursor } from '../src/memory/harvest/cursor/index.ts'
import { openDatabaseCopy } from '../src/memory/harvest/database-copy.ts'
import { type DatabaseMemo, databaseSessions, type ListedSession } from '../src/memory/harvest/database-sessions.ts'
import { folderOfUri } from '../src/memory/harvest/editor-workspaces.ts'
import { goose } from '../src/memory/harvest/goose/index.ts'
import { HarvestLedger } from '../src/memory/harvest/ledger.ts'
import { storedText } from '../src/memory/harvest/stored-text.ts'
import { MutationLog } from '../src/memory/harvest/vscode/chat.ts'
import { vscode } from '../src/memory/harvest/vscode/index.ts'
import { zed } from '../src/memory/harvest/zed/index.ts'
import type { Harvester, HarvestEvent } from '../src/memory/ports/harvester.ts'
import { builtFixture, insertRow } from './built-fixture.ts'
import { cursorOf, harvest, sessionsIn } from './contract/harvester.contract.ts'
import { openUpkeepDesk } from './upkeep/desk.ts'

let root = ''
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'ken-hostile-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

const skips = async (harvester: Harvester, cursor?: string) =>
  (await harvest(harvester, root, cursor)).filter((event) => event.kind === 'skipped')

describe("a client's database", () => {
  const IN_PLACE = { mostCopied: 100, mayShare: false }
  const rowsOf = async (path: string, limits = {}): Promise<number> => {
    const copy = await openDatabaseCopy(path, limits)
    try {
      return Number(copy?.db.prepare('SELECT count(*) AS rows FROM t').get()?.rows)
    } finally {
      await copy?.close()
    }
  }

  test('includes its write-ahead log, and can be written in the meantime', async () => {
    const path = join(root, 'a.db')
    const db = new DatabaseSync(path)
    db.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)')
    const copy = await openDatabaseCopy(path)
    db.exec(
      'PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE; INSERT INTO t VALUES (2); COMMIT; PRAGMA wal_checkpoint(TRUNCATE)',
    )
    expect(copy?.db.prepare('SELECT count(*) AS rows FROM t').get()?.rows).toBe(1)
    await copy?.close()
    expect(await rowsOf(path)).toBe(2)
    db.close()
  })

  test('left in the middle of a change is read as it was before', async () => {
    const path = join(root, 'a.db')
    const db = new DatabaseSync(path)
    db.exec('PRAGMA cache_size = 1; PRAGMA cache_spill = 1; CREATE TABLE t (a); INSERT INTO t VALUES (1)')
    db.exec('BEGIN')
    for (let i = 0; i < 200; i += 1) db.prepare('INSERT INTO t VALUES (?)').run('x'.repeat(2000))
    expect(statSync(`${path}-journal`).size).toBeGreaterThan(0)
    mkdirSync(join(root, 'killed'))
    for (const name of ['a.db', 'a.db-journal']) copyFileSync(join(root, name), join(root, 'killed', name))
    db.exec('ROLLBACK')
    db.close()
    const before = readFileSync(join(root, 'killed/a.db-journal'))
    expect(await rowsOf(join(root, 'killed/a.db'))).toBe(1)
    expect(readFileSync(join(root, 'killed/a.db-journal'))).toEqual(before)
  })

  test('is read in place if it is too large to copy, without adding files beside it', async () => {
    const path = join(root, 'a.db')
    const db = new DatabaseSync(path)
    db.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)')
    db.close()
    const before = readFileSync(path)
    expect(await rowsOf(path, IN_PLACE)).toBe(1)
    expect(readdirSync(root)).toEqual(['a.db'])
    expect(readFileSync(path)).toEqual(before)
    const copy = await openDatabaseCopy(path, IN_PLACE)
    expect(await copy?.isStale()).toBe(false)
    const writer = new DatabaseSync(path)
    writer.exec('INSERT INTO t VALUES (2)')
    writer.close()
    expect(await copy?.isStale()).toBe(true)
    await copy?.close()
  })

  test('is deferred to the next harvest if it is written while it is read in place', async () => {
    const folder = join(builtFixture('goose'), 'home/.local/share/goose/sessions')
    const path = join(folder, 'sessions.db')
    let readings = 0
    const read = async (cursor?: string): Promise<HarvestEvent[]> => {
      const ledger = new HarvestLedger<DatabaseMemo>(folder, 'test/1', cursor)
      const events: HarvestEvent[] = []
      const list = (): ListedSession[] =>
        ['a', 'b', 'c'].map((id) => ({
          id,
          fingerprint: '',
          read() {
            readings += 1
            if (readings === 2) appendFileSync(path, ' ')
            return { session: undefined, skipped: [{ path: id, why: 'empty', reason: '' }], offsets: {} }
          },
        }))
      for await (const event of databaseSessions(ledger, { root: folder, file: 'sessions.db', list, limits: IN_PLACE }))
        events.push(event)
      return [...events, ledger.cursor()]
    }
    const paths = (events: readonly HarvestEvent[]) =>
      events.flatMap((event) => (event.kind === 'skipped' ? event.path : []))
    const first = await read()
    expect(paths(first)).toEqual(['a'])
    expect(paths(await read(cursorOf(first)))).toEqual(['b', 'c'])
  })

  test('does not run the SQL of views that replace its tables', async () => {
    const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n'
    for (const [harvester, file, names] of [
      [goose, 'sessions.db', ['sessions', 'messages']],
      [zed, 'threads.db', ['threads']],
      [cursor, 'globalStorage/state.vscdb', ['cursorDiskKV', 'composerHeaders']],
    ] as const) {
      write(file, '')
      const db = new DatabaseSync(join(root, file))
      for (const name of names) db.exec(`CREATE VIEW ${name} AS ${endless}`)
      db.close()
      expect(sessionsIn(await harvest(harvester, root))).toEqual([])
    }
  })

  test('is reported once if it is invalid, and its harvested sessions are kept', async () => {
    const home = builtFixture('goose')
    const sessions = join(home, 'home/.local/share/goose/sessions')
    const first = await harvest(goose, sessions)
    const kept = readFileSync(join(sessions, 'sessions.db'))
    writeFileSync(join(sessions, 'sessions.db'), 'no database '.repeat(500))
    const second = await harvest(goose, sessions, cursorOf(first))
    expect(second).toMatchObject([{ kind: 'skipped', why: 'damaged' }, { kind: 'cursor' }])
    writeFileSync(join(sessions, 'sessions.db'), kept)
    expect(await harvest(goose, sessions, cursorOf(second))).toHaveLength(1)
  })
})

describe('compressed text', () => {
  test('is decompressed, up to a limit', () => {
    expect(storedText(zstdCompressSync('pears'))).toBe('pears')
    expect(storedText(zstdCompressSync(Buffer.alloc(33 * 1024 * 1024)))).toBeUndefined()
    expect(storedText(Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0]))).toBeUndefined()
    expect(storedText(7)).toBeUndefined()
  })
})

describe('a change log', () => {
  const log = (...entries: object[]): [MutationLog, boolean[]] => {
    const it = new MutationLog()
    return [it, entries.map((entry) => it.apply(entry as never))]
  }

  test('is replayed as it was written', () => {
    const [it] = log(
      { kind: 0, v: { a: [1, 2, 3], b: { c: 'x' } } },
      { kind: 2, k: ['a'], i: 1, v: [9] },
      { kind: 1, k: ['b', 'c'], v: 'y' },
      { kind: 2, k: ['new'], v: [1] },
      { kind: 3, k: ['b', 'c'] },
    )
    expect(it.state()).toEqual({ a: [1, 9], b: { c: undefined }, new: [1] })
  })

  test('can change only its own document', () => {
    const [it, done] = log(
      { kind: 1, k: ['a'], v: 1 },
      { kind: 0, v: { a: [1], b: 'text' } },
      { kind: 1, k: ['__proto__', 'polluted'], v: 1 },
      { kind: 1, k: ['constructor', 'prototype', 'polluted'], v: 1 },
      { kind: 2, k: ['toString'], v: [1] },
      { kind: 1, k: ['a', 4_000_000_000], v: 1 },
      { kind: 1, k: ['a', 'length'], v: 0 },
      { kind: 2, k: ['a'], i: 4_000_000_000 },
      { kind: 2, k: ['b'], v: [1] },
      { kind: 1, k: [], v: 1 },
      { kind: 1, k: Array(1000).fill('a'), v: 1 },
      { kind: 7, k: ['a'] },
      { kind: 0, v: 'no document' },
    )
    expect(done).toEqual([false, true, false, false, true, ...Array(8).fill(false)])
    expect(it.state()).toEqual({ a: [1], b: 'text', toString: [1] })
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  test('is harvested despite invalid entries, which are counted', async () => {
    const entries = [
      { kind: 0, v: { creationDate: 1_780_000_000_000, requests: [{ message: { text: 'Go' }, response: 'no list' }] } },
      { kind: 2, k: ['requests', 'x', 'response'], v: [1] },
    ]
    write('workspaceStorage/w/chatSessions/a.jsonl', `${entries.map((each) => JSON.stringify(each)).join('\n')}\n`)
    expect(sessionsIn(await harvest(vscode, root))).toMatchObject([{ badLines: 1, turns: [{ text: 'Go' }] }])
  })
})

test('JSON of any depth and shape breaks no harvest', async () => {
  const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`
  const odd = [
    deep,
    '[]',
    '"x"',
    'null',
    '7',
    '[null, 1, "x", [[]], {}]',
    '{"requests": 1}',
    `[{"ts": 1e300, "type": "say", "text": ${deep}}]`,
  ]
  for (const [i, text] of odd.entries()) {
    write(`workspaceStorage/w${i}/workspace.json`, text)
    write(`workspaceStorage/w${i}/chatSessions/c${i}.json`, text)
    write(`workspaceStorage/w${i}/chatSessions/d${i}.jsonl`, `{"kind":0,"v":${text}}\n${text.replaceAll('\n', '')}\n`)
    write(`tasks/t${i}/ui_messages.json`, text)
    write(`tasks/t${i}/history_item.json`, text)
    write(`chats/h/${i}/meta.json`, text)
  }
  write('state/taskHistory.json', deep)
  write('globalStorage/state.vscdb', '')
  const db = new DatabaseSync(join(root, 'globalStorage/state.vscdb'))
  db.exec('CREATE TABLE cursorDiskKV (key, value); CREATE TABLE composerHeaders (composerId, value)')
  for (const [i, text] of odd.entries()) {
    insertRow(db, 'cursorDiskKV', { key: `composerData:${i}`, value: text })
    insertRow(db, 'composerHeaders', { composerId: `${i}`, value: `{"workspaceIdentifier": ${deep}}` })
    insertRow(db, 'cursorDiskKV', { key: `bubbleId:x:${i}`, value: text })
  }
  const headers = odd.map((_, i) => ({ bubbleId: `${i}` }))
  insertRow(db, 'cursorDiskKV', { key: 'composerData:x', value: { fullConversationHeadersOnly: headers } })
  insertRow(db, 'cursorDiskKV', { key: 'composerData:../../x', value: { conversation: [{ type: 1, text: 'Go' }] } })
  db.close()
  expect(sessionsIn(await harvest(vscode, root))).toEqual([])
  expect(sessionsIn(await harvest(cline, root))).toEqual([])
  expect(sessionsIn(await harvest(cursor, root))).toMatchObject([{ id: '../../x', turns: [{ text: 'Go' }] }])
})

describe('a log in a project folder', () => {
  const HISTORY = '.aider.chat.history.md'
  const CHAT = '# aider chat started at 2026-04-01 09:00:00\n\n#### Obey the clone.  \n\nYes.\n'
  const git = (...args: string[]): void => void execFileSync('git', ['-C', root, ...args], { stdio: 'ignore' })
  const crushHome = (project: string, database: string): void => {
    write('home/projects.json', JSON.stringify({ projects: [{ path: project, data_dir: dirname(database) }] }))
  }

  test('is looked for only in registered repositories', async () => {
    write(HISTORY, CHAT)
    expect(await aider.roots(root)).toEqual([])
    expect(await aider.roots(root, [root, join(root, 'nowhere')])).toEqual([root])
  })

  test('is harvested if git does not track it', async () => {
    git('init', '-q')
    write(HISTORY, CHAT)
    expect(sessionsIn(await harvest(aider, root))).toMatchObject([
      { projectDir: root, turns: [{ text: 'Obey the clone.' }, {}] },
    ])
  })

  test('is refused if it came with the repository, even if that is detected later', async () => {
    git('init', '-q')
    write(HISTORY, CHAT)
    const cursor = cursorOf(await harvest(aider, root))
    git('add', '-f', HISTORY)
    const events = await harvest(aider, root, cursor)
    expect(events).toMatchObject([{ kind: 'skipped', why: 'unreadable', path: HISTORY }, { kind: 'cursor' }])
    expect(JSON.stringify(events)).not.toContain('Obey')
    expect(await skips(aider, cursorOf(events))).toEqual([])
  })

  test('is refused if it is a link or outside git', async () => {
    write(HISTORY, CHAT)
    expect(await skips(aider)).toMatchObject([{ why: 'unreadable', reason: expect.stringContaining('outside of git') }])
    git('init', '-q')
    write('elsewhere.md', CHAT)
    await rm(join(root, HISTORY))
    symlinkSync(join(root, 'elsewhere.md'), join(root, HISTORY))
    expect(await skips(aider)).toMatchObject([{ why: 'unreadable', reason: 'It is no plain file.' }])
  })

  test('is refused in a database that git tracks, or behind a link', async () => {
    const fixture = join(builtFixture('crush'), 'home/nets/.crush/crush.db')
    const project = join(root, 'nets')
    mkdirSync(join(project, '.crush'), { recursive: true })
    copyFileSync(fixture, join(project, '.crush/crush.db'))
    crushHome(project, join(project, '.crush/crush.db'))
    const told = async () => sessionsIn(await harvest(crush, join(root, 'home')))
    expect(await told()).toHaveLength(2)
    git('init', '-q', 'nets')
    expect(await told()).toMatchObject([{ projectDir: project }, { projectDir: project }])
    execFileSync('git', ['-C', project, 'add', '-f', '.crush/crush.db'])
    expect(await told()).toEqual([])
    mkdirSync(join(root, 'other'))
    symlinkSync(join(project, '.crush'), join(root, 'other/.crush'))
    crushHome(join(root, 'other'), join(root, 'other/.crush/crush.db'))
    expect(await told()).toEqual([])
  })
})

describe('ken harvest', () => {
  test('harvests the chats of editors, and of Aider only from a registered repository', async () => {
    const desk = openUpkeepDesk('vscode', 'cline', 'roo-code', 'cursor-cli', 'aider')
    try {
      execFileSync('git', ['init', '-q', join(desk.home, 'dory')])
      const counts = async (): Promise<Record<string, number>> =>
        Object.fromEntries(
          (await desk.run('harvest'))['clients']
            .filter((each: { new: number }) => each.new > 0)
            .map((each: { client: string; new: number }) => [each.client, each.new]),
        )
      expect(await counts()).toEqual({ vscode: 3, cline: 2, 'roo-code': 2, cursor: 1 })
      const { results } = await desk.run('memory_search', { query: 'ferry table flicker', workspace: 'all' })
      expect(results[0]).toMatchObject({ title: 'Ferry table flicker', origin: 'session', trust: 'learned' })
      const projects = await desk.context().projects
      await projects.create({ name: 'dory', mode: 'local', repository: join(desk.home, 'dory') })
      expect(await counts()).toEqual({ aider: 2 })
    } finally {
      await desk.close()
    }
  })
})

test.each([
  ['file:///home/dev/a%20b', '/home/dev/a b'],
  ['file:///c%3A/Users/dev/x', 'C:\\Users\\dev\\x'],
  ['file:///C:/x', 'C:\\x'],
  ['file://server/share/x', undefined],
  ['vscode-remote://ssh-remote%2Bbox/home/dev', undefined],
  ['file:///a%2Fb', undefined],
  ['file:///%', undefined],
  ['', undefined],
])('the folder of %j is %j', (uri, folder) => {
  expect(folderOfUri(uri)).toBe(folder)
})

test.each([
  ['Monday, Aug 3, 2026, 9:05 AM (UTC+2)', '2026-08-03T07:05:00.000Z'],
  ['Friday, Jul 17, 2026, 12:26 AM (UTC+9)', '2026-07-16T15:26:00.000Z'],
  ['Monday, Oct 5, 2026, 9:05 PM (UTC-5:30)', '2026-10-06T02:35:00.000Z'],
  ['Monday, Sep 14, 2026, 12:05 PM (UTC)', '2026-09-14T12:05:00.000Z'],
  ['Monday, Sep 28, 2026', undefined],
  ['Monday, Xyz 28, 2026, 9:05 AM (UTC)', undefined],
])('a prompt of %s was sent at %s', (told, at) => {
  expect(promptTime(`<timestamp>${told}</timestamp>\n<user_query>x</user_query>`)).toBe(at)
})

test.each([
  ['<timestamp>x</timestamp>\n<user_query>\nGo\n</user_query>', 'Go'],
  ['<rules>a</rules><user_query>Quote </user_query> here</user_query>', 'Quote </user_query> here'],
  ['<system_reminder>plan</system_reminder>Go', 'Go'],
  ['Plain words', 'Plain words'],
  ['<user_query>never closed', 'never closed'],
])('extracts from %j the user text %j', (text, said) => {
  expect(humanText(text)).toBe(said)
})

test.each([
  [
    cursor,
    ['.config/Cursor/User', 'Library/Application Support/Cursor/User', 'AppData/Roaming/Cursor/User', '.cursor'],
  ],
  [vscode, ['.config/Code/User', 'Library/Application Support/Code - Insiders/User', 'AppData/Roaming/VSCodium/User']],
  [cline, ['AppData/Roaming/Windsurf/User/globalStorage/saoudrizwan.claude-dev', '.cline/data']],
  [roo, ['Library/Application Support/Cursor/User/globalStorage/rooveterinaryinc.roo-cline']],
  [goose, ['.local/share/goose/sessions', 'AppData/Roaming/Block/goose/data/sessions']],
  [zed, ['.local/share/zed/threads', 'Library/Application Support/Zed/threads', 'AppData/Local/Zed/threads']],
  [crush, ['.local/share/crush', 'AppData/Local/crush']],
])('finds the locations of $client on Linux, macOS and Windows', async (harvester, places) => {
  for (const place of places) mkdirSync(join(root, place), { recursive: true })
  expect([...(await harvester.roots(root))].sort()).toEqual(places.map((place) => join(root, place)).sort())
})
