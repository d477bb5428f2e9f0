import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { MOST_DETAILED, MOST_KEPT, MOST_RUNS, WITHOUT_DETAIL } from '../../src/evaluation/domain/kept-run.ts'
import type { TestAttempt } from '../../src/evaluation/domain/test-run.ts'
import type { EvaluationState } from '../../src/evaluation/ports/evaluation-state.ts'
import { at, attempt, ODD, run, type AnalystStateSubject, ofEverybody } from './analyst-samples.ts'

const full: TestAttempt = attempt(`finance/${ODD}`, {
  tags: ['money', ODD],
  need: 2,
  outcome: 'failed',
  checks: [
    { expects: ODD, passed: true },
    {
      expects: 'the expected table',
      passed: false,
      found: '2 rows',
      difference: {
        reason: '1 of 2 rows differs',
        columns: [
          { expected: 'total', found: 'sum' },
          { expected: 'month', found: null },
        ],
        cells: [{ column: 'total', row: 2, expected: 12.5, found: null }],
        total: 1,
        rows: [{ row: 2, expected: [12.5], found: [null], differs: [0] }],
        missing: 1,
        extra: 0,
        missingRows: [[true, 'x', null]],
        extraRows: [],
      },
    },
  ],
  answer: ODD,
  calls: [{ tool: 'execute_sql', input: '{"sql":"SELECT 1"}', failed: true, result: ODD }],
  usage: { input: 1, output: 2, cached: 3, reasoning: 4 },
})

export function describeTestRuns(name: string, subject: AnalystStateSubject): void {
  describe(`test runs: ${name}`, () => {
    let state: EvaluationState
    beforeEach(async () => {
      state = await subject.open()
    })
    afterEach(() => state.close())
    const ids = async (more: object = {}) =>
      (await state.runs.list({ user: 'ada', project: 'shop', limit: 999, ...more })).map(({ id }) => id)

    test('a run is returned as it was started, and only to its own user', async () => {
      const broken = [{ file: 'a.yaml', line: 3, name: ODD, fault: 'kind: not one of them' }]
      const started = run('r1', { models: ['a:b', 'c:d'], commit: 'abc', runs: 5, planned: 20, broken })
      await state.runs.start(started)
      expect(await state.runs.find('r1', 'ada')).toEqual(started)
      expect(await state.runs.find('r1', 'eve')).toBeUndefined()
      expect(await state.runs.find('r2', 'ada')).toBeUndefined()
      await expect(state.runs.start(run('r1'))).rejects.toMatchObject({ code: 'conflict' })
    })

    test('a run is ended, and continues when it is reopened', async () => {
      await state.runs.start(run('r1'))
      const end = { at: at(5), reason: 'budget' } as const
      await state.runs.end('r1', end)
      expect(await state.runs.find('r1', 'ada')).toEqual(run('r1', { end }))
      await state.runs.reopen('r1')
      expect(await state.runs.find('r1', 'ada')).toEqual(run('r1'))
      for (const gone of [() => state.runs.end('none', end), () => state.runs.reopen('none')])
        await expect(gone()).rejects.toMatchObject({ code: 'not_found' })
    })

    test('runs are listed by user and project, newest first', async () => {
      state = await ofEverybody(subject, state)
      for (const [id, minute] of [
        ['a', 1],
        ['b', 3],
        ['c', 2],
        ['d', 2],
      ] as const)
        await state.runs.start(run(id, { startedAt: at(minute) }))
      await state.runs.start(run('eves', { user: 'eve' }))
      await state.runs.start(run('other', { project: 'other' }))
      expect(await ids()).toEqual(['b', 'd', 'c', 'a'])
      expect(await ids({ limit: 2 })).toEqual(['b', 'd'])
      expect(await ids({ project: 'other' })).toEqual(['other'])
    })

    test('an attempt is returned as it was added', async () => {
      await state.runs.start(run('r1'))
      await state.runs.add(full)
      expect(await state.runs.attempts('r1')).toEqual([full])
      const brief = { ...full, checks: [], prompt: '', answer: '', calls: [] }
      expect(await state.runs.attempts('r1', { brief: true })).toEqual([brief])
      await expect(state.runs.add(attempt('x', { run: 'none' }))).rejects.toMatchObject({ code: 'not_found' })
      expect(await state.runs.attempts('none')).toEqual([])
    })

    test('attempts are ordered by case, model and attempt, regardless of when they were added', async () => {
      await state.runs.start(run('r1'))
      const inOrder = [
        attempt('a', { attempt: 2 }),
        attempt('a', { attempt: 10 }),
        attempt('a', { model: 'z:z' }),
        attempt('b'),
        attempt('\u{1f600}'),
        attempt('\uffee'),
      ]
      await Promise.all(inOrder.toReversed().map((one) => state.runs.add(one)))
      expect(await state.runs.attempts('r1')).toEqual(inOrder)
    })

    test('adding the same case, model and attempt again replaces the attempt', async () => {
      await state.runs.start(run('r1'))
      await state.runs.start(run('r2'))
      await state.runs.add(attempt('a', { outcome: 'broken' }))
      await state.runs.add(attempt('a', { run: 'r2' }))
      await state.runs.add(attempt('a', { answer: 'second' }))
      expect(await state.runs.attempts('r1')).toEqual([attempt('a', { answer: 'second' })])
      expect(await state.runs.attempts('r2')).toHaveLength(1)
    })

    test('long values are cut, and a value that is not JSON becomes text', async () => {
      const long = 'x'.repeat(50_000)
      const rows = Array.from({ length: 100 }, () => Array.from({ length: 100 }, () => long))
      const cells = [10n ** 30n, Number.NaN, Number.NEGATIVE_INFINITY, -0, 'a\0b', '\ud800', true, 0.1]
      const difference = {
        reason: long,
        columns: rows.map(() => ({ expected: long, found: long })),
        cells: [...cells, ...rows.map(() => long)].map((found) => ({ column: long, row: 1, expected: 1, found })),
        total: 108,
        rows: rows.map((expected, row) => ({ row, expected, found: expected, differs: expected.map((_, at) => at) })),
        missing: 100,
        extra: 1,
        missingRows: rows,
        extraRows: [cells],
      }
      const checks = Array.from({ length: 600 }, () => ({ expects: long, passed: false, found: long, difference }))
      const calls = Array.from({ length: 300 }, () => ({ tool: long, input: long, failed: false, result: long }))
      await state.runs.start(run('r1'))
      await state.runs.add(attempt('a', { prompt: long, answer: long, checks, calls }))
      const [kept] = await state.runs.attempts('r1')
      expect(JSON.stringify(kept).length).toBeLessThan(3_000_000)
      expect([kept!.prompt.length, kept!.answer.length, kept!.checks.length, kept!.calls.length]).toEqual([
        MOST_KEPT.text,
        MOST_KEPT.text,
        MOST_KEPT.checks,
        MOST_KEPT.calls,
      ])
      expect(kept!.checks[0]!.difference!.cells.slice(0, 8).map(({ found }) => found)).toEqual([
        '1000000000000000000000000000000',
        'NaN',
        '-Infinity',
        0,
        'a\ufffdb',
        '\ufffd',
        true,
        0.1,
      ])
      expect(kept!.checks[0]!.difference!.total).toBe(108)
    })

    test('stored attempts do not change if the given or returned objects are modified', async () => {
      const given = { ...attempt('a'), tags: ['x'] }
      await state.runs.start(run('r1'))
      await state.runs.add(given)
      given.tags.push('y')
      const [got] = await state.runs.attempts('r1')
      ;(got as { answer: string }).answer = 'changed'
      expect(await state.runs.attempts('r1')).toEqual([attempt('a', { tags: ['x'] })])
    })

    test('the oldest runs of a project are dropped with their attempts to make room for new ones', async () => {
      state = await ofEverybody(subject, state)
      await state.runs.start(run('elsewhere', { project: 'other' }))
      await state.runs.start(run('eves', { user: 'eve' }))
      const numbers = Array.from({ length: MOST_RUNS }, (_, index) => index + 1)
      await Promise.all(numbers.map((number) => state.runs.start(run(`r${number}`, { startedAt: at(number) }))))
      await state.runs.add(attempt('a'))
      await state.runs.add(attempt('a', { run: 'r2' }))
      await state.runs.start(run('last', { startedAt: at(999) }))
      const left = await ids()
      expect([left.length, left[0], left.at(-1)]).toEqual([MOST_RUNS, 'last', 'r2'])
      expect(await state.runs.attempts('r1')).toEqual([])
      expect(await state.runs.attempts('r2')).toHaveLength(1)
      expect(await ids({ project: 'other' })).toEqual(['elsewhere'])
      expect(await ids({ user: 'eve' })).toEqual(['eves'])
    })

    test('older runs keep only the outcome of each attempt', async () => {
      state = await ofEverybody(subject, state)
      const started = Array.from({ length: MOST_DETAILED }, (_, index) =>
        run(`r${index + 1}`, { startedAt: at(index) }),
      )
      for (const one of started.slice(0, 2)) {
        await state.runs.start(one)
        await state.runs.add(attempt('a', { run: one.id }))
      }
      await state.runs.start(run('other', { project: 'other' }))
      await state.runs.add(attempt('a', { run: 'other' }))
      await Promise.all(started.slice(2).map((one) => state.runs.start(one)))
      expect(await state.runs.attempts('r1')).toEqual([attempt('a')])
      await state.runs.start(run('last', { startedAt: at(999) }))
      expect(await state.runs.attempts('r1')).toEqual([{ ...attempt('a'), ...WITHOUT_DETAIL }])
      expect(await state.runs.attempts('r2')).toEqual([attempt('a', { run: 'r2' })])
      expect(await state.runs.attempts('other')).toEqual([attempt('a', { run: 'other' })])
    })

    test('a run is removed with its attempts', async () => {
      await state.runs.start(run('r1'))
      await state.runs.start(run('r2'))
      await state.runs.add(attempt('a'))
      await state.runs.add(attempt('a', { run: 'r2' }))
      await state.runs.remove('r1')
      await state.runs.remove('none')
      expect(await ids()).toEqual(['r2'])
      expect(await state.runs.attempts('r1')).toEqual([])
      expect(await state.runs.attempts('r2')).toHaveLength(1)
    })
  })
}
