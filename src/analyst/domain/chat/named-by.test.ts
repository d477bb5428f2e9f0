import { expect, test } from 'vitest'
import { namedBy } from './named-by.ts'

const names = (words: readonly string[]) =>
  namedBy(
    ['main.customers', 'main.reorders', 'main.orders', 'Orders.md', 'main.order_items'].map((name) => ({ name })),
    words,
  ).map(({ name }) => name)

test('ranks names that begin with a word first, then names with a part that begins with it', () => {
  expect(names(['order'])).toEqual(['Orders.md', 'main.orders', 'main.order_items', 'main.reorders'])
})

test('requires every word, ignores case, and returns all names in order if there are no words', () => {
  expect(names(['MAIN', 'orders'])).toEqual(['main.reorders', 'main.orders'])
  expect(names([])[0]).toBe('main.customers')
  expect(names(['nothing of the kind'])).toEqual([])
})
