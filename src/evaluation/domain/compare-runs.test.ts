import fc from 'fast-check'
import { expect, test } from 'vitest'
import { attempt, run } from '../../../test/contract/analyst-samples.ts'
import { compareRuns, type CaseChange } from './compare-runs.ts'
import { summariseRun, type RunSummary } from './summary.ts'
import type { Outcome, TestAttempt } from './test-run.ts'

type Given = Readonly<Record<string, readonly Outcome[]>>

const summary = (cases: Given, more: Partial<TestAttempt> = {}, id = 'r1'): RunSummary =>
  summariseRun(
    run(id, { end: { at: 'z', reason: 'complete' } }),
    Object.entries(cases).flatMap(([name, outcomes]) =>
      outcomes.map((outcome, index) => attempt(name, { outcome, attempt: index + 1, ...more })),
    ),
  )
const [yes, no, broken] = [['passed'], ['failed'], ['broken']] as const
const ids = (changes: readonly CaseChange[]) => changes.map((one) => one.case)

test('reports a pass that now fails as a regression and a failure that now passes as mended', () => {
  const told = compareRuns(
    summary({ a: no, b: broken, c: yes, d: yes, e: no, fresh: no }),
    summary({ a: yes, b: yes, c: no, d: yes, e: no, old: yes }, {}, 'r0'),
  )
  expect(ids(told.regressions)).toEqual(['a', 'b'])
  expect(ids(told.mended)).toEqual(['c'])
  expect([ids(told.added), ids(told.gone), told.unchanged]).toEqual([['fresh'], ['old'], 2])
  expect(told.before.id).toBe('r0')
  expect([told.was.passed, told.now.passed, told.now.cases]).toEqual([3, 2, 5])
})

test('a case of several runs is a regression if it no longer passes as many as it needs', () => {
  const was = { a: ['passed', 'passed', 'failed'], b: ['passed', 'passed', 'passed'] } as const
  const now = { a: ['passed', 'failed', 'failed'], b: ['passed', 'passed', 'failed'] } as const
  const told = compareRuns(summary(now, { need: 2 }), summary(was, { need: 2 }))
  expect(told.regressions).toEqual([
    {
      case: 'a',
      name: 'a',
      file: 'finance.yaml',
      model: 'openai:small',
      edited: false,
      was: { verdict: 'passed', passes: 2, tries: 3 },
      now: { verdict: 'failed', passes: 1, tries: 3 },
    },
  ])
  expect(ids(told.shifted)).toEqual(['b'])
})

test('does not report a change if the pass rate is the same over more runs', () => {
  const told = compareRuns(
    summary({ a: ['passed', 'failed', 'passed', 'failed'] }, { need: 'any' }),
    summary({ a: ['passed', 'failed'] }, { need: 'any' }),
  )
  expect([ids(told.shifted), told.unchanged]).toEqual([[], 1])
})

test('an edited case is compared and marked as edited', () => {
  const told = compareRuns(summary({ a: no }, { hash: 'h2' }), summary({ a: yes }))
  expect(told.regressions.map(({ edited }) => edited)).toEqual([true])
})

test('does not report a case as gone if it was merely not selected', () => {
  const told = compareRuns(summary({ a: yes }), summary({ a: yes, b: yes, c: yes }), new Set(['a', 'b']))
  expect(ids(told.gone)).toEqual(['c'])
})

test('compares two different models with each other, or each of several models with itself', () => {
  const other = { model: 'z:large' }
  expect(ids(compareRuns(summary({ a: no }, other), summary({ a: yes })).regressions)).toEqual(['a'])
  const both = (small: Given, large: Given): RunSummary =>
    summariseRun(
      run('r1', { end: { at: 'z', reason: 'complete' } }),
      [...summary(small).cases, ...summary(large, other).cases].flatMap(({ attempts }) => attempts),
    )
  const told = compareRuns(both({ a: no }, { a: yes }), both({ a: yes }, { a: no }))
  expect([told.regressions.map(({ model }) => model), told.mended.map(({ model }) => model)]).toEqual([
    ['openai:small'],
    ['z:large'],
  ])
  const more = compareRuns(both({ a: no }, { a: no }), summary({ a: yes }))
  expect([ids(more.regressions), more.added.map(({ model }) => model)]).toEqual([['a'], ['z:large']])
})

test('every case of both runs is reported once', () => {
  const outcomes = fc.array(fc.constantFrom<Outcome>('passed', 'failed', 'broken'), { minLength: 1, maxLength: 3 })
  const cases = fc.dictionary(fc.constantFrom(...'abcdefgh'), outcomes, { noNullPrototype: true })
  fc.assert(
    fc.property(cases, cases, (now, was) => {
      const told = compareRuns(summary(now), summary(was))
      const { regressions, mended, shifted, added, gone, unchanged } = told
      const all = regressions.length + mended.length + shifted.length + added.length + unchanged
      expect(all).toBe(Object.keys(now).length)
      expect(gone.length + all - added.length).toBe(Object.keys(was).length)
      const same = compareRuns(summary(now), summary(now))
      expect([same.unchanged, same.regressions, same.gone]).toEqual([Object.keys(now).length, [], []])
      const back = compareRuns(summary(was), summary(now))
      expect(ids(back.gone)).toEqual(ids(added))
    }),
  )
})
