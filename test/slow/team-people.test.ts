import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBundledEmbedder } from '../../src/app/bundled-model.ts'
import { openTeam, type Team } from '../../src/app/team/open-team.ts'
import { serveTeam, type TeamServer } from '../../src/app/team/serve-team.ts'
import { systemClock } from '../../src/kernel/system/clock.ts'
import { KEN } from '../ken-program.ts'
import { newDatabase, type OwnDatabase } from '../postgres/run-server.ts'

const mails = mkdtempSync(join(tmpdir(), 'ken-mails-'))
let postgres: OwnDatabase
let team: Team
let server: TeamServer
let environment: NodeJS.ProcessEnv
let admin: string

beforeAll(async () => {
  postgres = await newDatabase()
  const databaseUrl = postgres.url
  environment = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    KEN_PUBLIC_URL: 'https://ken.example.com',
    KEN_MAIL_FOLDER: mails,
  }
  const said = await ken('setup', '--organisation', 'Acme', '--email', 'admin@acme.example')
  admin = secretIn(said)
  team = await openTeam({ databaseUrl, clock: systemClock, embedder: openBundledEmbedder })
  server = await serveTeam(team, {
    publicUrl: 'https://ken.example.com',
    hostname: '127.0.0.1',
    port: 0,
    clock: systemClock,
    notice: 0,
    log: () => undefined,
  })
})
afterAll(async () => {
  await server?.close()
  await team?.close()
  await postgres?.stop()
  rmSync(mails, { recursive: true, force: true })
})

const run = promisify(execFile)
const ken = async (...words: string[]): Promise<string> =>
  (await run(process.execPath, [KEN, 'server', ...words], { env: environment })).stdout
const secretIn = (text: string): string => /ken_[pa]_\w+/.exec(text)![0]

/** `fetch` is not used, because it does not let a caller set Host. */
const send = (path: string, token: string, body: object): Promise<{ status: number; body: any }> =>
  new Promise((done, failed) => {
    const { hostname, port } = new URL(server.url)
    const headers = {
      host: 'ken.example.com',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${token}`,
    }
    const asked = request({ hostname, port, path, method: 'POST', headers }, (response) => {
      let text = ''
      response
        .on('data', (chunk) => (text += chunk))
        .on('end', () => done({ status: response.statusCode!, body: JSON.parse(text.replace(/^[^{]*data: /s, '')) }))
    })
    asked.on('error', failed).end(JSON.stringify(body))
  })
const call = (token: string, name: string, input: object = {}) => send(`/v1/${name}`, token, input)

test('a person is invited, gets a token, works, and loses the token, all without a browser', async () => {
  expect(await ken('invite', 'Ada@Acme.example', '--role', 'viewer')).toContain('ada@acme.example is invited as viewer')
  expect(readdirSync(mails).map((name) => readFileSync(join(mails, name), 'utf8'))).toEqual([
    expect.stringContaining('Sign in at https://ken.example.com with this address, ada@acme.example'),
  ])
  expect(await ken('people')).toContain('ada@acme.example  viewer, invited until ')
  const said = await ken('token', 'ada@acme.example', '--name', 'laptop', '--agent')
  const ada = secretIn(said)
  expect(await ken('people')).toMatch(/ {2}ada@acme.example {2}viewer\n/)
  expect((await call(ada, 'list_projects')).status).toBe(200)
  expect((await call(ada, 'create_project', { name: 'shop' })).status).toBe(403)
  const listed = await ken('token', 'list', 'ada@acme.example')
  expect(listed).toContain('laptop')
  expect(listed).not.toContain(ada)
  await ken('token', 'revoke', 'ada@acme.example', /[0-9A-Z]{26}/.exec(said)![0])
  expect((await call(ada, 'list_projects')).status).toBe(401)
})

test('invalid arguments are reported before the database is used', async () => {
  const wrong = { env: { ...environment, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' } }
  const refused = (...words: string[]) => run(process.execPath, [KEN, 'server', ...words], wrong)
  for (const words of [
    ['invite'],
    ['invite', 'a@b.example', '--role', 'boss'],
    ['token', 'no address'],
    ['people', 'x'],
  ])
    await expect(refused(...words), words.join(' ')).rejects.toMatchObject({ code: 2 })
})

test('agents are offered the hosted tools and none for managing people', async () => {
  const rpc = async (method: string, params: object) =>
    (await send('/mcp', admin, { jsonrpc: '2.0', id: 1, method, params })).body.result
  const made = await rpc('tools/call', { name: 'create_project', arguments: { name: 'Web shop' } })
  expect(made.content[0].text).toMatch(/^Made Web shop \(/)
  const { tools } = await rpc('tools/list', {})
  const names = tools.map(({ name }: { name: string }) => name)
  expect(names).toEqual(
    expect.arrayContaining(['list_projects', 'create_project', 'update_stack', 'share_context', 'check_decision']),
  )
  expect(names.filter((name: string) => /people|token|invit|grant|session_end/.test(name))).toEqual([])
  const texts = JSON.stringify(tools)
  expect(texts).not.toContain('ken projects')
  const again = await rpc('tools/call', { name: 'create_project', arguments: { name: 'web shop' } })
  expect(again.content[0].text).toContain('is there already')
  await rpc('tools/call', { name: 'update_stack', arguments: { content: '- **Node** serves' } })
  const { content } = await rpc('tools/call', { name: 'get_context', arguments: {} })
  expect(content[0].text).toContain('**Stack:** Node')
})

test('an admin manages people over REST; browser-only operations reject a token', async () => {
  const email = 'grace@acme.example'
  expect(await call(admin, 'people_invite', { email })).toMatchObject({ status: 200, body: { mailed: false } })
  const grace = secretIn(await ken('token', email))
  const { body } = await call(grace, 'people_list')
  expect(body.people.map((one: { email: string }) => one.email)).toContain(email)
  expect((await call(grace, 'people_remove', { person: 'admin@acme.example' })).status).toBe(403)
  expect((await call(admin, 'token_create', { name: 'x' })).status).toBe(403)
  expect((await call(admin, 'people_change', { person: 'admin@acme.example', role: 'viewer' })).status).toBe(409)
  expect((await call(admin, 'people_remove', { person: email })).status).toBe(200)
  expect((await call(grace, 'people_list')).status).toBe(401)
})
