import { expect, test } from 'vitest'
import { whyForbidden } from './forbidden-memory.ts'

test.each(['Write to a@b.ch', 'see www.shop.ch', 'x@y.z'])('rejects %j: it contains an address', (text) => {
  expect(whyForbidden(text)).toBe('it holds personal data or an address')
})

test.each(['Use @orders for sums', 'a @b.c is a mention', 'The unit is a@b', 'x@y. And so on'])(
  'accepts %j: it contains no address',
  (text) => {
    expect(whyForbidden(text)).toBeUndefined()
  },
)

// A pattern that restarts at every @ takes minutes for this.
test('scans a long run of @ signs only once', () => {
  expect(whyForbidden('@'.repeat(300_000))).toBeUndefined()
})
