import { expect, test } from 'vitest'
import { codePoints, ellipsis, head, plural, strip, stripEnd, withoutBlocks } from './text.ts'

test('cuts a text to the allowed length, including the ellipsis', () => {
  expect(ellipsis('abc', 3)).toBe('abc')
  expect(ellipsis('abcd', 3)).toBe('ab…')
  expect(ellipsis('ab cd', 4)).toBe('ab…')
  expect(ellipsis('🌱🌱🌱', 3)).toBe('🌱🌱🌱')
  expect(ellipsis('🌱🌱🌱🌱', 3)).toBe('🌱🌱…')
})

test('never cuts a character in half', () => {
  expect(head('a🌱b', 2)).toBe('a🌱')
  expect(head('a🌱b', 1)).toBe('a')
  expect(head('\uffff\uffffb', 2)).toBe('\uffff\uffff')
  expect(codePoints('a🌱b')).toBe(3)
})

test('strips separators that Python counts as space', () => {
  expect(strip('\x1c \n a b \x85\x1f')).toBe('a b')
  expect(stripEnd(' a \t')).toBe(' a')
})

test('uses the singular for one and the plural for all other numbers', () => {
  expect([0, 1, 2].map((count) => plural(count, 'note'))).toEqual(['0 notes', '1 note', '2 notes'])
  expect(plural(2, 'memory', 'memories')).toBe('2 memories')
})

test('removes blocks in one pass, and keeps an unclosed block', () => {
  expect(withoutBlocks('a<!-- b -->c<!-- d -->e', '<!--', '-->')).toBe('ace')
  const unended = '<!--'.repeat(500_000)
  expect(withoutBlocks(unended, '<!--', '-->') === unended).toBe(true)
})
