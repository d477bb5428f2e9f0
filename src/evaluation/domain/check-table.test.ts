import { expect, test } from 'vitest'
import type { Cell } from '../../context/domain/sql/query.ts'
import { checkTable } from './check-table.ts'
import { comparisonFields, type Table } from './comparison.ts'
import type { TurnFacts, TurnQuery } from './turn-facts.ts'

const table = (columns: string, ...rows: readonly (readonly Cell[])[]): Table => ({
  columns: columns.split(' ').map((name) => ({ name })),
  rows,
})
const ID = 'q_0123456789ab'
const query = (result: Table, more: Partial<TurnQuery> = {}): TurnQuery => ({
  id: ID,
  sql: '',
  result,
  cut: false,
  tables: [],
  ...more,
})
const turn = (text: string, queries: readonly TurnQuery[] = [], more: Partial<TurnFacts> = {}): TurnFacts => ({
  text,
  end: 'answered',
  question: undefined,
  failure: undefined,
  calls: [],
  queries,
  citations: [],
  charted: [],
  ...more,
})
const check = (expected: Table, facts: TurnFacts) =>
  checkTable({ compare: comparisonFields.parse({}) }, expected, facts)
const passes = (expected: Table, facts: TurnFacts) => check(expected, facts).every(({ passed }) => passed)

const REGIONS = table('region revenue', ['North', 10], ['South', 20])
const ONE = table('revenue', [12_400])

test('the last query is the answer if none is cited or charted', () => {
  const other = query(table('n', [1]), { id: 'q_ffffffffffff' })
  expect(passes(REGIONS, turn('See above.', [other, query(REGIONS)]))).toBe(true)
  expect(passes(REGIONS, turn('See above.', [query(REGIONS), other]))).toBe(false)
  expect(passes(REGIONS, turn('See above.', [query(REGIONS), other], { charted: [ID] }))).toBe(true)
  const citations = [{ text: '10', at: 0, state: 'checked' as const, query: ID }]
  expect(passes(REGIONS, turn('10', [query(REGIONS), other], { citations }))).toBe(true)
})

test('column names may differ', () =>
  expect(
    passes(REGIONS, turn('See above.', [query(table('total area n', [20, 'South', 1], ['10.0', 'North', 2]))])),
  ).toBe(true))

test('reports a wrong cell', () =>
  expect(
    check(REGIONS, turn('See above.', [query(table('region revenue', ['North', 11], ['South', 20]))]))[0],
  ).toMatchObject({
    passed: false,
    found: '1 of 2 rows differs',
    difference: { cells: [{ column: 'revenue', row: 1, expected: 10, found: 11 }] },
  }))

test('a correct query under a wrong sentence fails', () => {
  const differs = [{ text: '13', at: 0, state: 'differs' as const, query: ID, found: '10' }]
  expect(check(REGIONS, turn('13', [query(REGIONS)], { citations: differs })).at(-1)).toEqual({
    expects: 'the text matches the result',
    passed: false,
    found: '13, where the result has 10',
  })
  expect(passes(ONE, turn('Revenue was 12,400.', [query(ONE)]))).toBe(true)
  expect(passes(ONE, turn('Revenue was about 12.4k in 2024.', [query(ONE)]))).toBe(true)
  expect(passes(ONE, turn('See the result above.', [query(ONE)]))).toBe(true)
  expect(check(ONE, turn('Revenue was 13,400.', [query(ONE)])).at(-1)!.found).toBe(
    'the answer does not say 12400, but 13,400',
  )
  const best = table('region', ['credit_card'])
  expect(passes(best, turn('Most pay by **credit card**.', [query(best)]))).toBe(true)
  expect(passes(best, turn('Most pay in cash.', [query(best)]))).toBe(false)
  expect(
    passes(table('day', ['2026-03-01']), turn('On March 1st.', [query(table('d', ['2026-03-01 00:00:00']))])),
  ).toBe(true)
})

test('a correct query under a contradicting table fails', () => {
  const written = (north: string) =>
    turn(`| # | Area | Sum |\n| --- | --- | --- |\n| 1 | North | ${north} |`, [query(REGIONS)])
  expect(passes(REGIONS, written('$10.00'))).toBe(true)
  expect(passes(REGIONS, written('10.4'))).toBe(false)
  expect(check(REGIONS, written('11')).at(-1)!.found).toBe('it writes “1 | North | 11”, where the result has 10')
  const large = table('region revenue share', ['North', 12_400_000, 0.1234])
  const shown = turn('| Region | Revenue (M) | Share |\n|---|---|---|\n| north | 12.4 | 12% |', [query(large)])
  expect(passes(large, shown)).toBe(true)
})

test('a result without text fails, a chart passes', () => {
  expect(passes(REGIONS, turn('', [query(REGIONS)]))).toBe(false)
  expect(passes(REGIONS, turn('', [query(REGIONS)], { charted: [ID] }))).toBe(true)
})

test('a truncated result is reported', () =>
  expect(check(REGIONS, turn('See above.', [query(REGIONS, { cut: true })]))[0]).toEqual({
    expects: 'the expected table',
    passed: false,
    found: 'the rows that are kept are the same; its result was cut after 2 rows',
  }))

test('a table or a single number in the text is the answer if no query ran', () => {
  const written = `Here:\n\n| Region | **Revenue** |\n|:---|---:|\n| South | [20.00](${ID}.r.1) |\n| North | **$10** |\n\nDone.`
  expect(passes(REGIONS, turn(written))).toBe(true)
  expect(passes(REGIONS, turn(written.replace('$10', '$11')))).toBe(false)
  expect(passes(table('a b', ['x|y', null]), turn('a | b\n--- | ---\nx\\|y | NULL'))).toBe(true)
  expect(passes(ONE, turn('Revenue was 12,400.'))).toBe(true)
  expect(passes(ONE, turn('Revenue was 13,400.'))).toBe(false)
  expect(check(REGIONS, turn('North leads.'))[0]!.found).toBe('no query ran, and the answer holds no table')
})
