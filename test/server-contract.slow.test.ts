import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTeamOn, type Team } from '../src/app/team/open-team.ts'
import { serveTeam, type TeamServer } from '../src/app/team/serve-team.ts'
import type { SqlDatabase } from '../src/kernel/ports/sql-database.ts'
import { systemClock } from '../src/kernel/system/clock.ts'
import { systemRandom } from '../src/kernel/system/random.ts'
import { HOSTED, OPERATIONS } from '../src/operations/all.ts'
import { declaredBy } from '../src/operations/declared-by.ts'
import type { RegisteredOperation } from '../src/operations/registry.ts'
import { may, type Caller } from '../src/team/domain/may.ts'
import { permissionOf, type Through } from '../src/team/domain/permission.ts'
import { ROLES, SCOPES, type Role, type Scope } from '../src/team/domain/role.ts'
import { issueToken } from '../src/team/issue-token.ts'
import { openSession } from '../src/team/open-session.ts'
import { madeInput } from './isolation/made-input.ts'
import { rpc } from './isolation/shots.ts'
import { openNewDatabase } from './postgres/run-server.ts'
import { freePort } from './postgres/server.ts'

/*
 * The permissions page, OpenAPI and the tool lists are printed from the same declarations. Here every operation is
 * called as each role and kind of credential, and the answer is compared with what is printed.
 */

const ALL: readonly RegisteredOperation[] = [...OPERATIONS, ...HOSTED]
const table = new Map(ALL.map((one) => [one.name, permissionOf(declaredBy(one))!]))
const isCallable = (name: string): boolean => table.get(name)!.least !== 'nobody' && !table.get(name)!.isInTurn

interface Credential {
  readonly name: string
  readonly caller: Caller
  readonly headers: Readonly<Record<string, string>>
}

let database: SqlDatabase
let team: Team
let server: TeamServer
let [origin, project] = ['', '']
const credentials: Credential[] = []

beforeAll(async () => {
  database = await openNewDatabase()
  const port = await freePort()
  origin = `http://127.0.0.1:${port}`
  team = await openTeamOn(database, { clock: systemClock, embedder: async () => undefined })
  // Avoids rate limits: every read of the clock advances it by a second.
  let seconds = 0
  const clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + 1_000 * ++seconds) }
  server = await serveTeam(team, {
    publicUrl: origin,
    hostname: '127.0.0.1',
    port,
    clock,
    notice: 0,
    log: () => undefined,
    people: {
      ways: { mailer: undefined, ceremonies: undefined, provider: undefined },
      files: async () => undefined,
      allowsRegistration: false,
      documents: undefined,
    },
  })
  const [organisation, at] = [systemClock.ulid(), systemClock.now().toISOString()]
  const admin = systemClock.ulid()
  const person = { id: admin, organisation, email: 'ada@acme.example', name: 'Ada', createdAt: at, leftAt: undefined }
  await team.people.found(
    { id: organisation, name: 'Acme', createdAt: at },
    { ...person, role: 'admin' },
    { first: false },
  )
  project = systemClock.ulid()
  await team.projects.create({ id: project, organisation, name: 'Shop', access: 'organisation', createdAt: at }, admin)
  for (const role of ROLES) {
    const id = role === 'admin' ? admin : await join(organisation, role)
    credentials.push(...(await credentialsOf(id, { organisation, role })))
  }
  const { headers } = await credentialsFor('admin', 'token')
  const decision = { title: 'Keep orders in PostgreSQL', rationale: 'Reports need joins across orders and customers.' }
  expect((await answerTo('propose_decision', headers, decision)).status).toBe(200)
  // With this project rule, admins may read other people's chats.
  expect((await answerTo('replay_change', headers, { on: true })).status).toBe(200)
})
afterAll(async () => {
  await server?.close()
  await team?.close()
  await database?.close()
})

async function join(organisation: string, role: Role): Promise<string> {
  const [email, createdAt] = [`${role}@acme.example`, systemClock.now().toISOString()]
  const expiresAt = new Date(systemClock.now().getTime() + 3_600_000).toISOString()
  const invitation = { id: systemClock.ulid(), organisation, email, role, invitedBy: undefined, createdAt, expiresAt }
  await team.invitations.invite(invitation)
  const [joined] = await team.invitations.accept({ email, name: role, at: createdAt })
  return joined!.id
}

async function credentialsOf(
  person: string,
  { organisation, role }: { readonly organisation: string; readonly role: Role },
): Promise<Credential[]> {
  const of = (through: Through, scopes: readonly Scope[], headers: Record<string, string>): Credential => ({
    name: `${role} by ${through}${through === 'token' ? ` (${scopes.join(', ')})` : ''}`,
    caller: { person, organisation, role, through, scopes, projects: undefined },
    headers,
  })
  const bearer = async (kind: 'personal' | 'agent', scopes: readonly Scope[]): Promise<Record<string, string>> => {
    const wanted = { kind, scopes, name: 'test', days: 1, projects: undefined }
    const { secret } = await issueToken(
      { tokens: team.tokens, clock: systemClock, chance: systemRandom },
      person,
      wanted,
    )
    return { authorization: `Bearer ${secret}` }
  }
  const { secret } = await openSession(team.signIn, { person, proof: 'code', userAgent: null })
  const page = { cookie: `ken-session=${secret}`, 'x-ken-key': 'page', origin }
  return [
    of('browser', SCOPES, page),
    of('token', SCOPES, await bearer('personal', SCOPES)),
    of('token', ['read'], await bearer('personal', ['read'])),
    of('agent', ['read', 'write'], await bearer('agent', ['read', 'write'])),
  ]
}

const credentialsFor = async (role: Role, through: Through): Promise<Credential> =>
  credentials.find(({ caller }) => caller.role === role && caller.through === through)!

interface Told {
  readonly status: number
  readonly code: string
  readonly message: string
}

async function answerTo(name: string, headers: Readonly<Record<string, string>>, input: object): Promise<Told> {
  const response = await fetch(`${origin}/v1/${name}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'x-ken-project': project },
    body: JSON.stringify(input),
  })
  const { error } = (await response.json()) as { error?: { code: string; message: string } }
  return { status: response.status, code: error?.code ?? 'ok', message: error?.message ?? '' }
}

/** A valid input that names missing things, so that a permitted call changes almost nothing. */
const inputOf = (operation: RegisteredOperation): Record<string, unknown> => ({
  ...madeInput(operation, { chance: () => 0.9, text: () => 'nothing-of-that-name', fullness: 0 }),
  ...VALID[operation.name],
})

/** Inputs of a form that a schema checks, but does not show. */
const VALID: Readonly<Record<string, object>> = {
  export_adr: { folder: '-' },
  replay_change: { on: true },
  restore: { version: 'v999' },
  read_result: { query_id: 'q_0123456789ab' },
  chat_result: { query_id: 'q_0123456789ab' },
}

/** The expected outcome of a call by the printed table. */
function promised({ caller }: Credential, name: string): 'nothing here' | 'refused' | 'answered' {
  if (!isCallable(name)) return 'nothing here'
  const standing = { project, organisation: caller.organisation, role: caller.role }
  return may(caller, { permission: table.get(name), standing, input: {} }).may ? 'answered' : 'refused'
}

function isKept(promise: ReturnType<typeof promised>, { status, code, message }: Told): boolean {
  const isNothing = status === 404 && message === 'There is nothing at this address.'
  if (promise === 'nothing here') return isNothing
  if (promise === 'refused') return status === 403
  return !isNothing && status !== 401 && code !== 'forbidden' && code !== 'internal'
}

test('every operation answers each role and kind of credential as the permissions page documents', async () => {
  const broken: string[] = []
  await Promise.all(
    credentials.map(async (credential) => {
      for (const operation of ALL) {
        const promise = promised(credential, operation.name)
        // A missing address does not depend on the role.
        if (promise === 'nothing here' && credential.caller.role !== 'admin') continue
        const told = await answerTo(operation.name, credential.headers, inputOf(operation))
        if (!isKept(promise, told))
          broken.push(
            `${operation.name} as ${credential.name}: ${promise}, but ${told.status} ${told.code} ${told.message}`,
          )
      }
    }),
  )
  expect(broken).toEqual([])
})

test('OpenAPI lists exactly the operations that a token can call', async () => {
  const { headers } = await credentialsFor('admin', 'token')
  const { paths } = (await (await fetch(`${origin}/openapi.json`, { headers })).json()) as { paths: object }
  const listed = Object.keys(paths).map((path) => path.slice('/v1/'.length))
  expect(listed.toSorted()).toEqual([...table.keys()].filter(isCallable).toSorted())
})

test('an agent’s tools are exactly the operations that its token can call', async () => {
  for (const role of ROLES) {
    const credential = await credentialsFor(role, 'agent')
    const response = await fetch(`${origin}/mcp`, {
      method: 'POST',
      headers: {
        ...credential.headers,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'x-ken-project': project,
      },
      body: JSON.stringify(rpc('tools/list')),
    })
    const [, body = ''] = /^data: (.*)$/m.exec(`data: ${await response.text()}`.replace(/^data: event:.*\n/, '')) ?? []
    const { result } = JSON.parse(body) as { result: { tools: readonly { name: string }[] } }
    const listed = result.tools.map(({ name }) => name)
    const callable = [...table.keys()].filter((name) => promised(credential, name) === 'answered')
    expect(listed.toSorted()).toEqual(callable.toSorted())
  }
})

test('CI verifies, checks, guards and exports with a token that only reads, and accepts with one that writes', async () => {
  const reads = credentials.find(({ name }) => name === 'member by token (read)')!
  const writes = await credentialsFor('member', 'token')
  const diff = ['diff --git a/a.ts b/a.ts', '--- a/a.ts', '+++ b/a.ts', '@@ -1 +1 @@', '-a', '+b', ''].join('\n')
  const inputs = { verify: {}, check_decision: { approach: 'Use MySQL' }, guard: { diff }, export_adr: { folder: '-' } }
  for (const [name, input] of Object.entries(inputs))
    expect([name, await answerTo(name, reads.headers, input)]).toMatchObject([name, { code: 'ok' }])
  expect(await answerTo('accept', reads.headers, { all: true })).toMatchObject({ code: 'forbidden' })
  expect(await answerTo('accept', writes.headers, { all: true })).toMatchObject({ code: 'ok' })
})

test('a personal token acts as its person, an agent is named with the person it acts for, and neither is shown as an id', async () => {
  const token = await credentialsFor('member', 'token')
  const agent = await credentialsFor('member', 'agent')
  // The preceding tests called every operation, including this one.
  await answerTo('name_change', token.headers, { name: 'member' })
  const rationale = 'The reports of the shop are read once a day, and nobody compares hours or fractions.'
  await answerTo('propose_decision', token.headers, { title: 'Count orders by day', rationale })
  await answerTo('propose_decision', agent.headers, { title: 'Round prices to cents', rationale })
  const response = await fetch(`${origin}/v1/news`, {
    method: 'POST',
    headers: { ...token.headers, 'content-type': 'application/json', 'x-ken-project': project },
    body: JSON.stringify({ limit: 1_000 }),
  })
  const { news } = (await response.json()) as { news: { title: string; by: string; trust: string }[] }
  const told = (wanted: string) => news.filter(({ title }) => title === wanted).map(({ by, trust }) => [by, trust])
  expect(told('Count orders by day')).toEqual([['member', 'approved']])
  expect(told('Round prices to cents')).toEqual([['an agent for member', 'proposed by an agent']])
  const ids = credentials.map(({ caller }) => caller.person)
  expect(ids.filter((id) => JSON.stringify(news).includes(id))).toEqual([])
})
