import { expect, test } from 'vitest'
import { DIALECTS } from '../../../../test/sql-dialects.ts'
import { findTable } from './find-table.ts'
import type { OutsideContext } from './policy.ts'

const orders = { database: 'shop', schema: 'main', name: 'orders', columns: ['id'], hidden: [] }
const rules = {
  allowed: [orders],
  names: { searchPath: ['main', 'later'], exactCase: false, ownFunctions: [] },
  traits: DIALECTS.postgres.names,
}

test.each([['orders'], ['main.orders'], ['shop.main.orders'], ['SHOP.Main.ORDERS']])('%s is found', (name) => {
  expect(findTable(name.split('.'), rules)).toBe(orders)
})

test.each([['other.orders'], ['other.main.orders'], ['server.shop.main.orders'], ['shop.orders']])(
  '%s is a different table, or none',
  (name) => {
    expect(() => findTable(name.split('.'), rules)).toThrow(`${name} is not a table of the context`)
  },
)

test('a name that may match in an earlier schema must be qualified', () => {
  const behind = { ...rules, allowed: [{ ...orders, schema: 'later' }] }
  expect(() => findTable(['orders'], behind)).toThrow('orders may be a table of main')
})

test('a refusal lists at most twenty readable tables', () => {
  const hintOf = (count: number): string => {
    const allowed = Array.from({ length: count }, (_, i) => ({ ...orders, name: `t${i + 1}` }))
    try {
      findTable(['orders'], { ...rules, allowed })
    } catch (error) {
      return (error as OutsideContext).refusal.hint
    }
    throw new Error('it was found')
  }
  expect(hintOf(0)).toBe('Tables that may be read: none.')
  expect(hintOf(2)).toBe('Tables that may be read: main.t1, main.t2.')
  expect(hintOf(20)).toMatch(/, main\.t20\.$/)
  expect(hintOf(21)).toMatch(/, main\.t20 and 1 more\.$/)
})
