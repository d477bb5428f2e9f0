import { realpathSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { compiledContext } from './compiled-context.ts'
import { makeContextRepository, type ContextRepository } from './context-repository.ts'
import { openNewDatabase } from './postgres/run-server.ts'
import { openSharedDesk, type SharedDesk } from './shared-desk.ts'

// Team members' view of the context that their analyst uses.

let desk: SharedDesk
let repository: ContextRepository
let compiled: Readonly<Record<string, string>>
let admin: Awaited<ReturnType<SharedDesk['found']>>
let viewer: Awaited<ReturnType<SharedDesk['join']>>
beforeAll(async () => {
  desk = await openSharedDesk(await openNewDatabase(), async () => undefined, {
    PATH: process.env['PATH']!,
    KEN_GIT_FILES: '1',
  })
  compiled = await compiledContext()
})
afterAll(() => desk?.close())
let people = 0
beforeEach(async () => {
  repository = makeContextRepository()
  people += 1
  admin = await desk.found(`Ada${people}`)
  viewer = await desk.join(admin.organisation, `Vic${people}`, 'viewer')
  return () => repository.remove()
})

const ask = (operation: string, input: object = {}, who: typeof viewer = viewer): Promise<any> =>
  desk.ask(who, operation, input as Record<string, unknown>)
const pull = (): Promise<void> => desk.contexts.pull({ project: admin.project } as never, new AbortController().signal)
const set = () => ask('context_git_set', { address: repository.address }, admin)
const FAR = `databases:
  - { name: shop, type: sqlite, path: shop.db }
  - { name: far, type: postgres, host: db.acme.internal, database: far, user: reader, password: "\${FAR_PASSWORD}" }
  - { name: gone, type: sqlite, path: /etc/no-such-file.db }
  - { name: passwd, type: sqlite, path: /etc/passwd }
  - { name: above, type: sqlite, path: ../x/../y.db }
`

test('a viewer reads its files, tables and sources, and the commit they are from', async () => {
  const commit = repository.commit(compiled)
  await set()
  expect((await ask('context_in_use')).origin).toMatchObject({ branch: 'main', every: 60 })
  await pull()
  const { origin } = await ask('context_in_use')
  expect(origin).toMatchObject({ branch: 'main', in_use: { commit }, looked: { commit, ok: true, faults: [] } })
  const { root, name, files } = await ask('context_files')
  expect([root, name]).toEqual([`/${admin.project}`, 'shop'])
  expect(files).toContainEqual({ path: 'RULES.md', bytes: expect.any(Number) })
  const columns = files.find(({ path }: { path: string }) => path.endsWith('table=orders/columns.md'))
  expect(columns).toMatchObject({ source: 'database/shop', table: 'main.orders', database: 'shop' })
  const facts = await ask('table_facts', { table: 'orders' })
  expect(facts).toMatchObject({ table: 'main.orders', rows: 1, rules: [{ line: 1 }] })
  expect(facts.columns.map((one: { name: string }) => one.name)).toEqual(['id', 'amount'])
  expect((await ask('source_list')).sources).toMatchObject([
    { key: 'database/shop', where: 'shop.db', trusted: true, items: 1 },
  ])
})

test('sources reveal nothing outside the repository, not even whether a server file exists', async () => {
  repository.commit({ 'ken.yaml': `name: shop\n${FAR}`, 'shop.db': '' })
  await set()
  await pull()
  const answer = await ask('source_list')
  const rows = Object.fromEntries(answer.sources.map((one: { name: string }) => [one.name, one]))
  expect(rows['shop']).toMatchObject({ where: 'shop.db', trusted: true })
  for (const name of ['far', 'gone', 'passwd', 'above'])
    expect(rows[name]).toEqual({ ...rows['far'], name, key: `database/${name}`, type: rows[name].type })
  expect(rows['far']).toMatchObject({ where: '', trusted: false, reaches: [] })
  expect((await ask('overview')).context).toMatchObject({ sources: 5, failing: 0 })
  const refused = (database: string): Promise<string> =>
    ask('execute_sql', { sql: 'SELECT 1', database }, admin).catch(({ code }) => code)
  expect([await refused('gone'), await refused('passwd')]).toEqual(['forbidden', 'forbidden'])
  expect(JSON.stringify(answer)).not.toMatch(/acme|reader|FAR_PASSWORD|\/etc|no-such/)
  // The wording is the same on every replica, wherever its checkouts are, so that it can be allowed on all of them.
  const { reaches } = await ask('context_git', {}, admin)
  expect(JSON.stringify(reaches)).toMatch(/\.\.\/y\.db/)
  expect(JSON.stringify(reaches)).not.toContain(realpathSync(tmpdir()))
})

test('nothing outside the checkout is listed or read, by any link or path', async () => {
  symlinkSync('/etc', join(repository.folder, 'etc'))
  symlinkSync('/etc/passwd', join(repository.folder, 'passwd.md'))
  repository.commit({ 'ken.yaml': 'name: shop\n' })
  await set()
  await pull()
  expect((await ask('context_files')).files).toEqual([])
  expect((await ask('context_in_use')).origin.in_use.left_out.map(({ path }: { path: string }) => path)).toEqual([
    'etc',
    'passwd.md',
  ])
  for (const path of ['etc/passwd', 'passwd.md', '../../etc/passwd', '/etc/passwd', 'ken.yaml'])
    await expect(ask('read_file', { path }), path).rejects.toMatchObject({
      code: expect.stringMatching(/not_found|forbidden/),
    })
})

test('everyone sees why a pull failed, but only admins see the git output about the server', async () => {
  const good = repository.commit({ 'ken.yaml': 'name: shop\n' })
  await set()
  await pull()
  const bad = repository.commit({ 'ken.yaml': 'name: shop\ndatabases:\n  - { name: x, type: sqlite, paht: x.db }\n' })
  await pull()
  const told = (await ask('context_in_use')).origin
  expect(told).toMatchObject({ in_use: { commit: good }, looked: { commit: bad, ok: false } })
  expect(told.looked.faults[0]).toMatchObject({ path: 'ken.yaml', line: 3 })
  repository.git('checkout', '-q', '-b', 'other')
  repository.git('branch', '-q', '-D', 'main')
  await pull()
  expect((await ask('context_in_use')).origin.looked.faults[0].message).toMatch(/^The repository has no such branch/)
  repository.remove()
  await pull()
  const [byAdmin, byViewer] = [await ask('context_git', {}, admin), await ask('context_in_use')]
  expect(byAdmin.origin.looked.faults[0].message).toMatch(/^git: fatal/)
  expect(byViewer.origin.looked).toMatchObject({
    ok: false,
    faults: [{ message: expect.stringMatching(/could not be read/) }],
  })
  for (const place of [repository.folder, realpathSync(tmpdir())]) expect(JSON.stringify(byViewer)).not.toContain(place)
})

test('if a project has no context, the next step for an admin is shown', async () => {
  expect(await ask('context_in_use')).toEqual({})
  for (const [operation, input] of [
    ['context_files', {}],
    ['source_list', {}],
    ['table_facts', { table: 'orders' }],
  ] as const)
    await expect(ask(operation, input)).rejects.toMatchObject({
      code: 'not_found',
      hint: expect.stringMatching(/A project admin/),
    })
})

test('a person who may not see the project does not learn that it has a context', async () => {
  repository.commit({ 'ken.yaml': 'name: shop\n' })
  await set()
  await pull()
  const stranger = await desk.found(`Eve${people}`)
  const outcome = (project: string, operation: string): Promise<unknown> =>
    desk.ask(stranger, operation, operation === 'table_facts' ? { table: 'orders' } : {}, project).then(
      (answer) => answer,
      ({ code, message, hint }) => ({ code, message, hint }),
    )
  for (const operation of ['context_in_use', 'context_files', 'source_list', 'table_facts']) {
    const theirs = await outcome(admin.project, operation)
    expect(theirs, operation).toEqual(await outcome('01K0PR0JECT000000000000001', operation))
    expect(theirs, operation).toMatchObject({ code: 'not_found' })
  }
})
