import { expect, test } from 'vitest'
import { DIALECTS } from '../../../test/sql-dialects.ts'
import { findTable } from './find-table.ts'

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
  '%s is another table, or none',
  (name) => {
    expect(() => findTable(name.split('.'), rules)).toThrow(`${name} is not a table of the context`)
  },
)

test('a name that the engine may find in an earlier schema has to be written in full', () => {
  const behind = { ...rules, allowed: [{ ...orders, schema: 'later' }] }
  expect(() => findTable(['orders'], behind)).toThrow('orders may be a table of main')
})
