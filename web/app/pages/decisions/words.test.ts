import { expect, test } from 'vitest'
import { whoWords } from './words.ts'

test('who did something is words, whatever the journal of a clone calls it', () => {
  expect(whoWords({ surface: 'cli', user: 'kim' })).toBe('kim, at a terminal')
  for (const surface of ['__proto__', 'constructor', 'toString', 'elsewhere'])
    expect(whoWords({ surface })).toBe(surface)
})
