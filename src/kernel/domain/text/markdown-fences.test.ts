import { describe, expect, test } from 'vitest'
import { closeFence, endsInsideFence, outsideFences } from './markdown-fences.ts'

const outside = (text: string): string[] => {
  const lines = text.split('\n')
  const open = outsideFences(lines)
  return lines.filter((_, i) => open[i])
}

describe('lines outside code fences', () => {
  test.each([
    ['backticks', 'a\n```\nb\n```\nc', ['a', 'c']],
    ['tildes with a language', 'a\n~~~ts\nb\n~~~\nc', ['a', 'c']],
    ['an indented fence', 'a\n      ```\nb\n  ```\nc', ['a', 'c']],
    ['a closing mark shorter than the opening one', 'a\n`````\nb\n```\nc', ['a', 'c']],
    ['the other mark inside', 'a\n```\n~~~\n```\nc', ['a', 'c']],
    ['a closing mark with words after it', 'a\n```\n``` b\nc', ['a']],
    ['two backticks', 'a\n``\nb', ['a', '``', 'b']],
  ])('are found with %s', (_what, text, expected) => {
    expect(outside(text)).toEqual(expected)
  })
})

describe('an unclosed fence', () => {
  test.each(['```\ncode', '~~~\ncode', '````sh\ncode', 'a\n```\n~~~', '```\na\n```\nb\n  ~~~\nc', '```'])(
    'is closed with the mark that opened it: %j',
    (text) => {
      expect(endsInsideFence(text)).toBe(true)
      const closed = closeFence(text)
      expect(closed.startsWith(`${text}\n`)).toBe(true)
      expect(endsInsideFence(closed)).toBe(false)
    },
  )

  test('is not found in a text with balanced fences', () => {
    expect(closeFence('a\n```\nb\n```')).toBe('a\n```\nb\n```')
    expect(closeFence('')).toBe('')
  })
})
