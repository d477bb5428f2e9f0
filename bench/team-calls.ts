/**
 * Measures calls of a team server and of the local HTTP server in the same run: `npm run bench:calls [-- --decisions
 * 300 --calls 100 --projects 1,1000 --clients 1,50 --delay 5]`. Prints round trips to PostgreSQL, transactions and
 * statements of a call, read from the wire, and its latency with and without a delay added to each round trip.
 */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openBundledEmbedder } from '../src/app/bundled-model.ts'
import { openTeam } from '../src/app/team/open-team.ts'
import { serveTeam } from '../src/app/team/serve-team.ts'
import { systemClock } from '../src/kernel/system/clock.ts'
import { systemRandom } from '../src/kernel/system/random.ts'
import { issueToken } from '../src/team/issue-token.ts'
import { freePort, startPostgres } from '../test/postgres/server.ts'
import { openCorpus } from './decision-corpus.ts'
import { delayProxy } from './delay-proxy.ts'
import { latencyOf } from './index/look-up.ts'
import { countingProxy, type Counted } from './team/counting-proxy.ts'

const { values } = parseArgs({
  options: {
    decisions: { type: 'string', default: '300' },
    calls: { type: 'string', default: '100' },
    projects: { type: 'string', default: '1,1000' },
    clients: { type: 'string', default: '1,50' },
    delay: { type: 'string', default: '5' },
  },
})
const [decisions, calls, delay] = [values.decisions, values.calls, values.delay].map(Number) as [number, number, number]
const [projects, clients] = [values.projects, values.clients].map((list) => list.split(',').map(Number)) as [
  number[],
  number[],
]
const corpus = openCorpus(1)
const made = Array.from({ length: decisions }, (_, at) => corpus.decision(at + 1))
const place = mkdtempSync(join(tmpdir(), 'ken-team-calls-'))

interface Target {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

let asked = 0
const CALLS: Readonly<Record<string, () => object>> = {
  check_decision: () => ({ proposed_approach: corpus.query() }),
  get_decision: () => ({ decision_id: `D${String(1 + (asked++ % decisions)).padStart(3, '0')}` }),
  propose_decision: () => ({
    title: `${corpus.query().slice(0, 50)} ${asked++}`,
    rationale: `${corpus.query()}. ${corpus.query()}. ${corpus.query()}.`,
  }),
  flag_question: () => ({ question: `${corpus.query().slice(0, 60)} ${asked++}?` }),
}

/** Without `propose_decision`, of which fifty at a time take a local server longer than a writer waits. */
const TIMED = ['check_decision', 'get_decision', 'flag_question']

const postgres = await startPostgres()
const counting = await countingProxy(Number(new URL(postgres.url).port))
const slow = await delayProxy(Number(new URL(postgres.url).port), delay)
const local = await openLocal()
const shown = ({ p50, p95 }: { p50: number; p95: number }): string => `${p50.toFixed(1)} / ${p95.toFixed(1)}`
try {
  const team = await openServer(urlThrough(counting.port))
  const far = await openServer(urlThrough(slow.port))
  console.log(`${decisions} decisions; ${availableParallelism()} cores, load ${loadavg()[0]!.toFixed(1)}\n`)
  for (const count of projects) await measure(count, team, far)
  await far.close()
  await team.close()
} finally {
  local.close()
  counting.close()
  await slow.close()
  await postgres.stop()
  rmSync(place, { recursive: true, force: true })
}

type Server = Awaited<ReturnType<typeof openServer>>

/** Prints both tables, for a user with that many projects. */
async function measure(count: number, team: Server, far: Server): Promise<void> {
  const headers = await seed(team.team, count)
  const [near, distant] = [team, far].map(({ url }) => ({ url, headers })) as [Target, Target]
  for (const target of [local.target, near, distant])
    for (const name of Object.keys(CALLS)) for (let at = 0; at < 15; at++) await call(target, name)
  console.log(`| ${count} projects | round trips | transactions | statements |`)
  console.log('| --- | --- | --- | --- |')
  for (const name of Object.keys(CALLS)) {
    const before = counting.seen()
    for (let at = 0; at < 20; at++) await call(near, name)
    const after = counting.seen()
    const each = (what: keyof Counted): string => ((after[what] - before[what]) / 20).toFixed(1)
    console.log(`| ${name} | ${each('roundTrips')} | ${each('transactions')} | ${each('statements')} |`)
  }
  console.log(
    `\n| ${count} projects, p50 / p95 ms | clients | local server | team server | ratio p50 | with ${delay} ms a round trip |`,
  )
  console.log('| --- | --- | --- | --- | --- | --- |')
  for (const many of clients)
    for (const name of TIMED) {
      const own = await latency(local.target, name, many)
      const shared = await latency(near, name, many)
      const ratio = (shared.p50 / own.p50).toFixed(2)
      const away = await latency(distant, name, many)
      console.log(`| ${name} | ${many} | ${shown(own)} | ${shown(shared)} | ${ratio} | ${shown(away)} |`)
    }
  console.log('')
}

function urlThrough(port: number): string {
  const url = new URL(postgres.url)
  url.port = String(port)
  return url.href
}

async function call({ url, headers }: Target, name: string): Promise<void> {
  const response = await fetch(`${url}/v1/${name}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(CALLS[name]!()),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${name}: ${text}`)
}

async function latency(target: Target, name: string, clients: number) {
  const times: number[] = []
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (let at = 0; at < Math.max(2, calls / clients); at++) {
        const began = performance.now()
        await call(target, name)
        times.push(performance.now() - began)
      }
    }),
  )
  return latencyOf(times)
}

async function openServer(databaseUrl: string) {
  const team = await openTeam({ databaseUrl, clock: systemClock, embedder: openBundledEmbedder })
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  // Avoids rate limits: every read of the clock advances it by a tenth of a second.
  let reads = 0
  const server = await serveTeam(team, {
    publicUrl: url,
    hostname: '127.0.0.1',
    port,
    clock: { ...systemClock, now: () => new Date(systemClock.now().getTime() + 100 * ++reads) },
    notice: 0,
    log: () => undefined,
  })
  return {
    team,
    url,
    async close() {
      await server.close()
      await team.close()
    },
  }
}

/** Creates a person with a token, projects, and a record in the last one. */
async function seed(team: Awaited<ReturnType<typeof openTeam>>, projects: number): Promise<Target['headers']> {
  const [organisation, person, createdAt] = [systemClock.ulid(), systemClock.ulid(), systemClock.now().toISOString()]
  await team.people.found(
    { id: organisation, name: 'Acme', createdAt },
    { id: person, organisation, email: 'ada@acme.example', name: 'Ada', role: 'admin', createdAt, leftAt: undefined },
    { first: false },
  )
  let id = ''
  for (let at = 0; at < projects; at++) {
    id = systemClock.ulid()
    await team.projects.create({ id, organisation, name: `p${at}`, access: 'organisation', createdAt }, person)
  }
  const store = team.parts.openRecord({ id, name: '', mode: 'cloud', location: '', repositories: [], present: true })
  await store.commit({ surface: 'cli' }, async (draft) => {
    for (const { name, text } of made) draft.write(`decisions/${name}`, text)
    draft.note('import', {})
  })
  const wanted = { kind: 'personal', name: 'bench', scopes: ['read', 'write'], projects: undefined, days: 1 } as const
  const parts = { tokens: team.tokens, clock: systemClock, chance: systemRandom }
  const { secret } = await issueToken(parts, person, wanted)
  return { authorization: `Bearer ${secret}`, 'x-ken-project': id }
}

/** The local HTTP server on a record with the same decisions. */
async function openLocal() {
  const [home, repository] = [join(place, 'home'), join(place, 'repository')]
  const env = { PATH: process.env['PATH']!, HOME: place, KEN_HOME: home, KEN_TELEMETRY: '0', KEN_UPKEEP: '0' }
  mkdirSync(repository, { recursive: true })
  execFileSync('git', ['init', '-q'], { cwd: repository, env })
  const at = { cwd: repository, env, stdio: 'ignore' } as const
  const program = join(import.meta.dirname, '../bin/ken.js')
  execFileSync(process.execPath, [program, 'init', 'bench', '--in-repo'], at)
  for (const { name, text } of made) writeFileSync(join(repository, '.ken/record/decisions', name), text)
  execFileSync(process.execPath, [program, 'accept', '--yes'], at)
  const child = spawn(process.execPath, [program, 'serve', '--http', '--port', '0'], {
    cwd: repository,
    env,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  let said = ''
  let url: string | undefined
  for await (const chunk of child.stderr) {
    said += String(chunk)
    url = /listens on (\S+)[\s\S]*Token/.exec(said)?.[1]
    if (url !== undefined) break
  }
  if (url === undefined) throw new Error(said)
  const token = readFileSync(join(home, 'http-token'), 'utf8').trim()
  const headers = { authorization: `Bearer ${token}`, 'x-ken-directory': repository }
  return { target: { url: new URL(url).origin, headers }, close: () => void child.kill() }
}
