import { expect, test } from 'vitest'
import { governs } from './governs.ts'

test.each([
  ['src/api/server.ts', 'src/api/server.ts', true],
  ['./src/api/', 'src/api/server.ts', true],
  [String.raw`src\api`, 'src/api/server.ts', true],
  ['src/ap', 'src/api/server.ts', false],
  ['src/*.ts', 'src/main.ts', true],
  ['src/*.ts', 'src/api/main.ts', false],
  ['src/**/*.ts', 'src/api/main.ts', true],
  ['src/main.ts', 'src', false],
  ['', 'src/main.ts', false],
  ['/', 'src/main.ts', false],
  ['src', '', false],
])('%j over %j: %s', (pattern, file, expected) => {
  expect(governs(pattern, file)).toBe(expected)
})

test('accepts a path up to the maximum path length, but no longer path', () => {
  const longest = 'd/'.repeat(2_000).padEnd(4_096, 'f')
  expect(governs(longest, longest)).toBe(true)
  expect(governs('d', longest)).toBe(true)
  expect(governs('d', `${longest}f`)).toBe(false)
  expect(governs(`${longest}f`, `${longest}f`)).toBe(false)
  expect(governs(`d${' '.repeat(4_095)}`, 'd/f')).toBe(true)
  expect(governs(`d${' '.repeat(4_096)}`, 'd/f')).toBe(false)
})
