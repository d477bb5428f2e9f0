import { expect, test } from 'vitest'
import { codePoints, ellipsis, head, plural, strip, stripEnd, withoutBlocks } from './text.ts'

test('a text is cut to as many characters as are allowed, the mark of the cut included', () => {
  expect(ellipsis('abc', 3)).toBe('abc')
  expect(ellipsis('abcd', 3)).toBe('ab…')
  expect(ellipsis('ab cd', 4)).toBe('ab…')
  expect(ellipsis('🌱🌱🌱', 3)).toBe('🌱🌱🌱')
  expect(ellipsis('🌱🌱🌱🌱', 3)).toBe('🌱🌱…')
})

test('no character is cut in half', () => {
  expect(head('a🌱b', 2)).toBe('a🌱')
  expect(head('a🌱b', 1)).toBe('a')
  expect(head('\uffff\uffffb', 2)).toBe('\uffff\uffff')
  expect(codePoints('a🌱b')).toBe(3)
})

test('separators that Python counts as space are stripped as space', () => {
  expect(strip('\x1c \n a b \x85\x1f')).toBe('a b')
  expect(stripEnd(' a \t')).toBe(' a')
})

test('one is one, and everything else is many', () => {
  expect([0, 1, 2].map((count) => plural(count, 'note'))).toEqual(['0 notes', '1 note', '2 notes'])
  expect(plural(2, 'memory', 'memories')).toBe('2 memories')
})

test('blocks are taken out in one pass, and one without an end stays', () => {
  expect(withoutBlocks('a<!-- b -->c<!-- d -->e', '<!--', '-->')).toBe('ace')
  const unended = '<!--'.repeat(500_000)
  expect(withoutBlocks(unended, '<!--', '-->') === unended).toBe(true)
})
