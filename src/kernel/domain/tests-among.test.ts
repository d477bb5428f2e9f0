import { expect, test } from 'vitest'
import { testsAmong } from './tests-among.ts'

test('distinguishes tests beside a ken.yaml from those of the surrounding code', () => {
  const paths = [
    'data/ken.yaml',
    'data/tests/a.yaml',
    'data/Tests/b/c.md',
    'tests/a.ts',
    'data/src/tests/a.ts',
    'mytests/a',
  ]
  expect(paths.filter(testsAmong(paths))).toEqual(['data/tests/a.yaml', 'data/Tests/b/c.md'])
  expect(['ken.yaml', 'tests/x', 'a/tests/x'].filter(testsAmong(['ken.yaml']))).toEqual(['tests/x'])
  expect(['.ken/tests/x', 'a/.ken/Tests/x', '.ken/x', 'a.ken/tests/x'].filter(testsAmong([]))).toEqual([
    '.ken/tests/x',
    'a/.ken/Tests/x',
  ])
})
