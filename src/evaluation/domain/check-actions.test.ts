import { expect, test } from 'vitest'
import { checkActions } from './check-actions.ts'
import type { TurnFacts } from './turn-facts.ts'

const turn = (tools: readonly string[], tables: readonly string[] = []): TurnFacts => ({
  text: '',
  end: 'answered',
  question: undefined,
  failure: undefined,
  calls: tools.map((tool) => ({ tool, input: {}, failed: false })),
  queries: tables.map((table) => ({ id: '', sql: '', result: { columns: [], rows: [] }, cut: false, tables: [table] })),
  citations: [],
  charted: [],
})
const NOTHING = { called: [], not_called: [], order: [], tables: [], not_tables: [], most_calls: undefined }
const passes = (wanted: Partial<Parameters<typeof checkActions>[0]>, facts: TurnFacts) =>
  checkActions({ ...NOTHING, ...wanted }, facts).every(({ passed }) => passed)

test('tool names match in any spelling', () => {
  const facts = turn(['list_tables', 'execute_sql'])
  expect(passes({ called: ['Execute-SQL'] }, facts)).toBe(true)
  expect(passes({ called: ['chart'] }, facts)).toBe(false)
  expect(passes({ not_called: ['chart'] }, facts)).toBe(true)
  expect(passes({ not_called: ['execute_sql'] }, facts)).toBe(false)
  expect(checkActions({ ...NOTHING, called: ['chart'] }, turn([]))).toEqual([
    { expects: 'calls chart', passed: false, found: 'no tool was called' },
  ])
})

test('other calls may occur between the calls of a required order', () => {
  const facts = turn(['list', 'read', 'execute_sql', 'read', 'chart'])
  expect(passes({ order: ['read', 'execute_sql', 'chart'] }, facts)).toBe(true)
  expect(passes({ order: ['read', 'read'] }, facts)).toBe(true)
  expect(passes({ order: ['chart', 'read'] }, facts)).toBe(false)
  expect(passes({ order: ['list', 'list'] }, facts)).toBe(false)
})

test.each<readonly [string, string, boolean]>([
  ['orders', 'orders', true],
  ['main.orders', 'ORDERS', true],
  ['orders', 'main.orders', true],
  ['"Main"."Orders"', 'main.orders', true],
  ['[dbo].[order.lines]', 'order.lines', false],
  ['[dbo].[order.lines]', '"order.lines"', true],
  ['`shop`.`sales`.`orders`', 'sales.orders', true],
  ['sales.orders', 'hr.orders', false],
  ['orders_old', 'orders', false],
])('a statement on %s reads %s: %o', (read, table, is) => {
  expect(passes({ tables: [table] }, turn([], [read]))).toBe(is)
  expect(passes({ not_tables: [table] }, turn([], [read]))).toBe(!is)
})

test('checks the maximum number of calls', () => {
  expect(passes({ most_calls: 2 }, turn(['a', 'a']))).toBe(true)
  expect(checkActions({ ...NOTHING, most_calls: 1 }, turn(['a', 'b']))[0]!.found).toBe('2 calls: a, b')
  expect(passes({ most_calls: 0 }, turn([]))).toBe(true)
})
