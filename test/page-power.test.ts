import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openKen, type Ken } from '../src/app/open.ts'
import { announceApp } from '../src/app/running-app.ts'
import { SETTINGS } from '../src/app/settings.ts'
import type { WaitingChange } from '../src/kernel/ports/page-changes.ts'
import { OPERATIONS } from '../src/operations/all.ts'
import { call } from '../src/operations/call.ts'
import { defineOperation } from '../src/operations/operation.ts'
import { changesToConfirm, waitingLines, withoutPower } from '../src/operations/page-power.ts'
import { serveApp, type AppServer } from '../src/surfaces/http/serve-app.ts'

const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-page-power-')))
const [project, outside, userHome] = [join(place, 'project'), join(place, 'outside'), join(place, 'user')]
for (const folder of [project, outside, userHome, join(project, 'docs')]) mkdirSync(folder)
writeFileSync(join(outside, 'private.md'), '# Private\n')
writeFileSync(join(project, 'docs', 'guide.md'), '# Guide\n')

/** Declares nothing about confirmation, like a newly added operation. */
const undeclared = defineOperation({
  name: 'undeclared',
  title: 'Do something new',
  summary: 'Do something new.',
  effect: 'write',
  words: 'own',
  needs: [],
  input: {},
  output: {},
  examples: [],
  run: async () => ({}),
  render: () => '',
})

let now = Date.now()
let ken: Ken
let server: AppServer
const shown: WaitingChange[] = []

beforeAll(async () => {
  ken = openKen({ HOME: userHome, KEN_HOME: join(place, 'home'), KEN_TELEMETRY: '0' }, () => {})
  await terminal('init', { name: 'web' })
  await terminal('init_context', { name: 'web' })
  server = await serveApp({
    operations: [...OPERATIONS, undeclared],
    version: '0',
    port: 0,
    now: () => now,
    show: (change) => shown.push(change),
    files: async () => undefined,
    context: async (origin, { directory }) => ken.context({ origin, cwd: directory ?? project, startedIn: project }),
  })
})

// Earlier requests no longer count towards the limit.
beforeEach(() => {
  now += 10 * 60_000
  shown.length = 0
})

afterAll(async () => {
  await server.close()
  await ken.close()
  rmSync(place, { recursive: true, force: true })
})

const named = (name: string) => OPERATIONS.find((op) => op.name === name)!

async function terminal(name: string, input: object = {}): Promise<Record<string, unknown>> {
  const ctx = ken.context({ origin: { surface: 'cli' }, cwd: project, startedIn: project })
  return (await call(ctx, named(name), input)).output
}

type Session = Readonly<Record<string, string>>

async function enter(): Promise<Session> {
  const reply = await fetch(server.link('/'))
  const cookie = reply.headers.getSetCookie()[0]!.split(';')[0]!
  return { cookie, 'x-ken-key': /name="ken-key" content="([^"]+)"/.exec(await reply.text())![1]! }
}

interface Reply {
  readonly status: number
  readonly body: {
    readonly error?: {
      readonly code: string
      readonly message: string
      readonly confirm?: { readonly id: string; readonly changes: readonly object[] }
    }
  } & Record<string, unknown>
}

async function ask(
  session: Session,
  name: string,
  input: object,
  { code, query = '' }: { code?: string; query?: string } = {},
): Promise<Reply> {
  const reply = await fetch(`${server.url}/v1/${name}${query}`, {
    method: 'POST',
    headers: { ...session, 'content-type': 'application/json', ...(code !== undefined && { 'x-ken-confirm': code }) },
    body: JSON.stringify(input),
  })
  return { status: reply.status, body: (await reply.json()) as Reply['body'] }
}

/**
 * Hashes of every file that belongs to the user, to Ken or to the project, except indexes and logs, which change on
 * their own.
 */
function disk(): Readonly<Record<string, string>> {
  const files = readdirSync(place, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !/\.db|-wal$|-shm$|lock|\.jsonl$/.test(entry.name),
  )
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name)
      return [path, createHash('sha256').update(readFileSync(path)).digest('hex')]
    }),
  )
}

const MODEL = { name: 'model.url', value: 'https://models.example/v1' }
const modelUrl = async () => (await terminal('config_get', { name: 'model.url' }))['value']

/** Every operation that needs confirmation from a page, with an input that triggers it. */
const GUARDED: Readonly<Record<string, object>> = {
  setup: { client: 'cursor', scope: 'user' },
  config_set: MODEL,
  config_unset: { name: 'model.name' },
  key_set: { provider: 'anthropic', key: 'sk-ant-0123456789' },
  key_remove: { provider: 'anthropic' },
  token_renew: {},
  trust: { yes: true, seen: '0123456789abcdef' },
  collection_add: { name: 'private', path: outside },
  source_add: { what: ['postgres://app:hunter2@db.example/crm'] },
  init_context: { source: ['postgres://app@db.example/crm'] },
  undeclared: {},
}

describe('a page with only cookie and key', () => {
  for (const [name, input] of Object.entries(GUARDED))
    test(`does not run ${name}, and the terminal shows the request with a code`, async () => {
      const session = await enter()
      const before = disk()
      const { status, body } = await ask(session, name, input)
      expect([status, body.error?.code]).toEqual([403, 'confirm_needed'])
      expect(disk()).toEqual(before)
      const [change] = shown
      expect(shown).toHaveLength(1)
      expect(body.error!.confirm).toMatchObject({ id: change!.id, changes: change!.changes })
      expect(change).toMatchObject({ operation: name, folder: project })
      expect(JSON.stringify(body)).not.toContain(change!.code)
      expect(waitingLines(change!).join('\n')).toContain(change!.code)
      expect(JSON.stringify([body, change])).not.toMatch(/hunter2|sk-ant-0123456789/)
    })

  test('cannot revoke trust or index a folder outside the projects', async () => {
    const session = await enter()
    for (const [name, input, query] of [
      ['trust', { revoke: true }, ''],
      ['memory_index_codebase', {}, `?directory=${outside}`],
      ['init_context', {}, `?directory=${outside}`],
      ['note_save', { name: 'a', text: 'b' }, `?directory=${outside}`],
    ] as const) {
      const before = disk()
      expect([name, (await ask(session, name, input, { query })).body.error?.code]).toEqual([name, 'confirm_needed'])
      expect(disk()).toEqual(before)
    }
  })

  test('cannot set a folder up or undo that, and the plan is confirmed with one code', async () => {
    const [session, fresh] = [await enter(), join(outside, 'fresh')]
    const at = { query: `?directory=${encodeURIComponent(fresh)}` }
    mkdirSync(join(fresh, 'adr'), { recursive: true })
    for (const name of ['0001-a.md', '0002-b.md']) writeFileSync(join(fresh, 'adr', name), '# A\n\nBecause.\n')
    const before = disk()
    const { body } = await ask(session, 'start', { yes: true }, at)
    expect(body.error?.code).toBe('confirm_needed')
    expect(disk()).toEqual(before)
    const whats = (changes: readonly object[]) => changes.map((one) => (one as { what: string }).what)
    expect(whats(shown[0]!.changes)).toEqual([
      'Start a record',
      '.ken/config.json',
      'Import adr',
      'Write instructions for agents',
      'AGENTS.md',
      '.claude/CLAUDE.md',
      'folder',
    ])
    // The stored plan runs, whatever the page sends with the code.
    const code = `${shown[0]!.id} ${shown[0]!.code}`
    const done = await ask(session, 'start', { yes: true, only: ['adr:elsewhere'] }, { ...at, code })
    expect([done.body.error, done.body['outcome'], shown.length]).toEqual([undefined, 'done', 1])
    const after = disk()
    expect((await ask(session, 'start', { yes: true, undo: true }, at)).body.error?.code).toBe('confirm_needed')
    expect(disk()).toEqual(after)
    const undo = `${shown[1]!.id} ${shown[1]!.code}`
    expect((await ask(session, 'start', { undo: true }, { ...at, code: undo })).body['outcome']).toBe('undone')
    expect(disk()).toEqual(before)
  })

  test('can do everyday work', async () => {
    const session = await enter()
    for (const [name, input] of [
      ['propose_decision', { title: 'Write in plain English', rationale: 'Readers come from everywhere.' }],
      ['config_set', { name: 'query.timeout', value: '12' }],
      ['config_unset', { name: 'query.timeout' }],
      ['setup', { client: 'cursor', scope: 'user', dry_run: true }],
      ['trust', { list: true }],
      ['trust', {}],
      ['source_add', {}],
      ['source_add', { what: ['docs'] }],
      ['collection_add', { name: 'guides', path: 'docs' }],
      ['collection_rename', { name: 'guides', new_name: 'handbook' }],
      ['collection_remove', { name: 'handbook' }],
      ['memory_index_codebase', {}],
      ['context_save', { file: 'RULES.md', text: '# Rules\n' }],
    ] as const)
      expect([name, (await ask(session, name, input)).body.error]).toEqual([name, undefined])
    expect(shown).toEqual([])
  })

  test('gets an immediate error for an invalid value', async () => {
    const { body } = await ask(await enter(), 'config_set', { name: 'model.url', value: 'ftp://x' })
    expect(body.error?.code).toBe('invalid_input')
    expect(shown).toEqual([])
  })
})

describe('the code', () => {
  test('runs the pending call once, with its original input', async () => {
    const session = await enter()
    const { body } = await ask(session, 'config_set', MODEL)
    expect(body.error!.confirm!.changes).toEqual([{ what: 'model.url', before: '(not set)', after: MODEL.value }])
    const [{ id, code }] = shown as [WaitingChange]
    const other = { name: 'model.url', value: 'https://evil.example/v1' }
    const done = await ask(session, 'config_set', other, { code: `${id} ${code.toLowerCase().replace('-', '')}` })
    expect(done).toMatchObject({ status: 200, body: { name: 'model.url', value: MODEL.value } })
    expect(await modelUrl()).toBe(MODEL.value)
    await terminal('config_unset', { name: 'model.url' })
    const again = await ask(session, 'config_set', MODEL, { code: `${id} ${code}` })
    expect([again.status, again.body.error!.code]).toEqual([404, 'not_found'])
    expect(await modelUrl()).toBe('')
  })

  test('runs the call once for two simultaneous requests', async () => {
    const session = await enter()
    await ask(session, 'config_set', MODEL)
    const [{ id, code }] = shown as [WaitingChange]
    const both = await Promise.all([1, 2].map(() => ask(session, 'config_set', MODEL, { code: `${id} ${code}` })))
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404])
    await terminal('config_unset', { name: 'model.url' })
  })

  test('is dropped with its call after five wrong attempts', async () => {
    const session = await enter()
    await ask(session, 'config_set', MODEL)
    const [{ id, code }] = shown as [WaitingChange]
    for (const left of ['4 tries', '3 tries', '2 tries', '1 try']) {
      const { status, body } = await ask(session, 'config_set', MODEL, { code: `${id} 2222-2222` })
      expect([status, body.error!.code, body.error!.confirm!.id]).toEqual([403, 'confirm_needed', id])
      expect(body.error!.message).toContain(`${left} left`)
    }
    expect((await ask(session, 'config_set', MODEL, { code: id })).body.error!.code).toBe('forbidden')
    expect((await ask(session, 'config_set', MODEL, { code: `${id} ${code}` })).status).toBe(404)
    expect(await modelUrl()).toBe('')
  })

  test('is not valid in another session, operation or folder, or after five minutes', async () => {
    const [session, other] = [await enter(), await enter()]
    await ask(session, 'config_set', MODEL)
    const [{ id, code }] = shown as [WaitingChange]
    const given = { code: `${id} ${code}` }
    expect((await ask(other, 'config_set', MODEL, given)).status).toBe(404)
    expect((await ask(session, 'token_renew', {}, given)).status).toBe(404)
    expect((await ask(session, 'config_set', MODEL, { ...given, query: `?directory=${outside}` })).status).toBe(404)
    expect((await ask({}, 'config_set', MODEL, given)).status).toBe(401)
    now += 5 * 60_000
    expect((await ask(session, 'config_set', MODEL, given)).status).toBe(404)
    expect(await modelUrl()).toBe('')
  })

  test('runs nothing if the effect would differ from the one shown', async () => {
    const session = await enter()
    await ask(session, 'config_set', MODEL)
    const [{ id, code }] = shown as [WaitingChange]
    await terminal('config_set', { name: 'model.url', value: 'https://mine.example' })
    expect((await ask(session, 'config_set', MODEL, { code: `${id} ${code}` })).status).toBe(409)
    expect(await modelUrl()).toBe('https://mine.example')
    await terminal('config_unset', { name: 'model.url' })
  })

  test('trusts the entries shown, and nothing added to ken.yaml since', async () => {
    const session = await enter()
    const file = join(project, 'ken.yaml')
    const text = readFileSync(file, 'utf8')
    const withHost = (host: string) => `${text}\nrepositories:\n  - name: web\n    url: https://${host}/web.git\n`
    const wanted = async (): Promise<object> => {
      const { body } = await ask(session, 'trust', {})
      return { yes: true, seen: body['mark'] }
    }
    writeFileSync(file, withHost('git.example'))
    expect((await ask(session, 'trust', { yes: true })).body.error!.code).toBe('confirm_needed')
    await ask(session, 'trust', await wanted())
    expect(shown.at(-1)!.changes).toEqual([
      { what: 'repository/web', after: 'fetch https://git.example/web.git with git' },
    ])
    const first = shown.at(-1)!
    writeFileSync(file, withHost('evil.example'))
    expect((await ask(session, 'trust', {}, { code: `${first.id} ${first.code}` })).status).toBe(409)
    expect((await terminal('trust', { list: true }))['projects']).toEqual([])
    writeFileSync(file, withHost('git.example'))
    await ask(session, 'trust', await wanted())
    const second = shown.at(-1)!
    const done = await ask(session, 'trust', {}, { code: `${second.id} ${second.code}` })
    expect(done.body).toMatchObject({ outcome: 'trusted' })
    await terminal('trust', { revoke: true })
    writeFileSync(file, text)
  })

  test('also runs a streamed call', async () => {
    const session = await enter()
    await ask(session, 'collection_add', GUARDED['collection_add']!)
    const [{ id, code }] = shown as [WaitingChange]
    const reply = await fetch(`${server.url}/v1/collection_add`, {
      method: 'POST',
      headers: { ...session, accept: 'text/event-stream', 'x-ken-call': 'add', 'x-ken-confirm': `${id} ${code}` },
      body: '{}',
    })
    expect(await reply.text()).toMatch(/event: answer\ndata: .*"name":"private"/)
    await terminal('collection_remove', { name: 'private' })
  })

  test('is rate-limited, so the terminal is not flooded', async () => {
    const session = await enter()
    const codes = []
    for (let at = 0; at < 30; at++)
      codes.push((await ask(session, 'config_set', { ...MODEL, value: `https://${at}.example` })).body.error!.code)
    expect(new Set(codes.slice(0, 20))).toEqual(new Set(['confirm_needed']))
    expect(new Set(codes.slice(20))).toEqual(new Set(['unavailable']))
    expect(shown).toHaveLength(20)
    const takeBack = announceApp(ken.home, server)
    expect((await terminal('confirm'))['changes']).toHaveLength(5)
    takeBack()
  })

  test('is shown at any terminal of the same user, and never to a page', async () => {
    const session = await enter()
    expect(await terminal('confirm')).toEqual({ running: false, changes: [] })
    const takeBack = announceApp(ken.home, server)
    await ask(session, 'config_set', MODEL)
    const [change] = shown as [WaitingChange]
    expect(await terminal('confirm')).toMatchObject({ changes: [{ id: change.id, code: change.code }] })
    takeBack()
    expect((await ask(session, 'confirm', {})).status).toBe(404)
    for (const headers of [session, { ...session, 'x-ken-nonce': 'n', authorization: `Bearer ${server.secret}` }])
      expect((await fetch(`${server.url}/changes`, { method: 'POST', headers, body: '{}' })).status).toBe(401)
  })

  test('is shown in a block that the displayed values cannot imitate', async () => {
    const session = await enter()
    const path = `${outside}\nCode: AAAA-AAAA\u{1b}[2K`
    mkdirSync(path, { recursive: true })
    await ask(session, 'collection_add', { name: 'x', path })
    const lines = waitingLines(shown[0]!)
    expect(
      lines
        .join('\n')
        .split('\n')
        .filter((line) => /^\s*Code:/.test(line)),
    ).toHaveLength(1)
    expect(lines.join('\n')).not.toContain('\u{1b}')
  })
})

describe('by construction', () => {
  test('every write that a page may call declares whether it needs confirmation', () => {
    const served = OPERATIONS.filter(({ effect, hiddenFrom }) => effect === 'write' && hiddenFrom.app === undefined)
    expect(served.filter(({ fromPage }) => fromPage === undefined).map(({ name }) => name)).toEqual([])
    const guarded = served.filter(({ fromPage }) => fromPage !== 'free').map(({ name }) => name)
    expect(guarded.toSorted()).toEqual(
      [...Object.keys(GUARDED).filter((name) => name !== 'undeclared'), 'start', 'memory_index_codebase'].toSorted(),
    )
  })

  test('a write that declares nothing needs confirming', async () => {
    const ctx = ken.context({ origin: { surface: 'app' }, cwd: project })
    expect(await changesToConfirm(ctx, undeclared, {})).toEqual([{ what: 'Do something new' }])
  })

  test('every setting that names a program, an address, a key or a folder needs confirming', () => {
    const guarded = SETTINGS.filter(({ fromPage }) => fromPage === 'confirm').map(({ name }) => name)
    for (const { name, form } of SETTINGS)
      if (/url$|key$|server$|registry$|roots$/i.test(name) || /address|variable/i.test(form?.fault ?? ''))
        expect(guarded).toContain(name)
    expect(guarded).toEqual(expect.arrayContaining(['model.name', 'search.embedder', 'server.toolsets']))
  })

  test('a call without confirmation cannot change trust, keys, tokens and guarded settings', async () => {
    const ctx = ken.context({ origin: { surface: 'app' }, cwd: project, startedIn: project })
    const weak = { ...ctx, ...(await withoutPower(ctx)) }
    const refused = 'without a code from a terminal'
    expect(() => weak.settings.set('model.url', MODEL.value)).toThrow(refused)
    expect(() => weak.settings.unset('model.url')).toThrow(refused)
    expect(() => weak.settings.set('codebase.roots', [outside])).toThrow(refused)
    const granted = { 'database/shop': ['host db.example'] }
    expect(() => weak.trust.grant({ root: project, at: '', granted })).toThrow(refused)
    expect(() => weak.trust.extend({ root: project, at: '', granted })).toThrow(refused)
    expect(() => weak.modelKeys.set('anthropic', 'x')).toThrow(refused)
    expect(() => weak.modelKeys.remove('anthropic')).toThrow(refused)
    await expect(weak.ownHome().then((home) => home.renewToken())).rejects.toThrow(refused)
    expect(() => weak.projects.bind({ id: 'x' } as never, outside)).toThrow(refused)
  })
})
