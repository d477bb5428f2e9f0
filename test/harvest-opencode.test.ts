import { appendFile, cp, mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { HarvestedSession } from '../src/memory/domain/session/session.ts'
import { opencodeHarvester } from '../src/memory/harvest/opencode/index.ts'
import { cursorOf, harvest, sessionsIn } from './contract/harvester.contract.ts'

const harvester = opencodeHarvester()
const fixture = (name: string): string =>
  join(import.meta.dirname, 'fixtures/sessions', name, 'home/.local/share/opencode')
let root = ''
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'ken-opencode-test-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

interface Message {
  readonly id: string
  readonly role: string
  readonly created: number
  readonly parts: readonly object[]
  readonly more?: object
}

const says = (id: string, role: string, text: string, created = Number(id) * 1000): Message => ({
  id,
  role,
  created,
  parts: [{ type: 'text', text }],
})

async function writeJson(path: string, value: object): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), JSON.stringify(value))
}

async function writeFiles(id: string, info: object, messages: readonly Message[]): Promise<void> {
  await writeJson(`storage/session/p1/${id}.json`, { directory: '/home/dev/app', time: { created: 1 }, ...info })
  for (const { id: message, role, created, parts, more } of messages) {
    await writeJson(`storage/message/${id}/${id}-${message}.json`, { role, time: { created }, ...more })
    for (const [i, part] of parts.entries()) await writeJson(`storage/part/${id}-${message}/${i}.json`, part)
  }
}

/** The part of the client's schema that holds a conversation. */
function database(write: (db: DatabaseSync) => void, file = 'opencode.db'): void {
  const db = new DatabaseSync(join(root, file))
  db.exec(`CREATE TABLE IF NOT EXISTS project (id text, worktree text);
    CREATE TABLE IF NOT EXISTS session (id text, project_id text, parent_id text, directory text, title text, version text, revert text,
      time_created integer, time_updated integer, time_archived integer);
    CREATE TABLE IF NOT EXISTS message (id text, session_id text, time_created integer, time_updated integer, data text);
    CREATE TABLE IF NOT EXISTS part (id text, message_id text, session_id text, time_created integer, time_updated integer, data text)`)
  write(db)
  db.close()
}

function writeRows(
  db: DatabaseSync,
  id: string,
  info: { title?: string; created?: number },
  messages: readonly Message[],
): void {
  db.prepare('INSERT INTO session VALUES (?, ?, NULL, ?, ?, ?, NULL, ?, 1, NULL)').run(
    id,
    'p1',
    '/home/dev/app',
    info.title ?? '',
    '1.18',
    info.created ?? 1,
  )
  for (const { id: message, role, created, parts } of messages) {
    db.prepare('INSERT INTO message VALUES (?, ?, ?, ?, ?)').run(
      `${id}-${message}`,
      id,
      created,
      created,
      JSON.stringify({ role, time: { created } }),
    )
    const insert = db.prepare('INSERT INTO part VALUES (?, ?, ?, 1, 1, ?)')
    for (const [i, part] of parts.entries())
      insert.run(`${id}-${message}-${i}`, `${id}-${message}`, id, JSON.stringify(part))
  }
}

async function told(cursor?: string): Promise<Map<string, HarvestedSession>> {
  return new Map(sessionsIn(await harvest(harvester, root, cursor)).map((session) => [session.id, session]))
}

const texts = (session: HarvestedSession | undefined): (string | undefined)[] | undefined =>
  session?.turns.map((turn) => turn.text)

describe('both storages at once', () => {
  test('the database takes precedence, files add missing sessions, and forks are found across both', async () => {
    await writeFiles('ses_both', { title: 'Old title' }, [says('1', 'user', 'Go')])
    await writeFiles('ses_old', { time: { created: 2 } }, [says('3', 'user', 'Only in files')])
    await writeFiles('ses_fork', { time: { created: 9 } }, [
      says('1', 'user', 'Go'),
      says('2', 'assistant', 'Done.'),
      says('4', 'user', 'Fork'),
    ])
    database((db) =>
      writeRows(db, 'ses_both', { title: 'New title' }, [says('1', 'user', 'Go'), says('2', 'assistant', 'Done.')]),
    )
    const first = await harvest(harvester, root)
    const sessions = new Map(sessionsIn(first).map((session) => [session.id, session]))
    expect([...sessions.keys()].sort()).toEqual(['ses_both', 'ses_fork', 'ses_old'])
    expect(sessions.get('ses_both')).toMatchObject({
      title: 'New title',
      files: ['opencode.db'],
      turns: [{ text: 'Go' }, { text: 'Done.' }],
    })
    expect(sessions.get('ses_old')).toMatchObject({
      files: ['storage/session/p1/ses_old.json'],
      turns: [{ text: 'Only in files' }],
    })
    expect(sessions.get('ses_fork')).toMatchObject({ kind: 'fork', parentId: 'ses_both', turns: [{ text: 'Fork' }] })
    expect(await harvest(harvester, root, cursorOf(first))).toEqual(first.slice(-1))
  })

  test('the two fixtures together yield every session once', async () => {
    await cp(fixture('opencode-json'), root, { recursive: true })
    await cp(fixture('opencode-sqlite'), root, { recursive: true })
    const sessions = sessionsIn(await harvest(harvester, root))
    expect(sessions.map((session) => session.files)).toEqual(Array.from({ length: 5 }, () => ['opencode.db']))
  })

  test('a session with a row but no messages in the database is read from the files', async () => {
    await writeFiles('ses_a', {}, [says('1', 'user', 'Go')])
    database((db) => writeRows(db, 'ses_a', {}, []))
    expect(texts((await told()).get('ses_a'))).toEqual(['Go'])
  })

  test('a session that moves from files to the database continues as the same session', async () => {
    await writeFiles('ses_a', {}, [says('1', 'user', 'Go')])
    const first = await harvest(harvester, root)
    database((db) => writeRows(db, 'ses_a', {}, [says('1', 'user', 'Go'), says('2', 'assistant', 'Done.')]))
    expect(texts((await told(cursorOf(first))).get('ses_a'))).toEqual(['Go', 'Done.'])
  })

  test('a fork in files is found if its parent is in an unchanged database', async () => {
    database((db) => writeRows(db, 'ses_a', {}, [says('1', 'user', 'Go')]))
    const first = await harvest(harvester, root)
    await writeFiles('ses_b', { time: { created: 5 } }, [says('1', 'user', 'Go'), says('2', 'user', 'Fork')])
    expect((await told(cursorOf(first))).get('ses_b')).toMatchObject({
      kind: 'fork',
      parentId: 'ses_a',
      turns: [{ text: 'Fork' }],
    })
  })
})

describe('a database', () => {
  test('leaves nothing beside it, not even when the harvest is stopped midway', async () => {
    await cp(fixture('opencode-sqlite'), root, { recursive: true })
    const scratch = await mkdtemp(join(tmpdir(), 'ken-scratch-'))
    vi.stubEnv('TMPDIR', scratch)
    for await (const event of harvester.read(root, undefined)) {
      if (event.kind !== 'session') continue
      // Not every system can delete a file in use.
      expect(await readdir(scratch)).toHaveLength(process.platform === 'win32' ? 1 : 0)
      break
    }
    expect(await readdir(scratch)).toEqual([])
    expect((await readdir(root)).sort()).toEqual(['opencode.db', 'opencode.db-wal'])
    vi.unstubAllEnvs()
    await rm(scratch, { recursive: true })
  })

  test('is reported if it is invalid, and the files are harvested', async () => {
    await writeFile(join(root, 'opencode.db'), 'this is no database, but long enough to be taken for one '.repeat(20))
    await writeFiles('ses_a', {}, [says('1', 'user', 'Go')])
    const events = await harvest(harvester, root)
    expect(events.filter((event) => event.kind === 'skipped')).toMatchObject([{ path: 'opencode.db', why: 'damaged' }])
    expect(sessionsIn(events).map((session) => session.id)).toEqual(['ses_a'])
  })

  test('is read for every channel, or only the one named by a setting', async () => {
    database((db) => writeRows(db, 'ses_a', {}, [says('1', 'user', 'Latest')]))
    database((db) => writeRows(db, 'ses_b', {}, [says('1', 'user', 'Nightly')]), 'opencode-nightly.db')
    await mkdir(join(root, 'elsewhere'))
    database((db) => writeRows(db, 'ses_c', {}, [says('1', 'user', 'Elsewhere')]), 'elsewhere/mine.db')
    expect([...(await told()).keys()].sort()).toEqual(['ses_a', 'ses_b'])
    for (const place of ['elsewhere/mine.db', join(root, 'elsewhere/mine.db')]) {
      const named = opencodeHarvester({ database: place })
      const events = await harvest(named, root)
      expect(sessionsIn(events)).toMatchObject([{ id: 'ses_c', files: ['elsewhere/mine.db'] }])
      expect(await harvest(named, root, cursorOf(events))).toHaveLength(1)
    }
  })

  test('is reported if its messages have a newer format', async () => {
    database((db) => {
      writeRows(db, 'ses_a', {}, [says('1', 'user', 'Go')])
      db.exec("CREATE TABLE session_message (id text); INSERT INTO session_message VALUES ('m1'), ('m2')")
    })
    const events = await harvest(harvester, root)
    const skipped = events.filter((event) => event.kind === 'skipped')
    expect(skipped).toMatchObject([
      { path: 'opencode.db', why: 'unsupported', reason: expect.stringContaining('2 messages') },
    ])
  })

  test('rows updated or deleted in place are changes', async () => {
    database((db) => writeRows(db, 'ses_a', {}, [says('1', 'user', 'Go'), says('2', 'assistant', 'Wor')]))
    const first = await harvest(harvester, root)
    database((db) =>
      db
        .prepare('UPDATE part SET data = ?, time_updated = 2 WHERE message_id = ?')
        .run('{"type":"text","text":"Working."}', 'ses_a-2'),
    )
    // Two writes within one tick of the file system's clock look alike.
    await utimes(join(root, 'opencode.db'), 1_900_000_000, 1_900_000_000)
    const second = await harvest(harvester, root, cursorOf(first))
    expect(texts(sessionsIn(second)[0])).toEqual(['Go', 'Working.'])
    database((db) => db.exec("DELETE FROM message WHERE id = 'ses_a-2'"))
    await utimes(join(root, 'opencode.db'), 1_900_000_001, 1_900_000_001)
    expect(texts((await told(cursorOf(second))).get('ses_a'))).toEqual(['Go'])
  })
})

describe('messages', () => {
  test.each([
    ['"Fix the \\"pear\\" page"', 'Fix the "pear" page'],
    ['"one two" "three four"', '"one two" "three four"'],
    ['say "hi"', 'say "hi"'],
    ['"', '"'],
  ])('the stored prompt %j is harvested as %j', async (stored, prompt) => {
    await writeFiles('ses_a', {}, [says('1', 'user', stored)])
    expect(texts((await told()).get('ses_a'))).toEqual([prompt])
  })

  test('a revert inside a message removes only the parts after it', async () => {
    const answer = {
      id: '2',
      role: 'assistant',
      created: 2,
      parts: [
        { type: 'text', text: 'Kept.' },
        { type: 'text', text: 'Taken back.' },
      ],
    }
    await writeFiles('ses_a', { revert: { messageID: 'ses_a-2', partID: '1' } }, [says('1', 'user', 'Go'), answer])
    expect((await told()).get('ses_a')).toMatchObject({
      turns: [{ text: 'Go' }, { text: 'Kept.' }],
      abandonedTurns: [{ text: 'Taken back.' }],
    })
  })

  test('a command with an exit code other than 0 has failed, in files and in the database', async () => {
    const ran = (command: string, exit: number): object => ({
      type: 'tool',
      tool: 'bash',
      state: { status: 'completed', input: { command }, output: 'a page', metadata: { exit, output: 'a page' } },
    })
    const said = [
      says('1', 'user', 'Go'),
      {
        ...says('2', 'assistant', 'Done.'),
        parts: [ran('ls /home/dev/app/src', 0), { type: 'text', text: 'Done.' }, ran('npm test', 1)],
      },
    ]
    await writeFiles('ses_a', {}, said)
    database((db) => writeRows(db, 'ses_b', {}, said))
    const tools = [
      { name: 'bash', ok: true, detail: 'ls src' },
      { name: 'bash', ok: false, detail: 'npm test' },
    ]
    const sessions = await told()
    expect(sessions.get('ses_a')?.turns[1]).toMatchObject({ text: 'Done.', tools })
    expect(sessions.get('ses_b')?.turns[1]).toMatchObject({ text: 'Done.', tools })
  })

  test('a tool that never ended has no outcome', async () => {
    const parts = [
      { type: 'text', text: 'Running.' },
      { type: 'tool', tool: 'bash', state: { status: 'running' } },
    ]
    const answer = { id: '2', role: 'assistant', created: 2, parts }
    await writeFiles('ses_a', {}, [says('1', 'user', 'Go'), answer])
    expect((await told()).get('ses_a')?.turns[1]).toMatchObject({ tools: [{ name: 'bash', ok: null }] })
  })

  test('the previous layout is read as well, and takes the project from the messages', async () => {
    const base = 'project/home-dev-app/storage/session'
    await writeJson(`${base}/info/ses_a.json`, { title: 'Ancient', time: { created: 1 } })
    await writeJson(`${base}/message/ses_a/msg_1.json`, { role: 'user', time: { created: 1 } })
    await writeJson(`${base}/part/ses_a/msg_1/prt_1.json`, { type: 'text', text: 'Go' })
    await writeJson(`${base}/message/ses_a/msg_2.json`, {
      role: 'assistant',
      time: { created: 2 },
      path: { cwd: '/home/dev/app/web', root: '/home/dev/app' },
    })
    await writeJson(`${base}/part/ses_a/msg_2/prt_1.json`, { type: 'text', text: 'Done.' })
    const session = (await told()).get('ses_a')
    expect(session).toMatchObject({ title: 'Ancient', projectDir: '/home/dev/app', directory: '/home/dev/app/web' })
    expect(texts(session)).toEqual(['Go', 'Done.'])
  })
})

describe('forks', () => {
  test('stay forks after their parent is deleted', async () => {
    await writeFiles('ses_a', {}, [says('1', 'user', 'Go')])
    await writeFiles('ses_b', { time: { created: 5 } }, [says('1', 'user', 'Go'), says('2', 'user', 'Fork')])
    const first = await harvest(harvester, root)
    await rm(join(root, 'storage/session/p1/ses_a.json'))
    await writeFiles('ses_b', { time: { created: 5 } }, [says('3', 'assistant', 'Forked.')])
    const fork = (await told(cursorOf(first))).get('ses_b')
    expect(fork).toMatchObject({ kind: 'fork', parentId: 'ses_a', turns: [{ text: 'Fork' }, { text: 'Forked.' }] })
  })

  test('a damaged session file is reported once, and read when it is complete', async () => {
    const path = join(root, 'storage/session/p1/ses_a.json')
    await writeFiles('ses_a', {}, [says('1', 'user', 'Go')])
    await writeFile(path, '{"title": "Pe')
    const first = await harvest(harvester, root)
    expect(first).toMatchObject([
      { kind: 'skipped', why: 'damaged', path: 'storage/session/p1/ses_a.json' },
      { kind: 'cursor' },
    ])
    const second = await harvest(harvester, root, cursorOf(first))
    expect(second).toHaveLength(1)
    await appendFile(path, 'ars"}')
    expect((await told(cursorOf(second))).get('ses_a')).toMatchObject({ title: 'Pears' })
  })
})
