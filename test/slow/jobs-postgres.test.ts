import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openPostgresDatabase } from '../../src/database/postgres/index.ts'
import { migrate } from '../../src/database/schema/migrate.ts'
import type { SqlDatabase } from '../../src/kernel/ports/sql-database.ts'
import { openPostgresJobs } from '../../src/team/jobs/postgres/index.ts'
import { newDatabase, type OwnDatabase } from '../postgres/run-server.ts'

const WORKER = join(import.meta.dirname, '../postgres/job-worker.ts')
const JOBS = 500
let server: OwnDatabase
let url: string
let database: SqlDatabase
beforeAll(async () => {
  server = await newDatabase()
  url = server.url
  database = await openPostgresDatabase({ url })
  await migrate(database, { clock: { now: () => new Date() } })
})
afterAll(async () => {
  await database?.close()
  await server?.stop()
})
const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})
const empty = () => database.transaction('server', (sql) => sql.query('TRUNCATE ken.jobs, ken.job_turns'))

test('three workers, one killed every second: every job is done, and none by two at the same time', async () => {
  await empty()
  await database.transaction('server', (sql) =>
    sql.query('CREATE TABLE runs (job text, worker text, began timestamptz, ended timestamptz)'),
  )
  const jobs = openPostgresJobs(database, { clock: { ulid: () => crypto.randomUUID() } })
  const names = Array.from({ length: JOBS }, (_, n) => `job ${n}`)
  for (const [n, project] of ['a', 'b', 'c'].entries())
    await jobs.put(
      project,
      names.filter((_, at) => at % 3 === n).map((payload) => ({ kind: 'embedding', payload })),
    )
  const workers = await Promise.all([1, 2, 3].map((n) => startWorker(`worker ${n}`)))
  const killed = new Map<string, string>()
  for (let round = 1; round <= 5; round++) {
    await setTimeout(1_000)
    const gone = workers.shift()!
    killed.set(gone.name, await timeOfServer())
    await gone.end('SIGKILL')
    workers.push(await startWorker(`worker ${round + 3}`))
  }
  await expect.poll(() => jobs.list({ limit: 1_000 }), { timeout: 120_000, interval: 250 }).toEqual([])
  for (const worker of workers) expect(await worker.end('SIGTERM')).toEqual({ code: 0, err: '' })

  const runs = await database.transaction('server', (sql) =>
    sql.query<{ job: string; worker: string; began: string; ended: string | null }>(
      'SELECT * FROM runs ORDER BY began',
    ),
  )
  const finished = new Set(runs.filter(({ ended }) => ended !== null).map(({ job }) => job))
  expect(names.filter((job) => !finished.has(job))).toEqual([])
  // Interrupted runs are the reason for this test; each of them was restarted.
  const cut = runs.filter(({ ended }) => ended === null)
  expect(cut.length).toBeGreaterThan(0)
  expect(cut.filter(({ worker }) => !killed.has(worker))).toEqual([])
  const together = [...Map.groupBy(runs, ({ job }) => job).values()].flatMap((tries) =>
    tries.slice(1).filter(({ began }, before) => began < (tries[before]!.ended ?? killed.get(tries[before]!.worker)!)),
  )
  expect(together).toEqual([])
})

const timeOfServer = async (): Promise<string> =>
  (await database.transaction('server', (sql) => sql.query<{ at: string }>('SELECT clock_timestamp() AS at')))[0]!.at

async function startWorker(name: string) {
  const child = spawn(process.execPath, [WORKER, url, name], { stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  let err = ''
  child.stderr.on('data', (data: Buffer) => (err += String(data)))
  const closed = once(child, 'close')
  await Promise.race([
    once(child.stdout, 'data'),
    closed.then(() => Promise.reject(new Error(`The worker ended by itself: ${err}`))),
  ])
  return {
    name,
    async end(signal: NodeJS.Signals): Promise<{ code: unknown; err: string }> {
      child.kill(signal)
      const [code] = (await closed) as [unknown]
      return { code, err }
    },
  }
}
