import { expect, test } from 'vitest'
import { whoWords } from './words.ts'

test('an unknown surface in a clone’s journal is shown verbatim', () => {
  expect(whoWords({ surface: 'cli', user: 'kim' })).toBe('kim, at a terminal')
  for (const surface of ['__proto__', 'constructor', 'toString', 'elsewhere'])
    expect(whoWords({ surface })).toBe(surface)
})
