import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { zstdCompressSync } from 'node:zlib'
import { vi } from 'vitest'
import { aider } from '../src/memory/harvest/aider/index.ts'
import { cline, roo } from '../src/memory/harvest/cline/index.ts'
import { crush } from '../src/memory/harvest/crush/index.ts'
import { cursor } from '../src/memory/harvest/cursor/index.ts'
import { goose } from '../src/memory/harvest/goose/index.ts'
import { vscode } from '../src/memory/harvest/vscode/index.ts'
import { zed } from '../src/memory/harvest/zed/index.ts'
import type { Harvester } from '../src/memory/ports/harvester.ts'
import { builtFixture, insertRow } from './built-fixture.ts'
import { type ClientHand, describeHarvester } from './contract/harvester.contract.ts'

vi.stubEnv('TZ', 'UTC')

const fixture = (name: string): string => join(import.meta.dirname, 'fixtures/sessions', name)

/** Times after every fixture, one second apart. */
function clock(): () => number {
  let now = Date.parse('2026-10-01T00:00:00.000Z')
  return () => (now += 1000)
}

async function plant(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))

interface RowWriter {
  readonly session: string
  readonly file: string
  /** Adds a message; an undefined text writes an unreadable row. */
  add(db: DatabaseSync, role: 'user' | 'assistant', text: string | undefined): void
  hide(db: DatabaseSync, secret: string): void
}

/** A client that stores messages as database rows. */
function rowHand({ session, file, add, hide }: RowWriter): ClientHand {
  let writing: DatabaseSync | undefined
  const write = async (statements: (db: DatabaseSync) => void): Promise<void> => {
    const db = new DatabaseSync(file)
    statements(db)
    db.close()
  }
  const say = (db: DatabaseSync, user: string, assistant: string): void => {
    add(db, 'user', user)
    add(db, 'assistant', assistant)
  }
  return {
    session,
    say: (user, assistant) => write((db) => say(db, user, assistant)),
    async begin() {
      writing = new DatabaseSync(file)
      writing.exec('PRAGMA journal_mode = WAL; BEGIN IMMEDIATE')
      say(writing, 'And then?', 'Then it is done.')
    },
    async finish() {
      writing?.exec('COMMIT')
      // The write-ahead log stays: the database is not closed yet.
    },
    damage: () => write((db) => add(db, 'user', undefined)),
    hide: (secret) => write((db) => hide(db, secret)),
  }
}

describeHarvester('cursor (editor)', {
  open: () => cursor,
  fixture: builtFixture('cursor'),
  hand(root) {
    const session = 'aaaaaaaa-1111-4111-8111-111111111111'
    const tick = clock()
    return rowHand({
      session,
      file: join(root, 'globalStorage/state.vscdb'),
      add(db, role, text) {
        const now = tick()
        const bubble = { type: role === 'user' ? 1 : 2, text, createdAt: new Date(now).toISOString() }
        const value = text === undefined ? 'no JSON' : JSON.stringify(bubble)
        insertRow(db, 'cursorDiskKV', { key: `bubbleId:${session}:n${now}`, value })
        const key = `composerData:${session}`
        const composer = JSON.parse(String(db.prepare('SELECT value FROM cursorDiskKV WHERE key = ?').get(key)?.value))
        composer.fullConversationHeadersOnly.push({ bubbleId: `n${now}`, type: bubble.type })
        db.prepare('UPDATE cursorDiskKV SET value = ? WHERE key = ?').run(JSON.stringify(composer), key)
      },
      hide(db, secret) {
        for (const key of ['cursorAuth/accessToken', 'secret://{"extensionId":"x","key":"token"}'])
          insertRow(db, 'ItemTable', { key, value: secret })
        insertRow(db, 'cursorDiskKV', { key: 'agentKv:blob:1', value: secret })
      },
    })
  },
})

describeHarvester('cursor (terminal)', {
  open: () => cursor,
  fixture: fixture('cursor-cli'),
  hand(root) {
    const session = '55555555-eeee-4eee-8eee-555555555555'
    const file = join(root, `projects/home-dev-lighthouse/agent-transcripts/${session}/${session}.jsonl`)
    const line = (role: string, text: string): string =>
      `${JSON.stringify({ role, message: { content: [{ type: 'text', text }] } })}\n`
    const said = (user: string, assistant: string): string =>
      line('user', `<user_query>\n${user}\n</user_query>`) + line('assistant', assistant)
    const unfinished = said('And then?', 'Then it is done.')
    return {
      session,
      say: (user, assistant) => appendFile(file, said(user, assistant)),
      begin: () => appendFile(file, unfinished.slice(0, 20)),
      finish: () => appendFile(file, unfinished.slice(20)),
      damage: () => appendFile(file, '{"this": is no JSON\n'),
      hide: (secret) => plant(join(root, 'cli-config.json'), secret),
    }
  },
})

describeHarvester('vscode', {
  open: () => vscode,
  fixture: fixture('vscode'),
  hand(root) {
    const session = '11111111-aaaa-4aaa-8aaa-111111111111'
    const file = join(root, `workspaceStorage/a1b2c3/chatSessions/${session}.jsonl`)
    const tick = clock()
    const said = (text: string, value: string): string => {
      const request = { requestId: `n${tick()}`, timestamp: tick(), message: { text }, response: [{ value }] }
      return `${JSON.stringify({ kind: 2, k: ['requests'], v: [request] })}\n`
    }
    const unfinished = said('And then?', 'Then it is done.')
    return {
      session,
      say: (user, assistant) => appendFile(file, said(user, assistant)),
      begin: () => appendFile(file, unfinished.slice(0, 20)),
      finish: () => appendFile(file, unfinished.slice(20)),
      damage: () => appendFile(file, '{"this": is no JSON\n'),
      hide: (secret) => plant(join(root, 'globalStorage/state.vscdb'), secret),
    }
  },
})

for (const [name, harvester, session] of [
  ['cline', cline, '1787000000001'],
  ['roo-code', roo, '0197aaaa-0000-7000-8000-000000000001'],
] as const)
  describeHarvester(name, {
    open: () => harvester,
    fixture: fixture(name),
    hand(root) {
      const file = join(root, `tasks/${session}/ui_messages.json`)
      const tick = clock()
      const messages = (user: string, assistant: string): string =>
        JSON.stringify([
          ...(readJson(file) as object[]),
          { ts: tick(), type: 'say', say: 'user_feedback', text: user },
          { ts: tick(), type: 'say', say: 'text', text: assistant },
        ])
      let unfinished = ''
      return {
        session,
        say: (user, assistant) => writeFile(file, messages(user, assistant)),
        begin() {
          unfinished = messages('And then?', 'Then it is done.')
          return writeFile(file, unfinished.slice(0, -20))
        },
        finish: () => writeFile(file, unfinished),
        damage: () => plant(join(root, 'tasks/damaged/ui_messages.json'), '[{"ts": 1'),
        async hide(secret) {
          await plant(join(root, 'settings/cline_mcp_settings.json'), secret)
          await plant(join(root, `tasks/${session}/settings.json`), secret)
          await plant(join(root, 'secrets.json'), secret)
        },
      }
    },
  })

describeHarvester('cline (its own folder)', {
  open: () => cline,
  fixture: fixture('cline-core'),
  hand(root) {
    const session = '1794778478908_0d902'
    const file = join(root, `sessions/${session}/${session}.messages.json`)
    let now = Date.parse('2027-01-01T00:00:00.000Z')
    const message = (role: string, text: string): object => ({
      id: `n${(now += 1000)}`,
      role,
      content: [{ type: 'text', text }],
      ts: now,
    })
    const messages = (user: string, assistant: string): string => {
      const stored = readJson(file) as { messages: object[] }
      stored.messages.push(
        message('user', `<user_input mode="act">${user}</user_input>`),
        message('assistant', assistant),
      )
      return JSON.stringify(stored)
    }
    let unfinished = ''
    return {
      session,
      say: (user, assistant) => writeFile(file, messages(user, assistant)),
      begin() {
        unfinished = messages('And then?', 'Then it is done.')
        return writeFile(file, unfinished.slice(0, -20))
      },
      finish: () => writeFile(file, unfinished),
      damage: () => plant(join(root, 'sessions/damaged/damaged.messages.json'), '{"messages": ['),
      async hide(secret) {
        await plant(join(root, 'settings/providers.json'), secret)
        await plant(join(root, 'secrets.json'), secret)
        await plant(join(root, 'logs/hooks.jsonl'), secret)
      },
    }
  },
})

describeHarvester('goose', {
  open: () => goose,
  fixture: builtFixture('goose'),
  hand(root) {
    const session = '20260815_1'
    const tick = clock()
    return rowHand({
      session,
      file: join(root, 'sessions.db'),
      add(db, role, text) {
        const content_json = text === undefined ? 'no JSON' : [{ type: 'text', text }]
        insertRow(db, 'messages', { session_id: session, role, content_json, created_timestamp: tick() / 1000 })
      },
      hide: (db, secret) =>
        void db.prepare('UPDATE sessions SET extension_data = ?, recipe_json = ?').run(secret, secret),
    })
  },
})

describeHarvester('zed', {
  open: () => zed,
  fixture: builtFixture('zed'),
  hand(root) {
    const session = '99999999-3333-4333-8333-333333333333'
    return rowHand({
      session,
      file: join(root, 'threads.db'),
      add(db, role, text) {
        if (text === undefined) {
          insertRow(db, 'threads', { id: 'bad', summary: 'x', updated_at: '2026-01-01', data_type: 'zstd', data: '' })
          db.exec("UPDATE threads SET data = x'28b52ffd00' WHERE id = 'bad'")
          return
        }
        const stored = db.prepare('SELECT data FROM threads WHERE id = ?').get(session)?.data
        const thread = JSON.parse(typeof stored === 'string' ? stored : Buffer.from(stored as Uint8Array).toString())
        thread.messages.push({ role, segments: [{ type: 'text', text }] })
        db.prepare('UPDATE threads SET data = ? WHERE id = ?').run(JSON.stringify(thread), session)
      },
      hide(db, secret) {
        db.exec('CREATE TABLE credentials (value text)')
        insertRow(db, 'credentials', { value: secret })
      },
    })
  },
})

describeHarvester('crush', {
  open: () => crush,
  fixture: builtFixture('crush'),
  hand(root) {
    const project = join(root, '../../../nets')
    mkdirSync(root, { recursive: true })
    const projects = [{ path: project, data_dir: join(project, '.crush'), last_accessed: '2026-05-05T05:03:00Z' }]
    writeFileSync(join(root, 'projects.json'), JSON.stringify({ projects }))
    const session = 'cs-1'
    const tick = clock()
    let messages = 0
    return rowHand({
      session,
      file: join(project, '.crush/crush.db'),
      add(db, role, text) {
        const parts = zstdCompressSync(JSON.stringify([{ type: 'text', data: { text } }]))
        const at = tick() / 1000
        insertRow(db, 'messages', {
          id: `n${(messages += 1)}-${at}`,
          session_id: session,
          role,
          parts: '',
          created_at: at,
          updated_at: at,
        })
        db.prepare("UPDATE messages SET parts = ? WHERE parts = ''").run(text === undefined ? 'no JSON' : parts)
      },
      hide: (db, secret) => {
        db.exec('CREATE TABLE keys (value text)')
        insertRow(db, 'keys', { value: secret })
      },
    })
  },
})

/** Ids contain a hash of the folder, which differs in every run. */
const aiderOf = (folder: string): Harvester => ({
  client: aider.client,
  roots: (home) => aider.roots(home, [join(home, folder), join(home, 'elsewhere')]),
  async *read(root, cursor) {
    for await (const event of aider.read(root, cursor))
      yield event.kind === 'session'
        ? { ...event, session: { ...event.session, id: event.session.id.replace(/^[0-9a-f]{12}/, 'here') } }
        : event
  },
})

describeHarvester('aider', {
  open: () => aiderOf('dory'),
  fixture: fixture('aider'),
  hand(root) {
    execFileSync('git', ['init', '-q', root])
    const file = join(root, '.aider.chat.history.md')
    const said = (user: string, assistant: string): string =>
      `\n${user
        .split('\n')
        .map((line) => `#### ${line}  \n`)
        .join('')}\n${assistant}\n\n`
    return {
      session: 'here-20260402100000-2',
      say: (user, assistant) => appendFile(file, said(user, assistant)),
      begin: () => appendFile(file, '#### And th'),
      finish: () => appendFile(file, 'en?  \n\nThen it is done.\n'),
      damage: () => Promise.resolve(),
      hide: (secret) => plant(join(root, '.env'), secret),
    }
  },
  knownGaps: {
    'damage is reported, and what stands around it is told': 'Any line of Markdown is one that can be read.',
  },
})
