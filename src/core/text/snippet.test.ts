import { expect, test } from 'vitest'
import { snippetAround } from './snippet.ts'

const LONG = `${'before '.repeat(20)}Redis${' after'.repeat(20)}`

test('dots stand only where something was left out', () => {
  expect(snippetAround('Cache in Redis', 'redis')).toBe('Cache in Redis')
  expect(snippetAround(LONG, 'redis')).toMatch(/^\.\.\.\S.*Redis.*\S\.\.\.$/)
  expect(snippetAround(`Redis${' after'.repeat(20)}`, 'redis')).toMatch(/^Redis.*\.\.\.$/)
  expect(snippetAround(`${'before '.repeat(20)}Redis`, 'redis')).toMatch(/^\.\.\..*Redis$/)
})

test('a text that has none of the words is told by its first sentence', () => {
  expect(snippetAround('One thing. Another thing.', 'redis')).toBe('One thing.')
  expect(snippetAround('x'.repeat(300), 'redis')).toHaveLength(100)
})
