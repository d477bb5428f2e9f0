import { expect, test } from 'vitest'
import { contentWords, isSaidAlike, sharedWords } from './content-words.ts'

test('words match by prefix, but numbers and names with digits only as a whole', () => {
  const shared = (a: string, b: string) => sharedWords(contentWords(a), contentWords(b)).length
  expect(shared('quarterly revenues', 'quarter revenue')).toBeGreaterThan(0)
  expect(shared('release-2024', 'release-2025')).toBe(0)
  expect(isSaidAlike('Report 2024-03 in euros', 'Report in euros, 2024-03')).toBe(true)
  expect(isSaidAlike('Report 2024-03 in euros', 'Report 2024-04 in euros')).toBe(false)
})
