import { expect, test } from 'vitest'
import { namedBy } from './named-by.ts'

const names = (words: readonly string[]) =>
  namedBy(
    ['main.customers', 'main.reorders', 'main.orders', 'Orders.md', 'main.order_items'].map((name) => ({ name })),
    words,
  ).map(({ name }) => name)

test('what begins with a word comes first, then what has a part that does', () => {
  expect(names(['order'])).toEqual(['Orders.md', 'main.orders', 'main.order_items', 'main.reorders'])
})

test('every word counts, in any case, and none lets all through in their order', () => {
  expect(names(['MAIN', 'orders'])).toEqual(['main.reorders', 'main.orders'])
  expect(names([])[0]).toBe('main.customers')
  expect(names(['nothing of the kind'])).toEqual([])
})
