import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openKen, type Ken } from '../../src/app/open.ts'
import { OPERATIONS } from '../../src/operations/all.ts'
import { serveHttp, type HttpServer } from '../../src/surfaces/http/serve.ts'
import { openAnalystDesk, type AnalystDesk } from '../analyst/analyst-desk.ts'
import { openEvents } from '../analyst/sent-events.ts'
import { KEN } from '../ken-program.ts'
import type { ModelRequest, ScriptedStep } from '../scripted-model.ts'
import { makeShop, ownDuckdb } from '../shop-database.ts'
import { until } from '../upkeep/until.ts'

const CASES = Array.from(
  { length: 8 },
  (_, i) => `- name: Orders ${i}
  kind: sql
  database: ${i % 2 === 0 ? 'shop' : 'duck'}
  prompt: How many orders are there in ${i % 2 === 0 ? 'shop' : 'duck'}, asked ${i}?
  sql: SELECT count(*) AS expected_orders FROM orders
`,
).join('')

const analyst = ({ user, answers }: ModelRequest): ScriptedStep => {
  const database = /in (shop|duck), asked/.exec(user)?.[1]
  return answers.length === 0 && database !== undefined
    ? { call: { tool: 'execute_sql', input: { database, sql: 'SELECT count(*) AS n FROM orders' } } }
    : 'As the query says.'
}

let desk: AnalystDesk
beforeEach(async () => {
  desk = await openAnalystDesk(analyst)
  rmSync(join(desk.folder, 'tests'), { recursive: true })
  await makeShop(ownDuckdb(join(desk.folder, 'shop.duckdb')), 'duckdb')
  desk.write(
    'ken.yaml',
    'name: shop\ndatabases:\n  - { name: shop, type: sqlite, path: shop.db }\n  - { name: duck, type: duckdb, path: shop.duckdb }\n',
  )
  await desk.restart()
  await desk.run('sync_sources', {})
  desk.model.requests.length = 0
  desk.write('tests/orders.yaml', CASES)
}, 120_000)
afterEach(() => desk.close())

const apart = (): string[] => readdirSync(join(desk.home, '.ken', 'apart'))
const environment = (): Record<string, string> => ({ ...(desk.environment as Record<string, string>), KEN_UPKEEP: '0' })

/** Runs `ken` in a separate process, without a terminal. */
async function ken(...words: string[]): Promise<{ code: number; out: string; err: string }> {
  const options = { cwd: desk.folder, env: environment(), encoding: 'utf8' } as const
  return promisify(execFile)(process.execPath, [KEN, ...words], options).then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout, err: stderr }),
    ({ code, stdout, stderr }) => ({ code, out: stdout, err: stderr }),
  )
}

describe('concurrently', () => {
  test('four concurrent threads query an SQLite and a DuckDB database', async () => {
    const output = (await desk.run('test_run', { threads: 4, runs: 2 })) as any
    expect(output.cases).toEqual([])
    expect(output.total).toMatchObject({ cases: 8, passed: 8, tries: 16, k: 2 })
    expect(apart()).toEqual([])
  })

  test('two runs and a sync in separate processes do not interfere with each other', async () => {
    const [first, second, synced] = await Promise.all([ken('test', '--json'), ken('test', '--json'), ken('sync')])
    for (const { code, out, err } of [first, second]) {
      expect(code, out + err).toBe(0)
      // Quiet in a pipe: only the answer.
      expect(err).toBe('')
      expect(JSON.parse(out).total).toMatchObject({ cases: 8, passed: 8 })
    }
    expect(synced.code, synced.err).toBe(0)
    const { runs } = (await desk.run('test_runs', {})) as any
    expect(runs.map((run: any) => [run.end, run.total.passed])).toEqual([
      ['complete', 8],
      ['complete', 8],
    ])
    expect(apart()).toEqual([])
    expect((await desk.run('chats_list', {}))['chats']).toEqual([])
    // No result cache that an agent may read contains expected answers.
    const results = join(desk.home, '.ken', 'cache', 'context')
    const kept = readdirSync(results, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'))
    expect(kept.length).toBeGreaterThan(0)
    for (const name of kept) expect(readFileSync(join(results, name), 'utf8')).not.toContain('expected_orders')
  }, 120_000)

  test('a pipe gets one line for a failure, and its exit code', async () => {
    desk.write('tests/orders.yaml', CASES.replace('count(*) AS expected', 'count(*) + 1 AS expected'))
    const failed = await ken('test', 'orders 0')
    expect([failed.code, failed.err]).toEqual([1, ''])
    expect(failed.out).toContain('61 expected  60 found')
    desk.write('tests/orders.yaml', '- name: [torn\n')
    expect((await ken('test')).code).toBe(2)
    rmSync(join(desk.folder, 'tests'), { recursive: true })
    const none = await ken('test', '--json')
    expect(none.code).toBe(3)
  }, 120_000)
})

describe('over HTTP', () => {
  let served: Ken
  let server: HttpServer
  beforeEach(async () => {
    served = openKen(desk.environment, () => {})
    server = await serveHttp({
      operations: OPERATIONS,
      toolsets: ['record', 'data', 'app'],
      version: '0',
      port: 0,
      tokenPath: join(desk.home, 'token'),
      heartbeat: 50,
      context: async (origin) => served.context({ origin, cwd: desk.folder }),
    })
  })
  afterEach(async () => {
    await server.close()
    await served.close()
  })

  const post = (input: object, more: Record<string, string> = {}, signal?: AbortSignal) =>
    fetch(`${server.url}/v1/test_run`, {
      method: 'POST',
      headers: { authorization: `Bearer ${readFileSync(server.tokenPath, 'utf8').trim()}`, ...more },
      body: JSON.stringify(input),
      ...(signal && { signal }),
    })
  const stream = (input: object) => openEvents((signal) => post(input, { accept: 'text/event-stream' }, signal))

  test('progress is sent while it runs, and then the answer', async () => {
    const events = await (await stream({ threads: 2 })).rest()
    const progress = events.filter(({ event }) => event === 'progress').map(({ data }) => data as any)
    expect(progress.length).toBeGreaterThan(0)
    expect(progress.every(({ total }) => total === 8)).toBe(true)
    expect(events.at(-1)).toMatchObject({ event: 'answer', data: { total: { passed: 8 } } })
    // No events of the turns themselves: their state is gone.
    expect(new Set(events.map(({ event }) => event))).toEqual(new Set(['progress', 'answer']))
  })

  test('a client that disconnects stops the run, and it can be resumed', async () => {
    desk.model.reply = (request) => (request.user.includes('asked 2') ? { silence: true } : analyst(request))
    const events = await stream({ threads: 1 })
    await until('the third question', async () => desk.model.requests.some(({ user }) => user.includes('asked 2')))
    events.leave()
    await until('the model let go', async () => desk.model.requests.at(-1)!.aborted)
    const last = async () => ((await desk.run('test_runs', { limit: 1 })) as any).runs[0]
    await until('the run to end', async () => (await last()).end === 'stopped')
    expect(apart()).toEqual([])
    desk.model.reply = analyst
    desk.model.requests.length = 0
    const answer = (await (await post({ threads: 1, resume: true })).json()) as any
    expect(answer.total).toMatchObject({ passed: 8, tries: 8 })
    expect(desk.model.requests.some(({ user }) => /asked [01]\?/.test(user))).toBe(false)
  })

  test('callers cannot make the server read a file, or another folder', async () => {
    writeFileSync(join(desk.folder, 'secret.json'), '{"private": "swordfish"}')
    for (const baseline of ['secret.json', join(desk.folder, 'secret.json'), '/etc/passwd']) {
      const refused = await post({ baseline })
      expect(refused.status).toBeGreaterThanOrEqual(400)
      expect(await refused.text()).not.toContain('swordfish')
    }
    expect((await fetch(`${server.url}/v1/test_run`, { method: 'POST', body: '{}' })).status).toBe(401)
    expect(desk.model.requests).toEqual([])
  })
})
