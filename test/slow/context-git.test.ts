import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPostgresDatabase } from '../../src/database/postgres/index.ts'
import { makeContextRepository, type ContextRepository } from '../context-repository.ts'
import { KEN } from '../ken-program.ts'
import { openScriptedModel, type ScriptedModel } from '../scripted-model.ts'
import { openTeamProcesses, type Replica, type TeamProcesses } from './team-processes.ts'

const SPENT = { tool: 'execute_sql', input: { sql: 'SELECT sum(amount) AS spent FROM orders' } }

let model: ScriptedModel
let team: TeamProcesses
let repository: ContextRepository
let replicas: readonly Replica[] = []
let temporary: string
let hook: { webhook: string; secret: string }
beforeAll(async () => {
  model = await openScriptedModel(['Nothing is scripted.'], {
    scripts: { 'How much': ({ said }) => (/\b42\b/.test(said) ? 'It is 42.' : { call: SPENT }) },
  })
  repository = makeContextRepository()
  temporary = mkdtempSync(join(tmpdir(), 'ken-replicas-'))
  team = await openTeamProcesses({
    KEN_MODEL: 'compatible:scripted',
    KEN_MODEL_URL: `${model.url}/v1`,
    KEN_GIT_FILES: '1',
    TMPDIR: temporary,
    KEN_SECRET_KEY: 'a key that is long enough for the test',
  })
  replicas = [await team.start(), await team.start()]
})
afterAll(async () => {
  await team?.close()
  await model?.close()
  repository?.remove()
  rmSync(temporary, { recursive: true, force: true })
})

/** Response of every replica, once each satisfies `isSo`. */
async function everywhere(operation: string, input: object, isSo: (body: any) => boolean): Promise<readonly any[]> {
  for (;;) {
    const all = await Promise.all(replicas.map((replica) => replica.call(team.token, operation, input)))
    if (all.every(({ body }) => isSo(body))) return all.map(({ body }) => body)
    await pause(50)
  }
}
const origin = async (): Promise<any> => (await replicas[0]!.call(team.token, 'context_git')).body.origin
const push = async (secret = hook.secret, replica = replicas[0]!): Promise<number> => {
  const body = JSON.stringify({ ref: 'refs/heads/main' })
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  const headers = { 'x-hub-signature-256': `sha256=${signature}`, 'content-type': 'application/json' }
  return (await fetch(`${replica.url}/hooks/git/${team.project}`, { method: 'POST', headers, body })).status
}
const looked = async (commit: string): Promise<any> => {
  for (;;) {
    const now = await origin()
    if (now.looked?.commit === commit) return now
    await pause(50)
  }
}
const RULES = { path: 'RULES.md' }

test('a context compiled on a machine and pushed is available on every replica', async () => {
  const shop = new DatabaseSync(join(repository.folder, 'shop.db'))
  shop.exec('CREATE TABLE orders (id INTEGER, amount INTEGER); INSERT INTO orders VALUES (1, 40), (2, 2)')
  shop.close()
  repository.commit({
    'ken.yaml': 'name: shop\ndatabases:\n  - { name: shop, type: sqlite, path: shop.db }\n',
    'RULES.md': 'Count in euros.\n',
  })
  execFileSync(process.execPath, [KEN, 'sync'], {
    cwd: repository.folder,
    env: { PATH: process.env['PATH'], HOME: repository.folder, KEN_HOME: join(repository.folder, '.git/ken') },
  })
  const commit = repository.commit()
  const set = await replicas[0]!.call(team.token, 'context_git_set', { address: repository.address, every: 0 })
  expect(set).toMatchObject({ status: 200 })
  await everywhere('read_file', RULES, ({ text }) => text === 'Count in euros.')
  expect(await origin()).toMatchObject({ in_use: { commit }, looked: { ok: true } })
  for (const replica of replicas) {
    const { body } = await replica.call(team.token, 'ask', { question: 'How much was spent?' })
    expect(body).toMatchObject({ end: 'answered', text: 'It is 42.' })
    expect(model.requests.at(-1)!.said).toContain('Count in euros.')
  }
})

test('a push reported by the host reaches both replicas; a forged report changes nothing', async () => {
  hook = (await replicas[0]!.call(team.token, 'context_git_hook')).body
  const before = await origin()
  const commit = repository.commit({ 'RULES.md': 'Count in pounds.\n' })
  expect(await push('forged')).toBe(403)
  expect(await origin()).toEqual({ ...before, has_webhook: true })
  expect(await pullsWaiting()).toBe(0)
  expect(await push(hook.secret, replicas[1]!)).toBe(202)
  await everywhere('read_file', RULES, ({ text }) => text === 'Count in pounds.')
  expect(await origin()).toMatchObject({ in_use: { commit } })
})

test('keeps the last good commit on both replicas if a new one does not parse', async () => {
  const good = (await origin()).in_use.commit
  const bad = repository.commit({ 'ken.yaml': 'name: shop\ndatabases: [\n', 'RULES.md': 'Broken.\n' })
  expect(await push()).toBe(202)
  const now = await looked(bad)
  expect(now).toMatchObject({ in_use: { commit: good }, looked: { ok: false } })
  expect(now.looked.faults[0]).toMatchObject({ path: 'ken.yaml', line: expect.any(Number) })
  const texts = await everywhere('read_file', RULES, () => true)
  expect(texts.map(({ text }) => text)).toEqual(['Count in pounds.', 'Count in pounds.'])
})

test('a hostile commit writes nothing outside its folder, and one that is too large changes nothing', async () => {
  symlinkSync('/etc/passwd', join(repository.folder, 'passwd.md'))
  const hostile = repository.commit({
    'ken.yaml': 'name: shop\n',
    'RULES.md': 'Hostile.\n',
    '.gitattributes': '* filter=evil\n',
  })
  expect(await push()).toBe(202)
  await everywhere('read_file', RULES, ({ text }) => text === 'Hostile.')
  for (const path of ['passwd.md', '../../../etc/passwd', '/etc/passwd'])
    for (const replica of replicas) {
      const { status, body } = await replica.call(team.token, 'read_file', { path })
      expect([403, 404], path).toContain(status)
      expect(JSON.stringify(body)).not.toContain('root:')
    }
  const large = repository.commit({ 'large.csv': Buffer.alloc(17 * 1024 * 1024, 'a'), 'RULES.md': 'Large.\n' })
  expect(await push()).toBe(202)
  expect(await looked(large)).toMatchObject({
    in_use: { commit: hostile },
    looked: { ok: false, faults: [{ path: 'large.csv' }] },
  })
  expect(readdirSync(temporary).filter((name) => name.startsWith('ken-git-'))).toEqual([])
})

test('a replica that starts later has the active version', async () => {
  const three = await team.start()
  const { body } = await three.call(team.token, 'read_file', RULES)
  expect(body).toMatchObject({ text: 'Hostile.' })
})

async function pullsWaiting(): Promise<number> {
  const database = await openPostgresDatabase({ url: team.databaseUrl })
  const rows = await database.transaction('server', (sql) =>
    sql.query("SELECT id FROM ken.jobs WHERE kind = 'context-pull'"),
  )
  await database.close()
  return rows.length
}
