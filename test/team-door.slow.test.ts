import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SqlDatabase } from '../src/kernel/ports/sql-database.ts'
import { systemClock } from '../src/kernel/system/clock.ts'
import { systemRandom } from '../src/kernel/system/random.ts'
import { openPostgresAuthorizations } from '../src/team/authorizations/postgres/index.ts'
import type { Role, Scope } from '../src/team/domain/role.ts'
import { hashOfSecret } from '../src/team/domain/token.ts'
import { issueToken } from '../src/team/issue-token.ts'
import { seededChance } from './crash/seeded-chance.ts'
import { openIsolationDesk, type IsolationDesk } from './isolation/isolation-desk.ts'
import { showMutated } from './isolation/mutated-tokens.ts'
import { fire, rpc, type Shot } from './isolation/shots.ts'
import { openNewDatabase } from './postgres/run-server.ts'

let desk: IsolationDesk
let transactions = 0
/** Statements that read tokens: transactions also count the server's own work, such as taking jobs. */
let lookUps = 0
let tables: string[] = []
beforeAll(async () => {
  const database = await openNewDatabase()
  const transaction: SqlDatabase['transaction'] = (scope, work, how) => {
    transactions += 1
    return database.transaction(
      scope,
      (sql) =>
        work({
          query(text, values) {
            if (/\bken\.tokens\b/.test(text)) lookUps += 1
            tables.push(/\bken\.\w+/.exec(text)?.[0] ?? '')
            return sql.query(text, values)
          },
        }),
      how,
    )
  }
  const batch: SqlDatabase['batch'] = (scope, statements) => {
    transactions += 1
    return database.batch(scope, statements)
  }
  desk = await openIsolationDesk({ ...database, transaction, batch }, { recheck: 20 })
})
afterAll(() => desk.close())

const now = (): string => systemClock.now().toISOString()

interface Place {
  readonly organisation: string
  readonly admin: string
  /** `open` is visible to the whole organisation, `closed` to its members only. */
  readonly open: string
  readonly closed: string
}

async function found(): Promise<Place> {
  const [organisation, admin, open, closed] = Array.from({ length: 4 }, () => systemClock.ulid()) as string[]
  await desk.team.people.found(
    { id: organisation!, name: 'Works', createdAt: now() },
    {
      id: admin!,
      organisation: organisation!,
      email: 'admin@works.example',
      name: 'Admin',
      role: 'admin',
      createdAt: now(),
      leftAt: undefined,
    },
    { first: false },
  )
  for (const [id, access] of [
    [open, 'organisation'],
    [closed, 'members'],
  ] as const)
    await desk.team.projects.create(
      { id: id!, organisation: organisation!, name: `${access} shop`, access, createdAt: now() },
      admin!,
    )
  return { organisation: organisation!, admin: admin!, open: open!, closed: closed! }
}

async function join({ organisation }: Place, role: Role, email = `${systemClock.ulid()}@works.example`) {
  const id = systemClock.ulid()
  const expiresAt = new Date(Date.now() + 60_000).toISOString()
  await desk.team.invitations.invite({
    id,
    organisation,
    email,
    role,
    invitedBy: undefined,
    createdAt: now(),
    expiresAt,
  })
  const [person] = await desk.team.invitations.accept({ email, name: 'Somebody', at: now() })
  return person!.id
}

const token = (person: string, scopes: readonly Scope[] = ['read', 'write'], projects?: readonly string[]) =>
  issueToken({ tokens: desk.team.tokens, clock: systemClock, chance: systemRandom }, person, {
    kind: 'personal',
    name: 'test',
    scopes,
    projects,
    days: 1,
  })

const shot = (name: string, surface: Shot['surface'], project: string, input: Shot['input'] = {}): Shot => ({
  operation: desk.team.operations.find((operation) => operation.name === name)!,
  surface,
  project,
  place: 'body',
  input,
})

const mcp = (secret: string, body: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${desk.url}/mcp`, {
    method: 'POST',
    body,
    headers: {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
  })

async function toolsOf(secret: string): Promise<readonly string[]> {
  const text = await (await mcp(secret, JSON.stringify(rpc('tools/list')))).text()
  const { result } = JSON.parse(text.slice(text.indexOf('{'))) as { result: { tools: { name: string }[] } }
  return result.tools.map(({ name }) => name)
}

test('changes of access, roles or settings are in the audit log with actor and subject', async () => {
  const place = await found()
  const member = await join(place, 'member')
  const { secret, token: held } = await token(place.admin, ['read', 'write', 'admin'])
  const does = async (name: string, input: Shot['input']): Promise<any> => {
    const { status, body } = await fire(desk.url, secret, { ...shot(name, 'rest', place.open, input), place: 'none' })
    expect([name, status, status === 200 ? '' : body]).toEqual([name, 200, ''])
    return JSON.parse(body)
  }
  const project_id = place.open
  const invited = await does('people_invite', { email: 'new@works.example' })
  await does('invitation_withdraw', { id: invited.id })
  await does('people_change', { person: member, role: 'viewer' })
  await does('project_grant', { person: member, role: 'member', project_id })
  await does('project_revoke', { person: member, project_id })
  await does('project_change', { name: 'another shop', project_id })
  await does('retention_set', { audit_days: 400 })
  await does('people_sign_out', { person: member })
  await does('people_remove', { person: member })
  await does('project_archive', { project_id })
  const entries = await desk.team.auditLog.read({ organisation: place.organisation, limit: 20 })
  expect(entries.map(({ operation, subject, project }) => [operation, subject, project]).toReversed()).toEqual([
    ['people_invite', invited.id, undefined],
    ['invitation_withdraw', invited.id, undefined],
    ['people_change', member, undefined],
    ['project_grant', member, place.open],
    ['project_revoke', member, place.open],
    ['project_change', undefined, place.open],
    ['retention_set', undefined, undefined],
    ['people_sign_out', member, undefined],
    ['people_remove', member, undefined],
    ['project_archive', undefined, place.open],
  ])
  for (const entry of entries)
    expect(entry).toMatchObject({ person: place.admin, held: held.id, outcome: 'ok', source: '127.0.0.1' })
  expect(JSON.stringify(entries)).not.toMatch(/works\.example|another shop/)
})

describe('an invalid token', () => {
  test('always gets the same response, and causes a look-up only if its checksum is valid', async () => {
    const place = await found()
    const good = [(await token(place.admin)).secret, (await token(place.admin, ['read'])).secret]
    lookUps = 0
    const { answers, shaped } = await showMutated(desk.url, good, { count: 150, chance: seededChance(11) })
    expect(answers).toEqual([expect.stringMatching(/^401 .*"message":"A token is needed\."/)])
    expect(lookUps).toBe(shaped)
    expect(`${desk.told.join()}${desk.server.metrics()}`).not.toContain(good[0]!.slice(6))
  })

  test('is rejected even beside a valid one, in two headers of one request', async () => {
    const place = await found()
    const { secret } = await token(place.admin)
    const ask = (lines: readonly string[]): Promise<string> =>
      new Promise((done) => {
        const { host, port } = new URL(desk.url)
        let got = ''
        const socket = connect(Number(port), '127.0.0.1')
        socket.on('data', (chunk) => (got += String(chunk))).on('close', () => done(got.slice(0, 12)))
        socket.write(
          ['POST /v1/list_projects HTTP/1.1', `Host: ${host}`, 'Connection: close', ...lines, '', '{}'].join('\r\n'),
        )
      })
    const [mine, other] = [`Authorization: Bearer ${secret}`, 'Authorization: Bearer other']
    const length = 'Content-Length: 2'
    expect(await ask([mine, length])).toBe('HTTP/1.1 200')
    expect(await ask([mine, other, length])).toBe('HTTP/1.1 401')
    expect(await ask([other, mine, length])).toBe('HTTP/1.1 401')
    expect(await ask([mine, 'Host: elsewhere.example', length])).toBe('HTTP/1.1 403')
    expect(await ask([mine, length, 'Content-Length: 20'])).toBe('HTTP/1.1 400')
    expect(await ask([mine, length, 'Transfer-Encoding: chunked'])).toBe('HTTP/1.1 400')
  })
})

describe('the access of a person', () => {
  const DECISION = { title: 'Cache hot reads in Redis', rationale: 'Lower p99 than the database.' }

  test('a refused operation returns the same message over REST and MCP', async () => {
    const place = await found()
    const { secret } = await token(await join(place, 'viewer'), ['read'])
    const tools = await toolsOf((await token(place.admin)).secret)
    for (const operation of desk.team.operations.filter(({ name }) => tools.includes(name))) {
      const [example] = operation.examples
      for (const project of [place.open, place.closed]) {
        const rest = await fire(desk.url, secret, shot(operation.name, 'rest', project, example!.input))
        if (rest.status !== 403 && rest.status !== 404) continue
        const { error } = JSON.parse(rest.body) as { error: { message: string; hint: string } }
        const over = await fire(desk.url, secret, shot(operation.name, 'mcp', project, example!.input))
        const quoted = JSON.stringify(error.message).slice(1, -1)
        expect([operation.name, over.body]).toEqual([operation.name, expect.stringContaining(quoted)])
        expect(over.body).toContain('"isError":true')
      }
    }
  })

  test('tools/list omits writes and databases for viewers, and project tools without a project', async () => {
    const place = await found()
    const all = await toolsOf((await token(place.admin)).secret)
    expect(all).toEqual(expect.arrayContaining(['get_decision', 'propose_decision', 'update_state']))
    const viewer = await join(place, 'viewer')
    const reads = desk.team.operations.filter(({ effect }) => effect === 'read').map(({ name }) => name)
    const databases = ['execute_sql', 'read_result']
    expect(all).toEqual(expect.arrayContaining(databases))
    expect(await toolsOf((await token(viewer)).secret)).toEqual(
      all.filter((name) => reads.includes(name) && !databases.includes(name)),
    )
    expect(await toolsOf((await token(place.admin, ['read'])).secret)).toEqual(
      all.filter((name) => reads.includes(name)),
    )
    // A role in one project is enough.
    await desk.team.projects.setMember(place.closed, viewer, 'member')
    expect(await toolsOf((await token(viewer)).secret)).toEqual(all.filter((name) => name !== 'create_project'))
    expect(await toolsOf((await token(viewer, ['read', 'write'], [place.open])).secret)).not.toContain('update_state')
  })

  test('ends at the next call when they leave, lose the project or the role, or the token is revoked', async () => {
    const place = await found()
    const { projects, people, tokens } = desk.team
    const losing: readonly ((person: string, token: string) => Promise<unknown>)[] = [
      (person) => people.leave(place.organisation, person, now()),
      (person) => projects.setMember(place.closed, person, undefined),
      (person) => projects.setMember(place.closed, person, 'viewer'),
      (person, id) => tokens.revoke(person, [id], now()),
    ]
    for (const [at, lose] of losing.entries()) {
      const person = await join(place, 'viewer')
      await projects.setMember(place.closed, person, 'member')
      const { secret, token: held } = await token(person)
      const write = (surface: 'rest' | 'mcp') =>
        fire(desk.url, secret, shot('update_state', surface, place.closed, { delta: `Step ${at} by ${surface}` }))
      expect((await write('rest')).status).toBe(200)
      expect((await write('mcp')).body).not.toContain('isError')
      await lose(person, held.id)
      const [rest, over] = [await write('rest'), await write('mcp')]
      expect([401, 403, 404]).toContain(rest.status)
      expect(over.status === 401 || over.body.includes('"isError":true')).toBe(true)
    }
  })

  test('end together with their subscriptions', async () => {
    const place = await found()
    const person = await join(place, 'viewer')
    await desk.team.projects.setMember(place.closed, person, 'viewer')
    const { secret, token: held } = await token(person)
    const method = 'subscriptions/listen'
    const listen = async (): Promise<Response> =>
      mcp(
        secret,
        JSON.stringify(
          rpc(method, {
            notifications: { toolsListChanged: true },
            _meta: {
              'io.modelcontextprotocol/protocolVersion': '2026-07-28',
              'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
              'io.modelcontextprotocol/clientCapabilities': {},
            },
          }),
        ),
        { 'mcp-method': method, 'mcp-protocol-version': '2026-07-28' },
      )
    const ends: readonly (() => Promise<unknown>)[] = [
      () => desk.team.projects.setMember(place.closed, person, undefined),
      () => desk.team.tokens.revoke(person, [held.id], now()),
    ]
    for (const end of ends) {
      const reader = (await listen()).body!.getReader()
      expect(new TextDecoder().decode((await reader.read()).value)).toContain('acknowledged')
      const before = transactions
      // The subscription is being checked by now, and continues.
      await expect.poll(() => transactions).toBeGreaterThan(before + 3)
      await end()
      for (let next = await reader.read(); !next.done; next = await reader.read());
    }
  })

  test('includes reading record files as resources', async () => {
    const place = await found()
    const { secret } = await token(place.admin)
    await fire(desk.url, secret, shot('propose_decision', 'rest', place.closed, DECISION))
    const read = async (key: string) =>
      (await mcp(key, JSON.stringify(rpc('resources/list')), { 'x-ken-project': place.closed })).text()
    expect(await read(secret)).toContain('001-cache-hot-reads')
    expect(await read((await token(await join(place, 'member'))).secret)).toContain('"resources":[]')
  })

  test('is not restored if a person who left returns: their grants to programs are gone', async () => {
    const place = await found()
    const email = 'back@works.example'
    const person = await join(place, 'member', email)
    const { authorizations } = openPostgresAuthorizations(desk.database)
    const [at, later] = [systemClock.now(), new Date(Date.now() + 60_000)]
    await authorizations.offerCode(
      {
        id: systemClock.ulid(),
        person,
        client: 'c',
        clientName: 'C',
        resource: 'r',
        scopes: ['read'],
        projects: [place.open],
        isLasting: true,
        createdAt: at,
        endsAt: later,
      },
      { hash: hashOfSecret('code'), challenge: 'c', redirectUri: 'http://127.0.0.1/', expiresAt: later },
    )
    await desk.team.people.leave(place.organisation, person, now())
    expect(await join(place, 'viewer', email)).toBe(person)
    expect(await authorizations.list(person, at)).toEqual([])
  })
})

describe('a project', () => {
  test('is found by its id first, and a name cannot shadow another’s id', async () => {
    const place = await found()
    const { secret } = await token(place.admin)
    await desk.team.projects.change(place.organisation, place.open, { name: place.closed })
    const answer = await fire(desk.url, secret, shot('list_decisions', 'rest', place.closed))
    expect([answer.status, answer.body]).toEqual([200, expect.stringContaining(`"id":"${place.closed}"`)])
    const member = (await token(await join(place, 'member'))).secret
    for (const id of [place.closed, place.closed.toLowerCase()])
      expect((await fire(desk.url, member, shot('list_decisions', 'rest', id))).status).toBe(404)
  })
})

describe('an expensive request', () => {
  test('is refused if it is nested endlessly', async () => {
    const { admin, open } = await found()
    const { secret } = await token(admin)
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    const input = `{"title":"a","rationale":"b","project_id":"${open}","rejected":${deep}}`
    const response = await fetch(`${desk.url}/v1/propose_decision`, {
      method: 'POST',
      body: input,
      headers: { authorization: `Bearer ${secret}` },
    })
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('nested')])
    const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"propose_decision","arguments":${input}}}`
    expect(await (await mcp(secret, call)).text()).toContain('nested')
  })

  test('readiness requests share one database check', async () => {
    const before = transactions
    await Promise.all(Array.from({ length: 40 }, () => fetch(`${desk.url}/ready`)))
    expect(transactions - before).toBeLessThan(10)
  })

  test('waits until there is room for its body, over MCP too', async () => {
    const { admin } = await found()
    const { secret } = await token(admin)
    const { host, port } = new URL(desk.url)
    const sockets: Socket[] = Array.from({ length: 100 }, () =>
      connect(Number(port), '127.0.0.1').on('error', () => undefined),
    )
    for (const socket of sockets)
      socket.write(
        `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${secret}\r\nContent-Type: application/json\r\n` +
          'Accept: application/json, text/event-stream\r\nContent-Length: 4194304\r\n\r\n{',
      )
    await expect.poll(async () => (await mcp(secret, '{}')).status).toBe(503)
    for (const socket of sockets) socket.destroy()
  })
})

test('a check and a read query the database twice: for the caller and their projects, and for changes to the record', async () => {
  const place = await found()
  const { secret } = await token(place.admin)
  const does = async (name: string, input: Shot['input']): Promise<number> =>
    (await fire(desk.url, secret, { ...shot(name, 'rest', place.open, input), place: 'body' })).status
  const decision = { title: 'Keep orders in PostgreSQL', rationale: 'Joins across orders and payments are common.' }
  expect(await does('propose_decision', decision)).toBe(200)
  for (const [name, input] of [
    ['check_decision', { proposed_approach: 'Move orders to MongoDB' }],
    ['get_decision', { decision_id: 'D001' }],
  ] as const) {
    expect(await does(name, input), name).toBe(200)
    tables = []
    expect(await does(name, input), name).toBe(200)
    expect(
      tables.filter((table) => table !== 'ken.jobs' && table !== 'ken.audit_log'),
      name,
    ).toEqual(['ken.people', 'ken.records'])
  }
})
