import { expect, test } from 'vitest'
import { quoteOf } from './quote.ts'

const where = { title: 'Pears [2]', link: 'http://127.0.0.1/x' }

test('every line of a turn is quoted, with its author and its position', () => {
  expect(quoteOf({ text: 'One.\n\nTwo.', role: 'assistant', at: '2026-01-02T03:04:05Z' }, where)).toBe(
    '> One.\n>\n> Two.\n>\n> — agent, 2026-01-02, [Pears \\[2\\]](http://127.0.0.1/x)',
  )
})

test('the quote of a long turn is truncated', () => {
  expect(quoteOf({ text: 'x'.repeat(9_000), role: 'user', at: '' }, where).length).toBeLessThan(2_200)
})
