import { expect, test } from 'vitest'
import { whyForbidden } from './forbidden-memory.ts'

test.each(['Write to a@b.ch', 'see www.shop.ch', 'x@y.z'])('%j holds an address', (text) => {
  expect(whyForbidden(text)).toBe('it holds personal data or an address')
})

test.each(['Use @orders for sums', 'a @b.c is a mention', 'The unit is a@b', 'x@y. And so on'])(
  '%j holds none',
  (text) => {
    expect(whyForbidden(text)).toBeUndefined()
  },
)

// A pattern that begins anew at every sign takes minutes for this.
test('signs without end are looked at once', () => {
  expect(whyForbidden('@'.repeat(300_000))).toBeUndefined()
})
