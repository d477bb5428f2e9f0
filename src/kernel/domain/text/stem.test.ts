import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { stem } from './stem.ts'

const golden = JSON.parse(
  readFileSync(new URL('../../../../test/fixtures/golden/stems.json', import.meta.url), 'utf8'),
) as {
  cases: [word: string, stem: string][]
}

test('every golden word has its Snowball 3.1 stem', () => {
  const wrong = golden.cases
    .filter(([word, expected]) => stem(word) !== expected)
    .map(([word, expected]) => [word, expected, stem(word)])
  expect(golden.cases.length).toBeGreaterThan(10_000)
  expect(wrong).toEqual([])
})

test.each([
  ['added', 'add'],
  ['geologist', 'geolog'],
  ['organically', 'organic'],
  ['pasting', 'paste'],
  ['vying', 'vie'],
  ['innings', 'inning'],
  ['succeeds', 'succeed'],
  ['interfering', 'interfer'],
  ["'tis", 'tis'],
  ["user's", 'user'],
  ['toy', 'toy'],
  ['yearly', 'year'],
  ['is', 'is'],
  ['', ''],
])('%j becomes %j', (word, expected) => {
  expect(stem(word)).toBe(expected)
})

test('other scripts, numbers and identifiers stay unchanged', () => {
  for (const word of ['データベース', 'решение', '2026', 'sha256', '__init__', '𝒳𝒴']) expect(stem(word)).toBe(word)
})

test('stems consistently beyond the cache size', () => {
  const before = stem('decisions')
  for (let i = 0; i < 70_000; i++) stem(`word${i}s`)
  expect(stem('decisions')).toBe(before)
})
