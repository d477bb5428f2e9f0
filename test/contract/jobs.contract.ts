import { beforeEach, describe, expect, test } from 'vitest'
import { MOST_TRIES, pauseAfter, type JobKind, type NewJob, type TakenJob } from '../../src/kernel/domain/jobs/job.ts'
import { MOST_JOBS_AT_ONCE } from '../../src/kernel/domain/jobs/new-jobs.ts'
import type { Clock } from '../../src/kernel/ports/clock.ts'
import type { Jobs } from '../../src/kernel/ports/jobs.ts'

const LEASE = 60_000
const [SHOP, BAKERY] = ['01JQSHOP000000000000000000', '01JQBAKERY0000000000000000']

/** Contract of src/kernel/ports/jobs.ts. `open` returns an empty queue that uses the given clock. */
export function describeJobs(name: string, open: (clock: Pick<Clock, 'now' | 'ulid'>) => Promise<Jobs>): void {
  describe(`jobs: ${name}`, () => {
    let jobs: Jobs
    let time: number
    beforeEach(async () => {
      time = Date.parse('2026-05-01T10:00:00Z')
      let ids = 0
      jobs = await open({
        now: () => new Date(time),
        ulid: () => `01JQ${String(++ids).padStart(22, '0')}`,
      })
    })
    const at = (milliseconds: number) => new Date(time + milliseconds).toISOString()
    const embed = (payload: unknown, more: Partial<NewJob> = {}): NewJob => ({ kind: 'embedding', payload, ...more })
    const take = (most = 1, kinds: readonly JobKind[] = ['embedding']) => jobs.take({ kinds, most, lease: LEASE })
    const takeOne = async (): Promise<TakenJob> => {
      const taken = await take()
      expect(taken).toHaveLength(1)
      return taken[0]!
    }
    const listed = async (query: Partial<Parameters<Jobs['list']>[0]> = {}) => jobs.list({ limit: 100, ...query })

    test('a job is claimed as it was queued, by one worker', async () => {
      const payload = { text: 'O’Hara \\ "x" \0 \ud800 😀', list: [1, null, { deep: true }] }
      await jobs.put(SHOP, [embed(payload)])
      const job = await takeOne()
      expect(job).toMatchObject({ project: SHOP, kind: 'embedding', payload, tries: 1 })
      expect(await take()).toEqual([])
      expect(await listed()).toEqual([
        { project: SHOP, id: job.id, kind: 'embedding', state: 'running', tries: 1, putAt: at(0), dueAt: at(LEASE) },
      ])
      expect(await jobs.done(job)).toBe(true)
      expect(await jobs.done(job)).toBe(false)
      expect(await listed()).toEqual([])
    })

    test('a job waits until it is due', async () => {
      await jobs.put(SHOP, [embed('later', { runAt: at(5_000) }), embed('now')])
      expect((await take(9)).map(({ payload }) => payload)).toEqual(['now'])
      time += 4_999
      expect(await take(9)).toEqual([])
      time += 1
      expect((await take(9)).map(({ payload }) => payload)).toEqual(['later'])
    })

    test('a worker gets only the kinds of jobs that it requests', async () => {
      await jobs.put(SHOP, [embed(1), { kind: 'story-refresh', payload: 2 }])
      expect((await take(9, ['story-refresh', 'context-pull'])).map(({ kind }) => kind)).toEqual(['story-refresh'])
      expect(await take(9, ['context-pull'])).toEqual([])
      expect(await take(9, [])).toEqual([])
    })

    test('the same job is queued once, with the newer payload and the earlier time', async () => {
      await jobs.put(SHOP, [embed(1, { key: 'k', runAt: at(9_000) }), embed(2, { key: 'k', runAt: at(7_000) })])
      await jobs.put(SHOP, [embed(3, { key: 'k', runAt: at(8_000) })])
      await jobs.put(SHOP, [embed(4, { key: 'other' }), { kind: 'story-refresh', payload: 5, key: 'k' }])
      await jobs.put(BAKERY, [embed(6, { key: 'k' })])
      expect((await listed()).map(({ kind, key, dueAt, project }) => [project, kind, key, dueAt])).toEqual([
        [BAKERY, 'embedding', 'k', at(0)],
        [SHOP, 'embedding', 'other', at(0)],
        [SHOP, 'story-refresh', 'k', at(0)],
        [SHOP, 'embedding', 'k', at(7_000)],
      ])
      time += 7_000
      expect((await take(9)).map(({ payload }) => payload).toSorted()).toEqual([3, 4, 6])
    })

    test('a job queued while the same job runs is run once more afterwards, never concurrently', async () => {
      await jobs.put(SHOP, [embed('old', { key: 'k' })])
      const first = await takeOne()
      for (const payload of ['new', 'newest']) await jobs.put(SHOP, [embed(payload, { key: 'k' })])
      expect(await take(9)).toEqual([])
      expect(await jobs.done(first)).toBe(true)
      const second = await takeOne()
      expect(second).toMatchObject({ payload: 'newest', tries: 1 })
      expect(await jobs.done(first)).toBe(false)
      expect(await jobs.done(second)).toBe(true)
      expect(await take(9)).toEqual([])
    })

    test('a worker that died loses its job to another worker, and can no longer settle it', async () => {
      await jobs.put(SHOP, [embed(1)])
      const lost = await takeOne()
      time += LEASE - 1
      expect(await take()).toEqual([])
      time += 1
      const job = await takeOne()
      expect(job).toMatchObject({ id: lost.id, tries: 2 })
      expect(await jobs.keep([lost, job], LEASE)).toEqual([job])
      expect(await jobs.failed(lost, { reason: 'late' })).toEqual({ next: 'lost' })
      expect(await jobs.done(lost)).toBe(false)
      expect(await jobs.done(job)).toBe(true)
    })

    test('a job with a renewed lease stays with its worker, and so does an expired one that no worker claimed', async () => {
      await jobs.put(SHOP, [embed(1), embed(2)])
      const [one, two] = await take(2)
      time += LEASE - 1
      expect(await jobs.keep([one!], LEASE)).toEqual([one])
      time += LEASE - 1
      expect(await take(9)).toMatchObject([{ id: two!.id }])
      time += 1
      expect(await jobs.done(one!)).toBe(true)
    })

    test('a failing job is retried after growing pauses, then set aside with its reason', async () => {
      await jobs.put(SHOP, [embed('bad', { key: 'k' })])
      const pauses: number[] = []
      for (let tries = 1; tries < MOST_TRIES; tries++) {
        const job = await takeOne()
        expect(job.tries).toBe(tries)
        expect(await jobs.failed(job, { reason: `no ${tries}` })).toEqual({
          next: 'again',
          dueAt: at(pauseAfter(tries)),
        })
        // Queuing it again does not shorten the pause.
        await jobs.put(SHOP, [embed('bad', { key: 'k' })])
        time += pauseAfter(tries) - 1
        expect(await take()).toEqual([])
        time += 1
        pauses.push(pauseAfter(tries))
      }
      expect(pauses.slice(0, 5)).toEqual(pauses.slice(0, 5).toSorted((a, b) => a - b))
      expect(new Set(pauses.slice(0, 5)).size).toBe(5)
      expect(await jobs.failed(await takeOne(), { reason: `at last\0${'x'.repeat(9_000)}` })).toEqual({
        next: 'given up',
      })
      time += 1e9
      expect(await take()).toEqual([])
      const [aside] = await listed({ state: 'given up' })
      expect(aside).toMatchObject({ key: 'k', tries: MOST_TRIES, reason: expect.stringMatching(/^at lastx{1000}/) })
      expect(aside!.reason!.length).toBeLessThanOrEqual(2_000)
      // A job that was set aside does not block the next one with its key.
      await jobs.put(SHOP, [embed('good', { key: 'k' })])
      expect(await takeOne()).toMatchObject({ payload: 'good', tries: 1 })
    })

    test('a job that kills every worker is also set aside', async () => {
      await jobs.put(SHOP, [embed('poison')])
      for (let tries = 1; tries <= MOST_TRIES; tries++) {
        expect((await takeOne()).tries).toBe(tries)
        time += LEASE
      }
      expect(await take()).toEqual([])
      expect(await listed({ state: 'given up' })).toMatchObject([{ reason: expect.stringContaining('gone') }])
    })

    test('a job queued under the key of a job that fails or dies in its last try starts from the first try', async () => {
      await jobs.put(SHOP, [embed('old', { key: 'k' })])
      for (let tries = 1; tries < MOST_TRIES; tries++) {
        await takeOne()
        time += LEASE
      }
      const last = await takeOne()
      await jobs.put(SHOP, [embed('new', { key: 'k' })])
      expect(await jobs.failed(last, { reason: 'no' })).toEqual({ next: 'again', dueAt: at(pauseAfter(MOST_TRIES)) })
      time += pauseAfter(MOST_TRIES)
      for (let tries = 1; tries < MOST_TRIES; tries++) {
        expect(await takeOne()).toMatchObject({ payload: 'new', tries })
        time += LEASE
      }
      await takeOne()
      await jobs.put(SHOP, [embed('newest', { key: 'k' })])
      time += LEASE
      expect(await takeOne()).toMatchObject({ payload: 'newest', tries: 1 })
    })

    test('a stopped job is due at once, and the try does not count', async () => {
      await jobs.put(SHOP, [embed(1)])
      const stopped = await takeOne()
      expect(await jobs.failed(stopped, { reason: 'the server stops', stopped: true })).toEqual({
        next: 'again',
        dueAt: at(0),
      })
      expect(await takeOne()).toMatchObject({ id: stopped.id, tries: 1 })
    })

    test('projects take turns: ten thousand jobs of one project do not starve another', async () => {
      for (let batch = 0; batch < 10; batch++)
        await jobs.put(
          SHOP,
          Array.from({ length: 1_000 }, (_, n) => embed(batch * 1_000 + n)),
        )
      expect(await take()).toMatchObject([{ project: SHOP }])
      time += 1
      await jobs.put(BAKERY, [embed('a'), embed('b'), embed('c')])
      const order: string[] = []
      for (let n = 0; n < 7; n++) order.push((await takeOne()).project)
      expect(order).toEqual([BAKERY, SHOP, BAKERY, SHOP, BAKERY, SHOP, SHOP])
      await jobs.put(BAKERY, [embed('d'), embed('e'), embed('f')])
      const shares = (await take(4)).map(({ project }) => project)
      expect(shares.toSorted()).toEqual([BAKERY, BAKERY, SHOP, SHOP])
      // A project that was never served comes before both.
      await jobs.put('01JQZOO0000000000000000000', [embed('g')])
      expect(await take()).toMatchObject([{ payload: 'g' }])
    })

    test('many concurrent workers claim every job once', async () => {
      for (const project of [SHOP, BAKERY])
        await jobs.put(
          project,
          Array.from({ length: 100 }, (_, n) => embed(`${project} ${n}`)),
        )
      const taken: TakenJob[] = []
      await Promise.all(
        Array.from({ length: 8 }, async () => {
          for (let some = await take(3); some.length > 0; some = await take(3)) taken.push(...some)
        }),
      )
      expect(new Set(taken.map(({ payload }) => payload)).size).toBe(200)
      expect(taken).toHaveLength(200)
      expect(new Set(taken.map(({ lease }) => lease)).size).toBe(200)
    })

    test('jobs are listed by project and state, and dropped only by their project', async () => {
      await jobs.put(SHOP, [embed(1), embed(2, { runAt: at(1) })])
      await jobs.put(BAKERY, [embed(3)])
      const running = (await take(9)).find(({ project }) => project === SHOP)!
      expect((await listed({ project: SHOP })).map(({ state }) => state).toSorted()).toEqual(['running', 'waiting'])
      const [waiting] = await listed({ state: 'waiting' })
      expect(waiting).toMatchObject({ project: SHOP, dueAt: at(1), tries: 0 })
      expect(await listed({ limit: 2 })).toHaveLength(2)
      expect(await jobs.drop(BAKERY, waiting!.id)).toBe(false)
      expect(await jobs.drop(SHOP, waiting!.id)).toBe(true)
      expect(await jobs.drop(SHOP, waiting!.id)).toBe(false)
      expect(await jobs.drop(SHOP, running.id)).toBe(true)
      expect(await jobs.keep([running], LEASE)).toEqual([])
      expect((await listed()).map(({ project }) => project)).toEqual([BAKERY])
    })

    test('invalid jobs are refused, and none of the batch is queued', async () => {
      for (const bad of [
        embed('x'.repeat(1_000_001)),
        embed(1, { key: '' }),
        embed(1, { key: 'a\0b' }),
        embed(1, { key: 'k'.repeat(201) }),
        embed(1, { runAt: 'tomorrow' }),
        { kind: 'toString' as JobKind, payload: 1 },
      ])
        await expect(jobs.put(SHOP, [embed('good'), bad])).rejects.toMatchObject({ code: 'invalid_input' })
      const many = Array.from({ length: MOST_JOBS_AT_ONCE + 1 }, () => embed(1))
      await expect(jobs.put(SHOP, many)).rejects.toMatchObject({ code: 'invalid_input' })
      await jobs.put(SHOP, [])
      expect(await listed()).toEqual([])
    })

    test('a waiting worker wakes when a job is queued, returned or due again', async () => {
      const heard: (string | undefined)[] = []
      const subscription = await jobs.listen((kind) => heard.push(kind))
      const kinds = () => heard.filter((kind) => kind !== undefined)
      await jobs.put(SHOP, [embed(1, { key: 'k' }), { kind: 'story-refresh', payload: 2 }])
      await expect.poll(() => kinds().toSorted()).toEqual(['embedding', 'story-refresh'])
      await jobs.failed(await takeOne(), { reason: 'stop', stopped: true })
      await expect.poll(() => kinds().length).toBe(3)
      const job = await takeOne()
      await jobs.put(SHOP, [embed(2, { key: 'k' })])
      await jobs.done(job)
      await expect.poll(() => kinds().length).toBe(5)
      await subscription.close()
    })
  })
}
