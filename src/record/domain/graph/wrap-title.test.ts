import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wrapTitle } from './wrap-title.ts'

test.each([
  ['Short', ['Short']],
  ['Use server-sent events for live updates', ['Use server-sent', 'events for live…']],
  ['Internationalizationalism', ['Internationaliza', 'tionalism']],
  ['数据库使用分区表来存储事件', ['数据库使用分区表', '来存储事件']],
  ['   ', []],
])('wraps %j into two lines of sixteen columns', (title, lines) => expect(wrapTitle(title, 16, 2)).toEqual(lines))

test('no line is wider than requested, and text is cut only with an ellipsis', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 120 }), fc.integer({ min: 4, max: 40 }), (title, columns) => {
      const lines = wrapTitle(title, columns, 3)
      expect(lines.length).toBeLessThanOrEqual(3)
      expect(lines.every((line) => [...line].length <= columns && line.isWellFormed())).toBe(true)
      const squeezed = (text: string) => text.replace(/\s+/g, '')
      if (!lines.at(-1)?.endsWith('…')) expect(squeezed(lines.join(''))).toBe(squeezed(title))
    }),
  )
})
