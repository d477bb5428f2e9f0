import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { claudeCode } from '../src/memory/harvest/claude-code/index.ts'
import { codex } from '../src/memory/harvest/codex/index.ts'
import { gemini } from '../src/memory/harvest/gemini/index.ts'
import { opencode } from '../src/memory/harvest/opencode/index.ts'
import { describeHarvester } from './contract/harvester.contract.ts'
import { clock, fixture, lineHand, plant } from './contract/line-hand.ts'

describeHarvester('claude-code', {
  open: () => claudeCode,
  fixture: fixture('claude-code'),
  hand(root) {
    const session = 'a64106ca-58e9-461a-8c5b-573e1ad687bc'
    const tick = clock()
    let parentUuid = '430ca585-d560-4692-831e-abd5fabb56b9'
    const record = (type: 'user' | 'assistant', content: unknown): object => {
      const uuid = `new-${tick()}`
      const timestamp = new Date(tick()).toISOString()
      const line = {
        parentUuid,
        isSidechain: false,
        uuid,
        timestamp,
        sessionId: session,
        cwd: '/home/dev/my-app',
        type,
        message: { role: type, content },
      }
      parentUuid = uuid
      return line
    }
    return lineHand({
      session,
      file: join(root, 'projects/-home-dev-my-app', `${session}.jsonl`),
      secrets: [
        join(root, '.credentials.json'),
        join(root, '..', '.claude.json'),
        join(root, 'projects/.credentials.json'),
      ],
      lines: (user, assistant) => [record('user', user), record('assistant', [{ type: 'text', text: assistant }])],
    })
  },
})

describeHarvester('codex', {
  open: () => codex,
  fixture: fixture('codex'),
  hand(root) {
    const session = '019a0006-0000-7000-8000-000000000006'
    const tick = clock()
    const item = (type: string, text: string): object => ({
      timestamp: new Date(tick()).toISOString(),
      type: 'event_msg',
      payload: { type: 'item_completed', item: { type, id: `new-${tick()}`, content: [{ type: 'text', text }] } },
    })
    return lineHand({
      session,
      file: join(root, 'sessions/2026/09/14', `rollout-2026-09-14T10-10-00-${session}.jsonl`),
      secrets: [join(root, 'auth.json'), join(root, 'mcp-oauth.json')],
      lines: (user, assistant) => [item('UserMessage', user), item('AgentMessage', assistant)],
    })
  },
})

describeHarvester('gemini-cli', {
  open: () => gemini,
  fixture: fixture('gemini'),
  hand(root) {
    const tick = clock()
    const message = (type: string, text: string): object => ({
      id: `new-${tick()}`,
      timestamp: new Date(tick()).toISOString(),
      type,
      content: [{ text }],
    })
    return lineHand({
      session: 'ae392cd9-9ce9-438e-8666-88edd2efbef0',
      file: join(root, 'tmp/reef-web/chats/session-2026-01-05T09-00-ae392cd9.jsonl'),
      secrets: [join(root, 'oauth_creds.json'), join(root, 'mcp-oauth-tokens.json')],
      lines: (user, assistant) => [message('user', user), message('gemini', assistant)],
    })
  },
})

describeHarvester('opencode (files)', {
  open: () => opencode,
  fixture: fixture('opencode-json'),
  hand(root) {
    const session = 'ses_000000000033AbCdEfGhIjKlMn'
    const storage = join(root, 'storage')
    const tick = clock()
    const writeJson = async (path: string, value: object): Promise<void> => {
      await mkdir(dirname(join(storage, path)), { recursive: true })
      await writeFile(join(storage, path), JSON.stringify(value))
    }
    const message = async (role: string, text: string): Promise<void> => {
      const now = tick()
      await writeJson(`message/${session}/msg_1${now}.json`, { role, time: { created: now } })
      await writeJson(`part/msg_1${now}/prt_${now}.json`, { type: 'text', text })
    }
    const open = join(storage, 'part/msg_00000000003cAbCdEfGhIjKlMn/prt_open.json')
    const part = JSON.stringify({ type: 'text', text: 'And the auditors.' })
    return {
      session,
      async say(user, assistant) {
        await message('user', user)
        await message('assistant', assistant)
      },
      begin: () => writeFile(open, part.slice(0, 20)),
      finish: () => writeFile(open, part),
      damage: () => writeFile(join(storage, 'part/msg_00000000003cAbCdEfGhIjKlMn/prt_bad.json'), 'no JSON'),
      hide: (secret) =>
        plant(
          [join(root, 'auth.json'), join(root, 'mcp-auth.json'), join(storage, 'session_share', `${session}.json`)],
          secret,
        ),
    }
  },
})

describeHarvester('opencode (database)', {
  open: () => opencode,
  fixture: fixture('opencode-sqlite'),
  hand(root) {
    const session = 'ses_000000000033AbCdEfGhIjKlMn'
    const tick = clock()
    const write = (statements: (db: DatabaseSync) => void): void => {
      const db = new DatabaseSync(join(root, 'opencode.db'))
      statements(db)
      db.close()
    }
    const insert = (db: DatabaseSync, role: string, data: string): void => {
      const now = tick()
      db.prepare('INSERT INTO message VALUES (?, ?, ?, ?, ?)').run(
        `msg_1${now}`,
        session,
        now,
        now,
        JSON.stringify({ role, time: { created: now } }),
      )
      db.prepare('INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)').run(`prt_${now}`, `msg_1${now}`, session, now, now, data)
    }
    const say = (db: DatabaseSync, user: string, assistant: string): void => {
      insert(db, 'user', JSON.stringify({ type: 'text', text: user }))
      insert(db, 'assistant', JSON.stringify({ type: 'text', text: assistant }))
    }
    let writing: DatabaseSync | undefined
    return {
      session,
      async say(user, assistant) {
        write((db) => say(db, user, assistant))
      },
      async begin() {
        writing = new DatabaseSync(join(root, 'opencode.db'))
        writing.exec('BEGIN IMMEDIATE')
        say(writing, 'And then?', 'Then it is done.')
      },
      async finish() {
        writing?.exec('COMMIT')
        writing?.close()
      },
      async damage() {
        write((db) => insert(db, 'user', 'no JSON'))
      },
      async hide(secret) {
        write((db) => {
          db.exec(
            'CREATE TABLE account (id text, access_token text); CREATE TABLE session_share (session_id text, secret text)',
          )
          db.prepare('INSERT INTO account VALUES (?, ?)').run('me', secret)
          db.prepare('INSERT INTO session_share VALUES (?, ?)').run(session, secret)
        })
        await plant([join(root, 'auth.json')], secret)
      },
    }
  },
})
