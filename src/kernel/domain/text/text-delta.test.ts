import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyDelta, deltaOf } from './text-delta.ts'

test('a delta turns any text into any other', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '𝄞', '\u{d834}') })
  fc.assert(
    fc.property(texts, texts, texts, (start, before, after) => {
      const [one, other] = [start + before + start, start + after + start]
      const delta = deltaOf(one, other)
      if (delta !== undefined) expect(applyDelta(one, JSON.parse(JSON.stringify(delta)))).toBe(other)
    }),
  )
})

test('the delta for a line inserted into a long text contains only that line', () => {
  const long = Array.from({ length: 1_000 }, (_, at) => `line ${at}\n`).join('')
  expect(deltaOf(long, long.replace('line 500\n', 'line 500\nnew\n'))?.text).toBe('new\n')
  expect(deltaOf('old', 'quite another')).toBe(undefined)
})

test('a delta does not apply to a different text', () => {
  expect(applyDelta('short', { from: 2, to: 60, text: '' })).toBe(undefined)
  expect(applyDelta('short', { from: 4, to: 2, text: '' })).toBe(undefined)
})
