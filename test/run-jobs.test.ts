import { beforeEach, expect, test } from 'vitest'
import { runJobs, type JobEvent, type JobHandler, type JobWorkerOptions } from '../src/app/run-jobs.ts'
import { workForTeam } from '../src/app/team/team-jobs.ts'
import { AppError } from '../src/kernel/domain/errors.ts'
import type { NewJob } from '../src/kernel/domain/jobs/job.ts'
import type { Jobs } from '../src/kernel/ports/jobs.ts'
import { openMemoryJobs } from './memory-jobs.ts'

const NEVER = 3_600_000
const PROJECT = '01JQSHOP000000000000000000'
let jobs: Jobs
let told: JobEvent[]
beforeEach(() => {
  let ids = 0
  jobs = openMemoryJobs({ now: () => new Date(), ulid: () => String(++ids).padStart(26, '0') })
  told = []
})
const embed = (payload: unknown, more: Partial<NewJob> = {}): NewJob => ({ kind: 'embedding', payload, ...more })
const work = (embedding: JobHandler, more: Partial<JobWorkerOptions> = {}) =>
  runJobs({ jobs, handlers: { embedding }, concurrency: 2, poll: NEVER, tell: (event) => told.push(event), ...more })
const events = (name: JobEvent['event']) => told.filter(({ event }) => event === name)
const left = () => jobs.list({ limit: 100 })
/** Ends when released or aborted. */
const untilStopped: JobHandler = (_, signal) =>
  new Promise((_end, fail) => signal.addEventListener('abort', () => fail(new Error('cut off'))))

test('jobs run in parallel up to the limit, and new ones start without polling', async () => {
  let [now, most] = [0, 0]
  await jobs.put(
    PROJECT,
    Array.from({ length: 10 }, (_, n) => embed(n)),
  )
  const worker = await work(async () => {
    most = Math.max(most, ++now)
    await new Promise((passed) => setTimeout(passed, 5))
    now--
  })
  await expect.poll(() => events('done').length).toBe(10)
  await jobs.put(PROJECT, [embed('later'), { kind: 'story-refresh', payload: 'not this worker’s' }])
  await expect.poll(() => events('done').length).toBe(11)
  await worker.stop()
  expect(most).toBe(2)
  expect((await left()).map(({ kind, state }) => [kind, state])).toEqual([['story-refresh', 'waiting']])
})

test('repository hosts that do not answer do not delay a team’s other work', async () => {
  const pull = { kind: 'context-pull', key: 'context', payload: {} } as const
  for (const project of ['A', 'B', 'C']) await jobs.put(project.repeat(26), [pull])
  const answer = Promise.withResolvers<void>()
  const handlers = { 'context-pull': () => answer.promise, embedding: async () => undefined }
  const worker = await workForTeam({ jobs, handlers, due: async () => undefined }, (event) => told.push(event), NEVER)
  await expect.poll(() => events('taken').length).toBe(2)
  await jobs.put(PROJECT, [embed(1)])
  await expect.poll(() => events('done').length).toBe(1)
  answer.resolve()
  await worker.stop()
})

test('a job that becomes due is found by polling', async () => {
  await jobs.put(PROJECT, [embed(1, { runAt: new Date(Date.now() + 100).toISOString() })])
  const worker = await work(async () => undefined, { poll: 20 })
  await expect.poll(() => events('done').length).toBe(1)
  await worker.stop()
})

test('stopping waits for running jobs and takes no new ones', async () => {
  await jobs.put(PROJECT, [embed(1), embed(2), embed(3)])
  const end = Promise.withResolvers<void>()
  const worker = await work(() => end.promise)
  await expect.poll(() => events('taken').length).toBe(2)
  const stopping = worker.stop()
  end.resolve()
  await Promise.all([stopping, worker.stop()])
  expect(events('done')).toHaveLength(2)
  expect(await left()).toMatchObject([{ state: 'waiting', tries: 0 }])
})

test('a job that exceeds the grace period is aborted, released, and taken by another worker at once', async () => {
  await jobs.put(PROJECT, [embed(1)])
  const first = await work(untilStopped, { grace: 10 })
  await expect.poll(() => events('taken').length).toBe(1)
  await first.stop()
  expect(events('stopped')).toHaveLength(1)
  expect(await left()).toMatchObject([{ state: 'waiting', tries: 0 }])
  const second = await work(async () => undefined)
  await expect.poll(() => events('done').length).toBe(1)
  await second.stop()
})

test('a failed job is retried later with its reason, without secrets; the worker continues', async () => {
  await jobs.put(PROJECT, [embed('bad'), embed('sudden'), embed('good')])
  const worker = await work(({ payload }) => {
    if (payload === 'sudden') throw new AppError('unavailable', 'The source is away.')
    return payload === 'bad'
      ? Promise.reject(new Error('refused ghp_16C7e42F292c6912E7710c838347Ae178B4a'))
      : Promise.resolve()
  })
  await expect.poll(() => events('done').length + events('failed').length).toBe(3)
  await worker.stop()
  const reasons = (await left()).map(({ reason, state, tries }) => ({ reason, state, tries }))
  expect(reasons.toSorted((a, b) => (a.reason! < b.reason! ? -1 : 1))).toEqual([
    { reason: 'The source is away.', state: 'waiting', tries: 1 },
    { reason: expect.stringMatching(/^refused (?!.*16C7e42F)/), state: 'waiting', tries: 1 },
  ])
})

test('the lease of a job is renewed while it runs', async () => {
  let kept = 0
  const end = Promise.withResolvers<void>()
  const counting: Jobs = {
    ...jobs,
    keep: async (held, lease) => {
      const still = await jobs.keep(held, lease)
      if (++kept === 3) end.resolve()
      return still
    },
  }
  await jobs.put(PROJECT, [embed(1)])
  const worker = await work(() => end.promise, { jobs: counting, lease: 1_000 })
  await expect.poll(() => events('done').length).toBe(1)
  await worker.stop()
  expect(events('taken')).toHaveLength(1)
})

test('a job the worker has lost is aborted, and the worker reports nothing about it to the queue', async () => {
  await jobs.put(PROJECT, [embed(1)])
  const worker = await work(untilStopped, { lease: 400 })
  await expect.poll(() => events('taken').length).toBe(1)
  await jobs.drop(PROJECT, (await left())[0]!.id)
  await expect.poll(() => events('lost').length).toBe(1)
  await worker.stop()
  expect(await left()).toEqual([])
})

test('a worker that cannot reach the queue stops its jobs when their lease ends', async () => {
  await jobs.put(PROJECT, [embed(1)])
  const away: Jobs = { ...jobs, keep: () => Promise.reject(new AppError('unavailable', 'The database is away.')) }
  const worker = await work(untilStopped, { jobs: away, lease: 200 })
  await expect.poll(() => events('stopped').length).toBe(1)
  expect(told).toContainEqual({ event: 'trouble', reason: 'The database is away.' })
  await worker.stop()
})

test('an unavailable queue loses nothing: claiming and settling are retried', async () => {
  await jobs.put(PROJECT, [embed(1)])
  const faults = { take: 1, done: 1 }
  const shaky: Jobs = {
    ...jobs,
    take: (wanted) => (faults.take-- > 0 ? away() : jobs.take(wanted)),
    done: (job) => (faults.done-- > 0 ? away() : jobs.done(job)),
  }
  const away = () => Promise.reject(new AppError('unavailable', 'The database is away.'))
  const worker = await work(async () => undefined, { jobs: shaky, poll: 10 })
  await expect.poll(() => events('done').length).toBe(1)
  await worker.stop()
  expect(await left()).toEqual([])
})
