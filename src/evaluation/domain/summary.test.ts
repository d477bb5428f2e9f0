import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { attempt, run } from '../../../test/contract/analyst-samples.ts'
import { passAllK, passAtK, summariseRun } from './summary.ts'
import type { Outcome, TestAttempt, TestRun } from './test-run.ts'

const done = (more: Partial<TestRun> = {}) => run('r1', { end: { at: 'z', reason: 'complete' }, ...more })
const tries = (of: string, outcomes: readonly Outcome[], more: Partial<TestAttempt> = {}): TestAttempt[] =>
  outcomes.map((outcome, index) => attempt(of, { attempt: index + 1, outcome, ...more }))
const verdicts = (of: TestRun, attempts: readonly TestAttempt[]) =>
  summariseRun(of, attempts).cases.map(({ case: id, verdict }) => `${id} ${verdict}`)
const counts = fc
  .integer({ min: 1, max: 12 })
  .chain((n) => fc.tuple(fc.constant(n), fc.integer({ min: 0, max: n }), fc.integer({ min: 1, max: n })))

/** Number of ways to pick k of n tries if the first c passed. */
function picks(n: number, c: number, k: number): { any: number; all: number } {
  let [count, any, all] = [0, 0, 0]
  for (let mask = 0; mask < 2 ** n; mask++) {
    const picked = Array.from({ length: n }, (_, i) => i).filter((i) => (mask & (1 << i)) !== 0)
    if (picked.length !== k) continue
    count++
    if (picked.some((i) => i < c)) any++
    if (picked.every((i) => i < c)) all++
  }
  return { any: any / count, all: all / count }
}

describe('pass@k and pass^k', () => {
  test('equal the share of k-subsets in which one passes, or all do', () => {
    fc.assert(
      fc.property(counts, ([n, c, k]) => {
        const { any, all } = picks(n, c, k)
        expect(passAtK(n, c, k)).toBeCloseTo(any, 10)
        expect(passAllK(n, c, k)).toBeCloseTo(all, 10)
      }),
      { numRuns: 60 },
    )
  })

  test('stay between 0 and 1, are equal at k = 1, and diverge as k grows', () => {
    fc.assert(
      fc.property(counts, ([n, c, k]) => {
        expect(passAtK(n, c, 1)).toBeCloseTo(c / n, 10)
        expect(passAllK(n, c, 1)).toBeCloseTo(c / n, 10)
        expect(passAtK(n, c, k)).toBeGreaterThanOrEqual(c / n - 1e-12)
        expect(passAllK(n, c, k)).toBeLessThanOrEqual(c / n + 1e-12)
        for (const rate of [passAtK(n, c, k), passAllK(n, c, k)]) expect(rate >= 0 && rate <= 1).toBe(true)
      }),
    )
  })
})

describe('run summary', () => {
  test('a case passes if the required number of its runs pass', () => {
    const two: Outcome[] = ['passed', 'passed', 'failed']
    expect(
      verdicts(done({ runs: 3 }), [
        ...tries('all', two),
        ...tries('any', ['failed', 'failed', 'passed'], { need: 'any' }),
        ...tries('none', ['failed', 'failed', 'failed'], { need: 'any' }),
        ...tries('three', two, { need: 3 }),
        ...tries('two', two, { need: 2 }),
        ...tries('ten', ['passed', 'passed', 'passed'], { need: 10 }),
      ]),
    ).toEqual(['all failed', 'any passed', 'none failed', 'ten passed', 'three failed', 'two passed'])
  })

  test('a case is broken if it could not be tried and so did not pass', () => {
    expect(
      verdicts(done({ runs: 2 }), [
        ...tries('a', ['passed', 'broken']),
        ...tries('b', ['passed', 'broken'], { need: 'any' }),
      ]),
    ).toEqual(['a broken', 'b passed'])
  })

  test('an interrupted run has only the verdicts that are already certain', () => {
    const attempts = [
      ...tries('a', ['passed']),
      ...tries('b', ['failed']),
      ...tries('c', ['failed'], { need: 'any' }),
      ...tries('d', ['passed'], { need: 'any' }),
    ]
    const stopped = run('r1', { runs: 3, planned: 12, end: { at: 'z', reason: 'stopped' } })
    expect(verdicts(stopped, attempts)).toEqual(['a unfinished', 'b failed', 'c unfinished', 'd passed'])
    expect(summariseRun(stopped, attempts).total).toMatchObject({ unfinished: 2, notRun: 8, tries: 4, passRate: 0.5 })
  })

  test('covers the total and each kind, tag and model', () => {
    const small = tries('a', ['passed', 'failed'], { tags: ['x', 'y', 'x'], need: 'any' })
    const large = tries('a', ['failed', 'failed'], { tags: ['x', 'y', 'x'], need: 'any', model: 'z:large' })
    const search = [
      attempt('b', { kind: 'retrieval', model: '-', usage: { input: 0, output: 0, cached: 0, reasoning: 0 } }),
    ]
    const broken = [{ file: 'a.yaml', line: 1, name: 'x', fault: 'y' }]
    const told = summariseRun(done({ runs: 2, planned: 5, broken }), [...small, ...large, ...search])
    expect(told.total).toMatchObject({
      cases: 3,
      passed: 2,
      failed: 1,
      broken: 1,
      notRun: 0,
      k: 2,
      passAtK: 0.5,
      passAllK: 0,
    })
    expect(told.total.passRate).toBeCloseTo(2 / 3)
    expect(told.total.passAt1).toBeCloseTo(0.5)
    expect(told.total.usage).toEqual({ input: 400, output: 80, cached: 0, reasoning: 0, cost: 0.04 })
    expect(told.total.milliseconds).toBe(6000)
    expect(told.kinds.map(({ name, passed, cases }) => `${name} ${passed}/${cases}`)).toEqual([
      'retrieval 1/1',
      'sql 1/2',
    ])
    expect(told.tags.map(({ name, cases }) => `${name} ${cases}`)).toEqual(['x 2', 'y 2'])
    expect(told.models.map(({ name, passed }) => `${name} ${passed}`)).toEqual(['- 1', 'openai:small 1', 'z:large 0'])
  })

  test('counts tries without a known price, excluding tries without a model', () => {
    const usage = { input: 5, output: 1, cached: 0, reasoning: 0 }
    const free = { input: 0, output: 0, cached: 0, reasoning: 0 }
    const told = summariseRun(done(), [attempt('a'), attempt('b', { usage }), attempt('c', { usage: free })]).total
    expect([told.withoutPrice, told.usage.cost]).toEqual([1, 0.01])
  })

  test('is empty for an empty run', () => {
    expect(summariseRun(done({ planned: 0 }), []).total).toMatchObject({
      cases: 0,
      passRate: null,
      passAt1: null,
      k: 0,
    })
  })

  test('has consistent totals for any outcomes in any order', () => {
    const outcome = fc.constantFrom<Outcome>('passed', 'failed', 'broken')
    const need = fc.constantFrom<TestAttempt['need']>('all', 'any', 1, 2, 9)
    const cases = fc.array(fc.tuple(fc.array(outcome, { minLength: 1, maxLength: 5 }), need), { maxLength: 12 })
    fc.assert(
      fc.property(cases, fc.boolean(), (given, isDone) => {
        const attempts = given.flatMap(([outcomes, one], index) => tries(`c${index}`, outcomes, { need: one }))
        const of = isDone ? done({ planned: attempts.length }) : run('r1', { runs: 3, planned: 99 })
        const told = summariseRun(of, attempts)
        const { cases: all, passed, failed, broken, unfinished } = told.total
        expect(passed + failed + broken + unfinished).toBe(all)
        if (isDone) expect(unfinished).toBe(0)
        expect(all).toBe(given.length)
        expect(told.total.tries + told.total.notRun).toBe(of.planned)
        expect(summariseRun(of, attempts.toReversed()).total).toEqual(told.total)
      }),
    )
  })
})
