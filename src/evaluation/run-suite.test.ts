import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NO_USAGE } from '../kernel/domain/model-usage.ts'
import { readCases } from './domain/read-cases.ts'
import type { FoundCase, TestAttempt, TestRun } from './domain/test-run.ts'
import { doneBefore, planSuite, runSuite, type SuiteDesk } from './run-suite.ts'

const RUN: TestRun = {
  id: 'run',
  user: 'local',
  project: 'p',
  folder: 'tests',
  startedAt: '2026-01-01T00:00:00.000Z',
  models: ['a:b'],
  runs: 1,
  suite: 's',
  planned: 0,
  version: '0',
  broken: [],
}

const cases = (count: number, more = ''): readonly FoundCase[] =>
  readCases(
    'a.yaml',
    Array.from({ length: count }, (_, i) => `- { name: c${i}, prompt: x, assert: [{ contains: y }]${more} }`).join(
      '\n',
    ),
  ).cases

function desk(more: Partial<SuiteDesk> = {}): SuiteDesk & { kept: TestAttempt[]; ends: string[] } {
  const kept: TestAttempt[] = []
  const ends: string[] = []
  return {
    kept,
    ends,
    runs: { add: async (one) => void kept.push(one), end: async (_run, { reason }) => void ends.push(reason) },
    signal: undefined,
    threads: 4,
    maxCost: undefined,
    now: () => '2026-01-01T00:00:00.000Z',
    attempt: async () => ({
      outcome: 'passed',
      checks: [],
      prompt: 'x',
      answer: 'y',
      calls: [],
      usage: { ...NO_USAGE, cost: 0.1 },
      milliseconds: 1,
    }),
    progress: () => {},
    ...more,
  }
}

describe('test suite', () => {
  test('tries every case once with every model before trying any case a second time', () => {
    const planned = planSuite(cases(2), { models: ['m', 'n'], runs: 2 })
    expect(planned.map(({ found, model, attempt }) => `${found.test.name} ${model} ${attempt}`)).toEqual([
      'c0 m 1',
      'c1 m 1',
      'c0 n 1',
      'c1 n 1',
      'c0 m 2',
      'c1 m 2',
      'c0 n 2',
      'c1 n 2',
    ])
  })

  test('uses no model for cases about Ken itself, however many models are named', () => {
    const found = readCases('a.yaml', 'query: x\nwanted: [D1]').cases
    expect(planSuite(found, { models: ['m', 'n'], runs: undefined })).toMatchObject([{ model: '-' }])
  })

  test('runs at most as many tries at once as there are threads', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 0, max: 30 }), async (threads, count) => {
        let [now, most] = [0, 0]
        const at = desk({
          threads,
          async attempt(...given) {
            most = Math.max(most, ++now)
            await new Promise((resolve) => setImmediate(resolve))
            now--
            return desk().attempt(...given)
          },
        })
        const planned = planSuite(cases(count), { models: ['m'], runs: 1 })
        const { attempts, end } = await runSuite(RUN, planned, [], at)
        expect(end).toBe('complete')
        expect(attempts.map((one) => one.case).sort()).toEqual(planned.map(({ found }) => found.id).sort())
        expect(most).toBe(Math.min(threads, count))
      }),
      { numRuns: 40 },
    )
  })

  test('starts no try once the budget is used up, and limits a turn to the remaining budget', async () => {
    const lefts: (number | undefined)[] = []
    const at = desk({
      threads: 1,
      maxCost: 0.25,
      attempt: (planned, left) => (lefts.push(left), desk().attempt(planned, left)),
    })
    const { attempts, end } = await runSuite(RUN, planSuite(cases(9), { models: ['m'], runs: 1 }), [], at)
    expect([attempts.length, end]).toEqual([3, 'budget'])
    expect(lefts.map((left) => left!.toFixed(2))).toEqual(['0.25', '0.15', '0.05'])
  })

  test('a try that exceeds the remaining budget ends the run, and is repeated on resume', async () => {
    const planned = planSuite(cases(9), { models: ['m'], runs: 1 })
    const short = planned[3]!.found.id
    const at = desk({
      threads: 2,
      maxCost: 1,
      attempt: async (one, left) => (one.found.id === short ? undefined : desk().attempt(one, left)),
    })
    const { attempts, end } = await runSuite(RUN, planned, [], at)
    expect(end).toBe('budget')
    expect(attempts.map((one) => one.case)).not.toContain(short)
    expect(doneBefore(planned, at.kept).left.map(({ found }) => found.id)).toContain(short)
    expect(attempts.length).toBeLessThan(8)
  })

  test('ends the run at a non-local model of unknown price if a budget is set', async () => {
    const unpriced = desk({
      threads: 1,
      maxCost: 1,
      attempt: async (...given) => ({
        ...(await desk().attempt(...given))!,
        usage: { ...NO_USAGE, input: 10 },
      }),
    })
    const run = (model: string) => runSuite(RUN, planSuite(cases(3), { models: [model], runs: 1 }), [], unpriced)
    expect((await run('compatible:x')).attempts).toHaveLength(1)
    expect((await run('ollama:x')).attempts).toHaveLength(3)
  })

  test('keeps finished tries when stopped, and resumes with the rest', async () => {
    const stop = new AbortController()
    const planned = planSuite(cases(9), { models: ['m'], runs: 1 })
    const at = desk({ threads: 2, signal: stop.signal, progress: (_made, done) => done === 4 && stop.abort() })
    const { end } = await runSuite(RUN, planned, [], at)
    expect([end, at.ends]).toEqual(['stopped', ['stopped']])
    const { kept, left } = doneBefore(planned, at.kept)
    expect(kept.length + left.length).toBe(9)
    const again = desk()
    const { attempts } = await runSuite(RUN, left, kept, again)
    expect(attempts).toHaveLength(9)
    expect(again.kept).toHaveLength(left.length)
  })

  test('does not count a try of a case that changed since', () => {
    const before = cases(1).map(({ id }) => ({ case: id, hash: 'other', model: 'm', attempt: 1 }) as TestAttempt)
    expect(doneBefore(planSuite(cases(1), { models: ['m'], runs: 1 }), before)).toMatchObject({
      kept: [],
      left: [{ attempt: 1 }],
    })
  })

  test('ends with the error if results can no longer be stored', async () => {
    const full = new Error('the disk is full')
    const at = desk()
    const broken = { ...at, runs: { ...at.runs, add: () => Promise.reject(full) } }
    await expect(runSuite(RUN, planSuite(cases(9), { models: ['m'], runs: 1 }), [], broken)).rejects.toBe(full)
  })
})
