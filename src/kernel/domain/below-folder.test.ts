import { expect, test } from 'vitest'
import { isAbsolutePath, isBelow } from './below-folder.ts'

test.each([
  ['/a/b', '/a', true],
  ['/a/b', '/a/', true],
  ['/a', '/', true],
  ['/a', '/a', false],
  ['/ab', '/a', false],
  ['/a\\b', '/a', false],
  ['C:\\a\\b', 'C:\\a', true],
  ['C:\\a/b', 'C:\\a', true],
  ['C:\\a', 'C:\\', true],
  ['C:\\ab', 'C:\\a', false],
  ['\\\\server\\share\\a', '\\\\server\\share', true],
])('%s below %s: %s', (path, folder, below) => {
  expect(isBelow(path, folder)).toBe(below)
})

test('recognises absolute paths of both systems', () => {
  for (const path of ['/a', 'C:\\a', 'c:/a', '\\\\server\\a']) expect(isAbsolutePath(path)).toBe(true)
  for (const path of ['a', './a', 'C:a', 'notes:/a', '']) expect(isAbsolutePath(path)).toBe(false)
})
