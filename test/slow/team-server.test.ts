import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBundledEmbedder } from '../../src/app/bundled-model.ts'
import { openTeam, type Team } from '../../src/app/team/open-team.ts'
import { serveTeam, type TeamServer } from '../../src/app/team/serve-team.ts'
import { systemClock } from '../../src/kernel/system/clock.ts'
import { systemRandom } from '../../src/kernel/system/random.ts'
import type { RequestLine } from '../../src/surfaces/http/team/request-log.ts'
import type { Role } from '../../src/team/domain/role.ts'
import { issueToken } from '../../src/team/issue-token.ts'
import { KEN } from '../ken-program.ts'
import { newDatabase, type OwnDatabase } from '../postgres/run-server.ts'
import { freePort, startPostgres } from '../postgres/server.ts'

const PUBLIC = 'https://ken.example.com'

let postgres: OwnDatabase
let databaseUrl: string
const replicas: { readonly team: Team; readonly server: TeamServer }[] = []
const lines: RequestLine[] = []

async function openReplica(): Promise<{ readonly team: Team; readonly server: TeamServer }> {
  const team = await openTeam({ databaseUrl, clock: systemClock, embedder: openBundledEmbedder })
  const server = await serveTeam(team, {
    publicUrl: PUBLIC,
    hostname: '127.0.0.1',
    port: 0,
    clock: systemClock,
    notice: 0,
    log: (line) => lines.push(line),
  })
  const replica = { team, server }
  replicas.push(replica)
  return replica
}

/** Creates a person with an organisation, a project in it, and a token. */
async function newTenant(name: string): Promise<{ token: string; project: string; organisation: string }> {
  const { team } = replicas[0]!
  const at = systemClock.now().toISOString()
  const [organisation, person, project] = [systemClock.ulid(), systemClock.ulid(), systemClock.ulid()]
  const email = `${name}@example.com`
  await team.people.found(
    { id: organisation, name, createdAt: at },
    { id: person, organisation, email, name, role: 'admin', createdAt: at, leftAt: undefined },
    { first: false },
  )
  await team.projects.create({ id: project, organisation, name: 'shop', access: 'organisation', createdAt: at }, person)
  return { token: await tokenOf(person), project, organisation }
}

const recordOf = (id: string) =>
  replicas[0]!.team.parts.openRecord({
    id,
    name: 'shop',
    mode: 'cloud',
    location: PUBLIC,
    repositories: [],
    present: true,
  })

async function tokenOf(person: string, kind: 'personal' | 'agent' = 'personal'): Promise<string> {
  const wanted = { kind, name: 'test', scopes: ['read', 'write'] as const, projects: undefined, days: 1 }
  return (await issueToken({ ...replicas[0]!.team, clock: systemClock, chance: systemRandom }, person, wanted)).secret
}

/** `fetch` is not used, because it does not let a caller set Host. */
function send(
  server: TeamServer,
  path: string,
  { headers, body }: { headers?: Record<string, string>; body?: string } = {},
): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(server.url)
  const method = body === undefined ? 'GET' : 'POST'
  return new Promise((done, failed) => {
    const asked = request(
      { hostname, port, path, method, headers: { host: 'ken.example.com', ...headers } },
      (response) => {
        let text = ''
        response.on('data', (chunk) => (text += chunk)).on('end', () => done({ status: response.statusCode!, text }))
      },
    )
    asked.on('error', failed).end(body)
  })
}

async function call(
  server: TeamServer,
  token: string | undefined,
  name: string,
  input: object = {},
): Promise<{ status: number; body: any }> {
  const { status, text } = await send(server, `/v1/${name}`, {
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(input),
  })
  return { status, body: JSON.parse(text) }
}

beforeAll(async () => {
  postgres = await newDatabase()
  databaseUrl = postgres.url
  await openReplica()
  await openReplica()
})
afterAll(async () => {
  for (const { team, server } of replicas) {
    await server.close()
    await team.close()
  }
  await postgres.stop()
})

const DECISION = {
  title: 'Cache hot reads in Redis',
  rationale: 'Lower p99 than the database.',
  rejected: [{ alternative: 'Memcached', reason: 'No persistence.' }],
}

describe('a team server', () => {
  test('a write on one replica is visible to the next call on another', async () => {
    const [one, two] = replicas.map(({ server }) => server)
    const { token, project } = await newTenant('ada')
    expect(await call(one!, token, 'propose_decision', DECISION)).toMatchObject({ status: 200 })
    const { body } = await call(two!, token, 'check_decision', { proposed_approach: 'Put Memcached before the pages' })
    expect(JSON.stringify(body)).toContain('Cache hot reads in Redis')
    expect(await recordOf(project).verify()).toEqual([])
  })

  test('numbers are assigned once across replicas', async () => {
    const { token } = await newTenant('grace')
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        call(replicas[at % 2]!.server, token, 'propose_decision', {
          title: `Choice ${['of the alpha store', 'about invoices', 'for deploys', 'on logging'][at % 4]} number ${at}`,
          rationale: `Reason ${at} that no other one has: ${'abcdefghijkl'[at]!.repeat(9)}.`,
        }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    const { body } = await call(replicas[0]!.server, token, 'list_decisions', { limit: 50 })
    const numbers = body.decisions.map(({ number }: { number: number }) => number)
    expect(new Set(numbers).size).toBe(numbers.length)
    expect(numbers.length).toBe(12)
  })

  test('another organisation’s project and a missing one look the same to a caller', async () => {
    const { server } = replicas[0]!
    const [ours, theirs] = [await newTenant('mary'), await newTenant('eve')]
    await call(server, ours.token, 'propose_decision', DECISION)
    const ask = async (project_id: string) => {
      const { status, body } = await call(server, theirs.token, 'list_decisions', { project_id })
      return { status, body }
    }
    expect(await ask(ours.project)).toEqual(await ask(systemClock.ulid()))
    expect((await ask(ours.project)).status).toBe(404)
    const { body } = await call(server, theirs.token, 'list_projects')
    expect(JSON.stringify(body)).not.toContain(ours.project)
  })

  test('a viewer can read but not write', async () => {
    const { team, server } = replicas[0]!
    const { organisation, token } = await newTenant('linus')
    const at = systemClock.now().toISOString()
    const id = systemClock.ulid()
    await addPerson(team, { id, organisation, role: 'viewer', at })
    const viewer = await tokenOf(id)
    await call(server, token, 'propose_decision', DECISION)
    expect((await call(server, viewer, 'get_decision', { number: 1 })).status).toBe(200)
    const refused = await call(server, viewer, 'propose_decision', { ...DECISION, title: 'Another thing' })
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } })
  })

  test('agents connect over MCP, with the tools they may use', async () => {
    const { server } = replicas[1]!
    const { token, project } = await newTenant('alan')
    const rpc = async (method: string, params: object = {}): Promise<string> => {
      const { text } = await send(server, '/mcp', {
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          authorization: `Bearer ${token}`,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      })
      return text
    }
    const begun = await rpc('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    })
    expect(begun).toContain('"serverInfo"')
    expect(await rpc('tools/list')).toContain('check_decision')
    expect(await rpc('tools/call', { name: 'propose_decision', arguments: DECISION })).toContain('D001')
    const [event] = await recordOf(project).journal()
    expect(event).toMatchObject({
      operation: 'propose_decision',
      origin: { surface: 'mcp-http', user: expect.any(String) },
    })
  })

  test('access is refused without a token, from another site, or under another host name', async () => {
    const { server } = replicas[0]!
    expect(await call(server, undefined, 'list_projects')).toMatchObject({ status: 401 })
    expect(await call(server, 'ken_p_guess', 'list_projects')).toMatchObject({ status: 401 })
    const { token } = await newTenant('ken')
    const from = async (headers: Record<string, string>) =>
      (
        await send(server, '/v1/list_projects', {
          headers: { authorization: `Bearer ${token}`, ...headers },
          body: '{}',
        })
      ).status
    expect(await from({})).toBe(200)
    expect(await from({ origin: 'https://evil.example' })).toBe(403)
    expect(await from({ host: 'evil.example' })).toBe(403)
  })

  test('the log and the metrics show the operations, but no token and no text', async () => {
    const { server } = replicas[0]!
    const { token } = await newTenant('dennis')
    await call(server, token, 'check_decision', { proposed_approach: 'a very private plan' })
    await send(server, `/v1/${token}`)
    const told = `${JSON.stringify(lines)}${server.metrics()}`
    expect(told).toContain('"/v1/check_decision"')
    expect(told).toContain('ken_requests_total{route="other",status="401"}')
    expect(told).not.toContain(token)
    expect(told).not.toContain('private plan')
  })
})

test('ken server setup creates the first admin once, and a replica started by hand serves and stops', async () => {
  const run = promisify(execFile)
  const other = await startPostgres()
  try {
    const env = {
      ...process.env,
      DATABASE_URL: other.url,
    }
    const setup = () =>
      run(
        process.execPath,
        [KEN, 'server', 'setup', '--organisation', 'Acme', '--email', 'a@b.example', '--project', 'shop'],
        { env },
      )
    const { stdout } = await setup()
    expect(stdout).toMatch(/Token, for 30 days and shown this once: ken_p_\w+/)
    await expect(setup()).rejects.toMatchObject({ code: 4 })
    await expect(run(process.execPath, [KEN, 'server'], { env })).rejects.toMatchObject({ code: 2 })
    const replica = spawn(process.execPath, [KEN, 'server', '--port', '0', '--metrics-port', '0'], {
      env: { ...env, KEN_PUBLIC_URL: PUBLIC },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const [url, figures] = await new Promise<readonly [string, string]>((found) => {
      let said = ''
      replica.stderr.on('data', (chunk) => {
        said += chunk
        const [, address, metrics] = /^Ken serves \S+ on (http:\S+), figures on (http:\S+)$/m.exec(said) ?? []
        if (address !== undefined && metrics !== undefined) found([address, metrics])
      })
    })
    expect((await fetch(`${url}/ready`)).status).toBe(200)
    const exported = (await (await fetch(figures)).text()).matchAll(/^# TYPE (\S+)/gm)
    const documented = ['docs/guides/team-server-alerts.md', 'deploy/prometheus/ken-alerts.yaml'].flatMap((path) => [
      ...readFileSync(join(import.meta.dirname, '../..', path), 'utf8').matchAll(/\b(ken_\w+?)(?:_bucket)?\b/g),
    ])
    const namesOf = (found: Iterable<RegExpExecArray>) => new Set([...found].map(([, name]) => name))
    expect(namesOf(exported)).toEqual(namesOf(documented))
    replica.kill('SIGTERM')
    await expect.poll(() => fetch(`${url}/ready`).then(({ status }) => status)).toBe(503)
    expect(await new Promise((ended) => replica.once('exit', ended))).toBe(0)
    const client = new pg.Client(env.DATABASE_URL)
    await client.connect()
    await client.query("INSERT INTO ken.migrations (number, name, hash, at, oldest) VALUES (999, '', '', now(), 999)")
    await client.end()
    const late = run(process.execPath, [KEN, 'server'], { env: { ...env, KEN_PUBLIC_URL: PUBLIC }, timeout: 30_000 })
    await expect(late).rejects.toMatchObject({ code: 4, stderr: expect.stringContaining('upgraded by a newer Ken') })
  } finally {
    await other.stop()
  }
})

test('a replica that cannot start does not serve, and exits', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const busy = String((taken.address() as AddressInfo).port)
  const env = { ...process.env, DATABASE_URL: databaseUrl, KEN_PUBLIC_URL: PUBLIC }
  for (const ports of [
    ['--port', busy],
    ['--port', '0', '--metrics-port', busy],
  ])
    await expect(
      promisify(execFile)(process.execPath, [KEN, 'server', ...ports], { env, timeout: 60_000 }),
    ).rejects.toMatchObject({ code: 7, stderr: expect.stringContaining(`Port ${busy} cannot be used`) })
  taken.close()

  const { team } = replicas[0]!
  const jobs = { ...team.work.jobs, listen: async () => Promise.reject(new Error('gone')) }
  const port = await freePort()
  const options = { publicUrl: PUBLIC, hostname: '127.0.0.1', clock: systemClock, notice: 0, log: () => undefined }
  await expect(serveTeam({ ...team, work: { ...team.work, jobs } }, { ...options, port })).rejects.toThrow('gone')
  await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow('fetch failed')
})

async function addPerson(
  team: Team,
  { id, organisation, role, at }: { id: string; organisation: string; role: Role; at: string },
): Promise<void> {
  const email = `${id.toLowerCase()}@example.com`
  await team.invitations.invite({
    id,
    organisation,
    email,
    role,
    invitedBy: undefined,
    createdAt: at,
    expiresAt: new Date(Date.parse(at) + 60_000).toISOString(),
  })
  await team.invitations.accept({ email, name: 'Somebody', at })
}
