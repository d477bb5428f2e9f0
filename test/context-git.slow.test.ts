import { createHmac } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Hono } from 'hono'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openContextVersions } from '../src/context/context-origins/versions.ts'
import { openAllowances } from '../src/kernel/domain/limits/allowance.ts'
import type { SqlDatabase } from '../src/kernel/ports/sql-database.ts'
import { addGitHooks } from '../src/surfaces/http/team/git-hooks.ts'
import { openRequestSources } from '../src/surfaces/http/team/request-source.ts'
import { compiledContext } from './compiled-context.ts'
import { makeContextRepository, type ContextRepository } from './context-repository.ts'
import { openNewDatabase } from './postgres/run-server.ts'
import { openSharedDesk, type SharedDesk } from './shared-desk.ts'

type Admin = Awaited<ReturnType<SharedDesk['found']>>

let home: string
let database: SqlDatabase
let desk: SharedDesk
let repository: ContextRepository
let admin: Admin
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'ken-context-git-'))
  database = await openNewDatabase()
  desk = await openSharedDesk(database, async () => undefined, {
    PATH: process.env['PATH']!,
    KEN_GIT_FILES: '1',
    KEN_SECRET_KEY: 'a key that is long enough for the test',
    KEN_CONTEXT_TRUST: join(home, 'trust.yml'),
    SHOP_PASSWORD: 'hunter2hunter2',
  })
})
afterAll(async () => {
  await desk?.close()
  rmSync(home, { recursive: true })
})
beforeEach(async () => {
  repository = makeContextRepository()
  admin = await desk.found('Ada')
  return () => repository.remove()
})

const ask = (operation: string, input: object = {}, who = admin): Promise<any> =>
  desk.ask(who, operation, input as Record<string, unknown>)
/** Runs the queued job in the way a worker does. */
const pull = (project = admin.project): Promise<void> =>
  desk.contexts.pull({ project } as never, new AbortController().signal)
const set = (more: object = {}): Promise<any> => ask('context_git_set', { address: repository.address, ...more })
const rules = async (): Promise<string> => (await ask('read_file', { path: 'RULES.md' })).text
const jobsOf = async (project: string) =>
  (await desk.jobs.list({ project, limit: 10 })).filter(({ kind }) => kind === 'context-pull')

test('a project has the context of its branch once it is pulled, and none before', async () => {
  await expect(ask('list_files')).rejects.toMatchObject({ code: 'not_found' })
  const commit = repository.commit({ 'ken.yaml': 'name: shop\n', 'RULES.md': 'Count in euros.\n' })
  expect((await set()).origin).toMatchObject({ branch: 'main', every: 60, has_token: false })
  expect(await jobsOf(admin.project)).toHaveLength(1)
  await pull()
  await expect.poll(rules).toBe('Count in euros.')
  const { origin } = await ask('context_git')
  expect(origin).toMatchObject({ in_use: { commit, files: 2 }, looked: { commit, ok: true, faults: [] } })
  const next = repository.commit({ 'RULES.md': 'Count in pounds.\n' })
  await pull()
  await expect.poll(rules).toBe('Count in pounds.')
  expect((await ask('context_git')).origin.in_use.commit).toBe(next)
  expect(await ask('context_git_remove')).toEqual({ removed: true })
  await expect(rules()).rejects.toMatchObject({ code: 'not_found' })
  const left = await database.transaction('server', (sql) =>
    sql.query('SELECT path FROM ken.context_files WHERE project = $1', [admin.project]),
  )
  expect(left).toEqual([])
})

test('keeps the last good commit if a new one is unusable, and reports the file and line', async () => {
  const good = repository.commit({ 'ken.yaml': 'name: shop\n', 'RULES.md': 'Good.\n' })
  await set()
  await pull()
  const bad = repository.commit({
    'ken.yaml': 'name: shop\n\ndatabases:\n  - { name: shop, type: sqlite, paht: shop.db }\n',
    'RULES.md': 'Bad.\n',
  })
  await pull()
  await expect.poll(rules).toBe('Good.')
  const { origin } = await ask('context_git')
  expect(origin.in_use.commit).toBe(good)
  expect(origin.looked).toMatchObject({ commit: bad, ok: false })
  expect(origin.looked.faults[0]).toMatchObject({ path: 'ken.yaml', line: 4 })
  await pull()
  expect((await ask('context_git')).origin.looked.faults).toEqual(origin.looked.faults)
  repository.commit({ 'ken.yaml': undefined })
  await pull()
  expect((await ask('context_git')).origin.looked.faults).toEqual([
    { path: 'ken.yaml', message: 'ken.yaml not found.' },
  ])
  repository.commit({ 'ken.yaml': 'name: [\n' })
  await pull()
  expect((await ask('context_git')).origin.looked.faults[0]).toMatchObject({ path: 'ken.yaml', line: 2 })
  repository.remove()
  await pull()
  expect((await ask('context_git')).origin.looked).toMatchObject({ ok: false })
  await expect.poll(rules).toBe('Good.')
})

test('a fetch under a setting that has since changed is discarded', async () => {
  repository.commit({ 'ken.yaml': 'name: shop\n' })
  const first = (await set()) && (await desk.contexts.desk.origins.find(admin.project))!
  await set({ branch: 'other' })
  await desk.contexts.desk.origins.looked(admin.project, first.id, { at: first.setAt, commit: 'a', faults: [] })
  const late = { version: 'a'.repeat(64), commit: 'a', at: first.setAt, left: [], files: [] }
  expect(await openContextVersions(database).take(admin.project, first.id, late)).toBe(false)
  const { origin } = await ask('context_git')
  expect([origin.looked, origin.in_use]).toEqual([undefined, undefined])
})

test('a database in the repository can be queried, and one outside it only as far as the server allows', async () => {
  const shop = join(home, `${admin.project}.db`)
  const file = new DatabaseSync(shop)
  file.exec('CREATE TABLE orders (id INTEGER, amount INTEGER); INSERT INTO orders VALUES (1, 40), (2, 2)')
  file.close()
  const yaml = (host: string): string =>
    `name: shop\ndatabases:\n  - { name: shop, type: sqlite, path: shop.db }\n` +
    `  - { name: far, type: postgres, host: ${host}, database: far, user: me, password: "\${SHOP_PASSWORD}" }\n`
  repository.commit({ 'ken.yaml': yaml('127.0.0.1'), 'shop.db': readFileSync(shop) })
  await set()
  await pull()
  const { reaches } = await ask('context_git')
  expect(reaches).toMatchObject([{ key: 'database/far', allowed: false }])
  expect(reaches[0].lines).toEqual(expect.arrayContaining(['take SHOP_PASSWORD from the environment']))
  const far = { sql: 'SELECT 1', database: 'far' }
  await expect(ask('execute_sql', far)).rejects.toMatchObject({
    code: 'forbidden',
    hint: expect.stringMatching(/The server’s operator/),
  })
  const asked = await ask('execute_sql', { sql: 'SELECT 40 + 2 AS spent', database: 'shop' })
  expect(asked).toMatchObject({ columns: [{ name: 'spent' }], rows: [[42]] })
  writeFileSync(
    join(home, 'trust.yml'),
    JSON.stringify({
      projects: { [admin.project]: { at: '2026-05-01', reaches: { 'database/far': reaches[0].lines } } },
    }),
  )
  expect((await ask('context_git')).reaches).toMatchObject([{ key: 'database/far', allowed: true }])
  repository.commit({ 'ken.yaml': yaml('127.0.0.2') })
  await pull()
  expect((await ask('context_git')).reaches).toMatchObject([{ key: 'database/far', allowed: false }])
})

test('only an admin of the project can see and change its repository', async () => {
  const stranger = await desk.found('Eve')
  for (const [operation, input] of [
    ['context_git', {}],
    ['context_git_set', { address: repository.address }],
    ['context_git_pull', {}],
    ['context_git_hook', {}],
    ['context_git_remove', {}],
  ] as const)
    await expect(ask(operation, { ...input, project_id: admin.project }, stranger)).rejects.toMatchObject({
      code: 'not_found',
    })
  await expect(set({ address: 'https://me:secret@git.example.com/a.git' })).rejects.toMatchObject({
    code: 'invalid_input',
  })
  for (const address of ['ssh://git.example.com/a', 'http://git.example.com/a', 'ext::sh -c id', '--upload-pack=id'])
    await expect(set({ address }), address).rejects.toMatchObject({ code: 'invalid_input' })
  for (const branch of ['-x', 'a..b', 'a b', '../main', 'refs/heads/../x'])
    await expect(set({ branch }), branch).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(set({ folder: '../up' })).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(ask('context_git_pull')).rejects.toMatchObject({ code: 'not_found' })
})

test('a token is stored sealed, stays with its host, and is never returned', async () => {
  const token = 'glpat-a1b2c3d4e5f6a7b8c9d0'
  const address = 'https://git.example.com/acme/context.git'
  expect((await set({ address, token })).origin).toMatchObject({ has_token: true })
  const rows = await database.transaction('server', (sql) =>
    sql.query<{ row: string }>('SELECT to_jsonb(r)::text AS row FROM ken.context_origins r'),
  )
  expect(rows.map(({ row }) => row).join('')).not.toContain(Buffer.from(token).toString('hex'))
  expect(JSON.stringify(await ask('context_git'))).not.toContain(token)
  expect((await set({ address, branch: 'other' })).origin).toMatchObject({ has_token: true })
  expect((await set({ address: 'https://evil.example.com/acme/context.git' })).origin).toMatchObject({
    has_token: false,
  })
  await set({ address, token })
  expect((await set({ address, token: '' })).origin).toMatchObject({ has_token: false })
})

test('a pull is due after the interval, and never if pulls are manual', async () => {
  repository.commit({ 'ken.yaml': 'name: shop\n' })
  await set({ every: 5 })
  await pull()
  const { origins } = desk.contexts.desk
  const { looked } = (await origins.find(admin.project))!
  const after = (minutes: number): string => new Date(Date.parse(looked!.at) + minutes * 60_000).toISOString()
  const isDue = async (minutes: number) => (await origins.due(after(minutes), 100)).includes(admin.project)
  expect([await isDue(4), await isDue(5)]).toEqual([false, true])
  await set({ every: 0 })
  expect(await isDue(10_000)).toBe(false)
})

describe('a webhook', () => {
  let app: Hono
  let hook: { webhook: string; secret: string }
  beforeEach(async () => {
    repository.commit({ 'ken.yaml': 'name: shop\n' })
    await set()
    for (const { id } of await jobsOf(admin.project)) await desk.jobs.drop(admin.project, id)
    hook = await ask('context_git_hook')
    app = new Hono()
    addGitHooks(app, desk.contexts.hooks, {
      allowances: openAllowances(() => 0),
      sources: openRequestSources(0),
    })
  })
  const signed = (body: string, secret = hook.secret): string =>
    `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  const post = async (body: string, headers: Record<string, string>, project = admin.project) => {
    const response = await app.request(`/hooks/git/${project}`, { method: 'POST', body, headers })
    return { status: response.status, text: await response.text() }
  }
  const PUSH = JSON.stringify({ ref: 'refs/heads/main' })

  test('queues a pull for a push to the branch, signed like GitHub or with a token like GitLab', async () => {
    expect(await post(PUSH, { 'x-hub-signature-256': signed(PUSH) })).toMatchObject({ status: 202 })
    expect(await jobsOf(admin.project)).toHaveLength(1)
    expect(await post(PUSH, { 'x-gitlab-token': hook.secret })).toMatchObject({ status: 202 })
    const other = JSON.stringify({ ref: 'refs/heads/other' })
    expect(await post(other, { 'x-hub-signature-256': signed(other) })).toMatchObject({ status: 200 })
    expect(await jobsOf(admin.project)).toHaveLength(1)
  })

  test('changes nothing if it is forged, and is answered like one for an unknown project', async () => {
    const nowhere = await post(PUSH, { 'x-hub-signature-256': signed(PUSH) }, '01K0PR0JECT000000000000001')
    expect(nowhere.status).toBe(403)
    for (const headers of [
      {},
      { 'x-hub-signature-256': signed(PUSH, 'another') },
      { 'x-hub-signature-256': signed(`${PUSH} `) },
      { 'x-hub-signature-256': 'sha256=' },
      { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` },
      { 'x-hub-signature': createHmac('sha1', hook.secret).update(PUSH).digest('hex') },
      { 'x-gitlab-token': '' },
      { 'x-gitlab-token': `${hook.secret}x` },
    ] as Record<string, string>[])
      expect(await post(PUSH, headers), JSON.stringify(headers)).toEqual(nowhere)
    expect(await post(PUSH, {}, 'not-an-id')).toEqual(nowhere)
    const before = hook.secret
    await ask('context_git_hook')
    expect(await post(PUSH, { 'x-gitlab-token': before })).toEqual(nowhere)
    expect(await jobsOf(admin.project)).toEqual([])
  })

  test('while its project is archived, answers as if the project were unknown', async () => {
    const push = () => post(PUSH, { 'x-hub-signature-256': signed(PUSH) })
    const nowhere = await post(PUSH, { 'x-hub-signature-256': signed(PUSH) }, '01K0PR0JECT000000000000001')
    await ask('project_archive', { project_id: admin.project })
    expect(await push()).toEqual(nowhere)
    expect(await jobsOf(admin.project)).toEqual([])
    await ask('project_unarchive', { id: admin.project })
    expect(await push()).toMatchObject({ status: 202 })
  })

  test('is limited in size and rate', async () => {
    const large = 'x'.repeat(1024 * 1024 + 1)
    expect(await post(large, { 'x-hub-signature-256': signed(large) })).toMatchObject({ status: 413 })
    const statuses: number[] = []
    for (let at = 0; at < 60; at++) statuses.push((await post(PUSH, {})).status)
    expect([statuses[0], statuses.at(-1)]).toEqual([403, 429])
  })
})

describe('a story on a server', () => {
  const text = (sql: string): string =>
    `# Orders\n\n<param name="of" default=""/>\n\n\`\`\`sql q_n shop\n${sql}\n\`\`\`\n\n<chart query="q_n" kind="kpi" y="n"/>\n`
  const COUNT = "SELECT count(*) AS n FROM orders WHERE (:of = '' OR CAST(amount AS TEXT) = :of)"
  const rows = async (slug: string, who = admin): Promise<unknown> =>
    (await ask('story_show', { slug }, who)).data[0]?.rows

  /** A story that was started before its project had a context. */
  beforeEach(async () => {
    const shop = join(home, `${admin.project}.db`)
    const file = new DatabaseSync(shop)
    file.exec('CREATE TABLE orders (id INTEGER, amount INTEGER); INSERT INTO orders VALUES (1, 7), (2, 9), (3, 9)')
    file.close()
    repository.commit({ ...(await compiledContext()), 'shop.db': readFileSync(shop) })
    await ask('story_new', { title: 'Orders' })
    await set()
    await pull()
    await ask('story_edit', { slug: 'orders', text: text(COUNT) })
  })

  test('is started, filled by its statements, and shown with other values, behind the gate', async () => {
    expect((await ask('story_new', { title: 'The week', template: 'weekly', table: 'orders' })).open).not.toEqual([])
    expect(await ask('story_refresh', { slug: 'orders' })).toMatchObject({ ok: true })
    expect(await rows('orders')).toEqual([[3]])
    await ask('story_refresh', { slug: 'orders', set: ['of=9'] })
    expect(await rows('orders')).toEqual([[2]])
    // A refused statement keeps the last good rows; a value is never part of a statement.
    for (const sql of [
      "SELECT count(*) AS n FROM sqlite_master WHERE :of <> ''",
      'DELETE FROM orders WHERE id = :of',
    ]) {
      await ask('story_edit', { slug: 'orders', text: text(sql) })
      const refused = await ask('story_refresh', { slug: 'orders' })
      expect(refused).toMatchObject({ ok: false, problem: expect.stringContaining('no longer allowed') })
    }
    expect(await rows('orders')).toEqual([[2]])
    await ask('story_edit', { slug: 'orders', text: text(COUNT) })
    await ask('story_refresh', { slug: 'orders', set: ["of=9' OR '1'='1"] })
    expect(await rows('orders')).toEqual([[0]])
  })

  test('is refreshed by its owner alone; a reader refreshes a copy, and a viewer none', async () => {
    await ask('story_refresh', { slug: 'orders' })
    await ask('sharing_set', { of: 'story', id: 'orders', everybody: true })
    const bea = (await desk.join(admin.organisation, 'Bea', 'member')) as Admin
    const vic = (await desk.join(admin.organisation, 'Vic', 'viewer')) as Admin
    const [{ id }] = (await ask('stories_list', {}, bea)).stories
    const change = { slug: id, set: ['of=7'] }
    await expect(ask('story_refresh', change, bea)).rejects.toMatchObject({ code: 'not_found' })
    await expect(ask('story_refresh', change, vic)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(ask('story_new', { title: 'Not his' }, vic)).rejects.toMatchObject({ code: 'forbidden' })
    const { slug } = await ask('story_new', { title: 'Hers', from: id }, bea)
    expect(await ask('story_refresh', { slug, set: ['of=7'] }, bea)).toMatchObject({ ok: true })
    expect([await rows(slug, bea), await rows('orders')]).toEqual([[[1]], [[3]]])
  })
})
