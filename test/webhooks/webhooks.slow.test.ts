import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTeamOn, type Team } from '../../src/app/team/open-team.ts'
import { serveTeam, type TeamServer } from '../../src/app/team/serve-team.ts'
import type { SqlDatabase } from '../../src/kernel/ports/sql-database.ts'
import { systemClock } from '../../src/kernel/system/clock.ts'
import { systemRandom } from '../../src/kernel/system/random.ts'
import type { Role } from '../../src/team/domain/role.ts'
import { issueToken } from '../../src/team/issue-token.ts'
import { everyRow } from '../postgres/every-row.ts'
import { openNewDatabase } from '../postgres/run-server.ts'
import { freePort } from '../postgres/server.ts'
import { isSigned, openReceiver, type Received, type Receiver } from './receiver.ts'

interface Tenant {
  readonly organisation: string
  readonly project: string
  readonly token: string
}

let database: SqlDatabase
let team: Team
let server: TeamServer
let publicUrl = ''
let receiver: Receiver
let ada: Tenant
beforeAll(async () => {
  database = await openNewDatabase()
  const port = await freePort()
  publicUrl = `http://127.0.0.1:${port}`
  receiver = await openReceiver()
  team = await openTeamOn(database, {
    clock: systemClock,
    embedder: async () => undefined,
    environment: {
      KEN_SECRET_KEY: 'a key that is long enough for the test',
      KEN_WEBHOOK_HOSTS: `127.0.0.1:1, ${receiver.host}`,
    },
  })
  server = await serveTeam(team, {
    publicUrl,
    hostname: '127.0.0.1',
    port,
    clock: systemClock,
    notice: 0,
    log: () => undefined,
  })
})
afterAll(async () => {
  await server?.close()
  await team?.close()
  await database?.close()
  await receiver?.close()
})
beforeEach(async () => {
  ada = await found('Ada')
})
afterEach(() => {
  receiver.received.length = 0
  receiver.answers.length = 0
})

const at = (): string => systemClock.now().toISOString()
const tokenOf = async (person: string, kind: 'personal' | 'agent' = 'personal'): Promise<string> => {
  const scopes = kind === 'agent' ? (['read', 'write'] as const) : (['read', 'write', 'admin'] as const)
  const wanted = { kind, scopes, name: 'test', days: 1, projects: undefined }
  const parts = { tokens: team.tokens, clock: systemClock, chance: systemRandom }
  return (await issueToken(parts, person, wanted)).secret
}

async function found(name: string): Promise<Tenant & { readonly person: string }> {
  const [organisation, person, project] = [systemClock.ulid(), systemClock.ulid(), systemClock.ulid()]
  const email = `${person.toLowerCase()}@example.com`
  await team.people.found(
    { id: organisation, name: 'Acme', createdAt: at() },
    { id: person, organisation, email, name, role: 'admin', createdAt: at(), leftAt: undefined },
    { first: false },
  )
  await team.projects.create(
    { id: project, organisation, name: 'Shop', access: 'organisation', createdAt: at() },
    person,
  )
  return { organisation, project, person, token: await tokenOf(person) }
}

async function join({ organisation, project }: Tenant, role: Role, kind?: 'agent'): Promise<Tenant> {
  const [id, expiresAt] = [systemClock.ulid(), new Date(Date.now() + 60_000).toISOString()]
  const email = `${id.toLowerCase()}@example.com`
  await team.invitations.invite({ id, organisation, email, role, invitedBy: undefined, createdAt: at(), expiresAt })
  const [joined] = await team.invitations.accept({ email, name: 'Bob', at: at() })
  return { organisation, project, token: await tokenOf(joined!.id, kind) }
}

async function call(who: Tenant, name: string, input: object = {}): Promise<any> {
  const response = await fetch(`${publicUrl}/v1/${name}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${who.token}`, 'content-type': 'application/json', 'x-ken-project': who.project },
    body: JSON.stringify(input),
  })
  return response.json()
}

const add = (events?: readonly string[], who = ada): Promise<{ id: string; secret: string }> =>
  call(who, 'webhook_add', { url: receiver.url, ...(events && { events }) })
const list = async (who = ada): Promise<any[]> => (await call(who, 'webhooks')).webhooks
let decided = 0
const decide = (more: object = {}, who = ada): Promise<any> =>
  call(who, 'propose_decision', {
    title: `Keep the ledger number ${++decided} of ${who.project} in PostgreSQL`,
    rationale: `Reports need joins across orders and customers, which is reason ${decided} of ${who.project}.`,
    ...more,
  })
const recordOf = ({ project }: Tenant) =>
  team.parts.openRecord({ id: project, name: '', mode: 'cloud', location: '', repositories: [], present: true })
const arrived = async (count: number): Promise<readonly Received[]> => {
  await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(count)
  return receiver.received
}
const queued = (): Promise<readonly { tries: number; lease: number | null }[]> =>
  database.transaction('server', (sql) =>
    sql.query("SELECT tries, lease FROM ken.jobs WHERE kind = 'webhook-delivery' AND project = $1", [ada.project]),
  )
/** Makes paused deliveries due now, as time would. */
async function hurry(): Promise<void> {
  await expect.poll(async () => (await queued()).filter(({ lease }) => lease !== null)).toEqual([])
  await database.transaction('server', async (sql) => {
    await sql.query("UPDATE ken.jobs SET due_at = now() WHERE kind = 'webhook-delivery' AND project = $1", [
      ada.project,
    ])
    await sql.query("SELECT pg_notify('ken_jobs', 'webhook-delivery')")
  })
}
/** Runs statements that break the database until `work` is done. */
async function whileBroken(broken: readonly string[], mended: readonly string[], work: () => Promise<void>) {
  const run = (statements: readonly string[]) =>
    database.transaction('server', async (sql) => {
      for (const statement of statements) await sql.query(statement)
    })
  await run(broken)
  await work().finally(() => run(mended))
}
const REFUSE = `CREATE FUNCTION ken.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused for the test'; END $$`

test('a recorded decision arrives signed, with its number, title, status, author and link, and nothing else', async () => {
  const { id, secret } = await add()
  await decide()
  const [got] = await arrived(1)
  expect(await isSigned(got!, secret)).toBe(true)
  expect(got!.json).toEqual({
    type: 'decision.recorded',
    timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
    data: {
      project: { id: ada.project, name: 'Shop' },
      decision: {
        id: expect.stringMatching(/^d_\w{7}$/),
        number: 1,
        title: expect.stringContaining('Keep the ledger'),
        status: 'active',
        url: `${publicUrl}/${ada.project}/decisions/1`,
      },
      by: { name: 'Ada' },
    },
  })
  await expect
    .poll(() => list())
    .toEqual([
      expect.objectContaining({ id, url: receiver.url, tried_at: expect.any(String), waiting: 0, given_up: 0 }),
    ])
  expect((await list())[0].fault).toBeUndefined()
})

test('distinguishes an agent’s proposal, its acceptance and a superseded decision', async () => {
  await add()
  const agent = await join(ada, 'member', 'agent')
  await decide({}, agent)
  const [recorded] = await arrived(1)
  expect(recorded!.json).toMatchObject({
    type: 'decision.recorded',
    data: { decision: { number: 1, status: 'proposed' } },
  })
  await call(ada, 'accept', { decisions: ['D1'] })
  const accepted = (await arrived(2))[1]!
  expect(accepted.json).toMatchObject({
    type: 'decision.accepted',
    data: { decision: { number: 1, status: 'active' } },
  })
  await decide({ operation: 'supersede', affected_decision_id: 'D1' })
  const both = (await arrived(4)).slice(2).map(({ json }) => json)
  expect(both.find(({ type }) => type === 'decision.recorded')).toMatchObject({ data: { decision: { number: 2 } } })
  expect(both.find(({ type }) => type === 'decision.superseded')).toMatchObject({
    data: {
      decision: { number: 1, status: 'superseded' },
      superseded_by: { number: 2, status: 'active' },
      by: { name: 'Ada' },
    },
  })
})

test('a refused proposal, other changes and events that were not asked for send nothing', async () => {
  await add(['decision.updated'])
  const title = `One queue for ${ada.project}`
  const rationale = 'All jobs wait in one table, because two queues lose their order.'
  await decide({ title, rationale })
  expect(await decide({ title, rationale })).toMatchObject({ status: 'rejected' })
  await call(ada, 'flag_question', { question: 'Where do invoices live?' })
  await decide({
    operation: 'update',
    affected_decision_id: 'D1',
    title: undefined,
    rationale: 'It held under load for a whole month.',
  })
  await arrived(1)
  await expect.poll(queued).toEqual([])
  expect(receiver.received.map(({ json }) => json.type)).toEqual(['decision.updated'])
})

test('a change that fails sends nothing, and a delivery that cannot be queued fails the change', async () => {
  await add()
  const onEvents =
    'CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON ken.record_events DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ken.refuse()'
  await whileBroken([REFUSE, onEvents], ['DROP FUNCTION ken.refuse() CASCADE'], async () => {
    expect((await decide()).error).toBeDefined()
  })
  const onJobs = 'CREATE TRIGGER refuse BEFORE INSERT ON ken.jobs FOR EACH ROW EXECUTE FUNCTION ken.refuse()'
  await whileBroken([REFUSE, onJobs], ['DROP FUNCTION ken.refuse() CASCADE'], async () => {
    expect((await decide()).error).toBeDefined()
  })
  expect((await call(ada, 'list_decisions')).total).toBe(0)
  expect(await queued()).toEqual([])
  await decide()
  await arrived(1)
  expect((await call(ada, 'list_decisions')).total).toBe(1)
  expect(receiver.received.map(({ json }) => json.data.decision.number)).toEqual([1])
})

test('a delivery is tried again with the same id after 500 and after a dead receiver, until it is accepted', async () => {
  const { secret } = await add()
  receiver.answers.push((response) => response.writeHead(500).end())
  await decide()
  await arrived(1)
  await expect.poll(async () => (await list())[0].fault).toBe('It answered 500.')
  expect(await list()).toMatchObject([{ waiting: 1, given_up: 0 }])
  const [first] = receiver.received
  const { port } = receiver
  await receiver.close()
  await hurry()
  await expect.poll(async () => (await list())[0].fault).toBe('No connection: ECONNREFUSED.')
  receiver = await openReceiver(port)
  await hurry()
  const [last] = await arrived(1)
  expect(last!.headers['webhook-id']).toBe(first!.headers['webhook-id'])
  expect(await isSigned(last!, secret)).toBe(true)
  await expect.poll(queued).toEqual([])
  expect((await list())[0].fault).toBeUndefined()
})

test('a delivery is given up after eight tries, and an admin sees why', async () => {
  await add()
  for (let tries = 0; tries < 9; tries++) receiver.answers.push((response) => response.writeHead(418).end())
  await decide()
  for (let tries = 1; tries <= 8; tries++) {
    await arrived(tries)
    await expect.poll(queued).toEqual([{ tries, lease: null }])
    await hurry()
  }
  expect(await list()).toMatchObject([{ fault: 'It answered 418.', waiting: 0, given_up: 1 }])
  await call(ada, 'webhook_test', { id: (await list())[0].id })
  expect(receiver.received).toHaveLength(9)
  expect(new Set(receiver.received.slice(0, 8).map(({ headers }) => headers['webhook-id'])).size).toBe(1)
})

test('a removed webhook gets nothing more, not even what was pending', async () => {
  const { id } = await add()
  receiver.answers.push((response) => response.writeHead(500).end())
  await decide()
  await arrived(1)
  await expect.poll(async () => (await list())[0].fault).toBe('It answered 500.')
  expect(await call(ada, 'webhook_remove', { id })).toMatchObject({ id })
  expect(await queued()).toEqual([])
  expect(await list()).toEqual([])
  await decide()
  const { id: next } = await add()
  await decide()
  await arrived(2)
  expect(receiver.received.map(({ json }) => json.data.decision.number)).toEqual([1, 3])
  expect((await call(ada, 'webhook_remove', { id })).error.code).toBe('not_found')
  expect((await list()).map((one) => one.id)).toEqual([next])
})

test('only an admin of the project sees, adds, tests or removes its webhooks, and no agent', async () => {
  const { id } = await add()
  const [eve, member, agent] = [await found('Eve'), await join(ada, 'member'), await join(ada, 'admin', 'agent')]
  const calls: [string, object][] = [
    ['webhooks', {}],
    ['webhook_add', { url: receiver.url }],
    ['webhook_test', { id }],
    ['webhook_remove', { id }],
  ]
  for (const [name, input] of calls) {
    expect((await call(member, name, input)).error.code).toBe('forbidden')
    expect((await call(agent, name, input)).error.code).toBe('forbidden')
    expect((await call({ ...eve, project: ada.project }, name, input)).error.code).toBe('not_found')
    expect((await call(eve, name, { ...input, project_id: ada.project })).error.code).toBe('not_found')
  }
  expect(await list(eve)).toEqual([])
  for (const name of ['webhook_test', 'webhook_remove'])
    expect((await call(eve, name, { id })).error.code).toBe('not_found')
  await decide({}, eve)
  await decide()
  await arrived(1)
  expect(receiver.received.map(({ json }) => json.data.project.id)).toEqual([ada.project])
})

test('a test message shows the result at once, and redirects into a private network are not followed', async () => {
  const { id, secret } = await add()
  expect(await call(ada, 'webhook_test', { id })).toMatchObject({ accepted: true })
  expect(receiver.received[0]!.json).toMatchObject({ type: 'webhook.test', data: { project: { name: 'Shop' } } })
  expect(await isSigned(receiver.received[0]!, secret)).toBe(true)
  const inside = await openReceiver()
  receiver.answers.push((response) => response.writeHead(302, { location: inside.url }).end())
  expect(await call(ada, 'webhook_test', { id })).toMatchObject({
    accepted: false,
    fault: expect.stringContaining('It answered 302, a redirect, which is not followed.'),
  })
  expect(inside.received).toEqual([])
  expect((await call(ada, 'webhook_add', { url: inside.url.replace('http', 'https') })).error.code).toBe('forbidden')
  await inside.close()
})

test('a host that the operator no longer allows is refused when it is used', async () => {
  const { id } = await add()
  await database.transaction('server', (sql) =>
    sql.query('UPDATE ken.webhooks SET url = $2 WHERE id = $1', [id, 'https://169.254.169.254/latest/meta-data']),
  )
  await decide()
  await expect
    .poll(async () => (await list())[0].fault)
    .toBe('The host of the webhook is unknown or not on the public network.')
})

test('an address is kept in its normal form, without characters that a terminal or the database acts on', async () => {
  const url = `${receiver.url}/a\u001b[2J\0\nb\ud800?c=\u202e`
  expect((await call(ada, 'webhook_add', { url })).id).toBeDefined()
  expect((await list())[0].url).toBe(`${receiver.url}/a%1B[2J%00b%EF%BF%BD?c=%E2%80%AE`)
})

test('a project has at most ten webhooks', async () => {
  for (let count = 0; count < 10; count++) expect((await add()).id).toBeDefined()
  expect(await add()).toMatchObject({ error: { code: 'conflict' } })
})

test('the secret is shown once and is stored nowhere as text, and the audit log names the webhook', async () => {
  const { id, secret } = await add()
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
  expect(JSON.stringify(await list())).not.toContain(secret.slice(6, 30))
  const [plain, hex] = [secret.slice(6), Buffer.from(secret.slice(6), 'base64').toString('hex')]
  const rows = Object.values(await everyRow(database)).flat()
  expect(rows.filter((row) => row.includes(plain) || row.includes(hex))).toEqual([])
  await expect
    .poll(async () => (await call(ada, 'audit_log', { operation: 'webhook_add' })).entries)
    .toMatchObject([{ operation: 'webhook_add', subject: id, outcome: 'ok' }])
})

test('a pending delivery holds no words of its decision, and one that was redacted is described as it is now', async () => {
  await add()
  receiver.answers.push((response) => response.writeHead(500).end())
  await decide({ title: `Ask Zebulon Quagmire for the ledger of ${ada.project}` })
  await arrived(1)
  await expect.poll(async () => (await list())[0].fault).toBe('It answered 500.')
  const held = (await everyRow(database))['jobs']!.filter((row) => row.includes(ada.project))
  expect(held).toHaveLength(1)
  expect(held.join()).not.toMatch(/zebulon|quagmire|ledger/i)
  const redacted = await call(ada, 'redact_words', { words: ['Zebulon Quagmire'], confirmed: true })
  expect(redacted).toMatchObject({ outcome: 'redacted', left: [], shared: [] })
  const rows = Object.values(await everyRow(database)).flat()
  expect(rows.filter((row) => /zebulon|quagmire/i.test(row))).toEqual([])
  await hurry()
  const [first, again] = await arrived(2)
  expect(again!.headers['webhook-id']).toBe(first!.headers['webhook-id'])
  expect(again!.json.data.decision).toMatchObject({
    number: 1,
    status: 'active',
    title: `Ask [redacted] for the ledger of ${ada.project}`,
  })
})

test('a change whose journal line names odd things is recorded and sends nothing', async () => {
  await add()
  const store = recordOf(ada)
  for (const decision of ['a\0b', '\ud800', 'x'.repeat(999)])
    await store.commit({ surface: 'merge' }, async (draft) => draft.note('propose_decision', { decision }))
  expect((await store.journal()).filter(({ operation }) => operation === 'propose_decision')).toHaveLength(3)
  expect(await queued()).toEqual([])
})
