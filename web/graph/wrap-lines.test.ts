import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cut, cutName, wrapLines } from './wrap-lines.ts'

const measure = (text: string): number => [...text].length

test.each([
  ['Use server-sent events for live updates', ['Use server-sent', 'events for live…']],
  ['Internationalizationalism', ['Internationaliza', 'tionalism']],
  ['Short', ['Short']],
  ['  ', []],
])('%j is wrapped into two lines of sixteen characters', (text, lines) =>
  expect(wrapLines(text, 16, 2, measure)).toEqual(lines),
)

test('no line exceeds the width, and truncated text ends with an ellipsis', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 120 }),
      fc.integer({ min: 4, max: 40 }),
      fc.integer({ min: 1, max: 4 }),
      (text, width, most) => {
        const lines = wrapLines(text, width, most, measure)
        expect(lines.length).toBeLessThanOrEqual(most)
        expect(lines.every((line) => measure(line) <= width && line.isWellFormed())).toBe(true)
        const squeezed = (value: string) => value.replace(/\s+/g, '')
        if (!lines.at(-1)?.endsWith('…')) expect(squeezed(lines.join(''))).toBe(squeezed(text))
      },
    ),
  )
})

test('drops whole words of a name before truncating a word', () => {
  expect(cutName('cache, queue, retries', 16, measure)).toBe('cache, queue')
  expect(cutName('observability', 6, measure)).toBe('obser…')
  expect(cut('plain', 5, measure)).toBe('plain')
})
