import { expect, test } from 'vitest'
import { snippet } from './snippet.ts'

const LONG = `${'before '.repeat(20)}Redis${' after'.repeat(20)}`

test('dots stand only where something was left out', () => {
  expect(snippet('Cache in Redis', 'redis')).toBe('Cache in Redis')
  expect(snippet(LONG, 'redis')).toMatch(/^\.\.\.\S.*Redis.*\S\.\.\.$/)
  expect(snippet(`Redis${' after'.repeat(20)}`, 'redis')).toMatch(/^Redis.*\.\.\.$/)
  expect(snippet(`${'before '.repeat(20)}Redis`, 'redis')).toMatch(/^\.\.\..*Redis$/)
})

test('a text that has none of the words is told by its first sentence', () => {
  expect(snippet('One thing. Another thing.', 'redis')).toBe('One thing.')
  expect(snippet('x'.repeat(300), 'redis')).toHaveLength(100)
})
