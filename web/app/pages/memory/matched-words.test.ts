import { expect, test } from 'vitest'
import { formsIn, openMarker } from './matched-words.ts'

test('other forms of the words are highlighted too, and the text stays complete', () => {
  const text = 'We cache; it caches each read.'
  const spans = openMarker('caching reads')(text)
  expect(spans.map((span) => span.text).join('')).toBe(text)
  expect(formsIn(text, 'caching reads')).toEqual(['cache', 'caches', 'read'])
})

test('nothing is highlighted without a query', () => {
  expect(openMarker(' ')('a cache')).toEqual([{ text: 'a cache', isMatch: false }])
  expect(formsIn('a cache', '')).toEqual([])
})
