import { expect, test } from 'vitest'
import { displayWidth, fitWidth, padWidth, paragraph, wrapWidth } from './width.ts'

test.each([
  ['plain', 5],
  ['naïve café', 10],
  ['e\u0301', 1],
  ['消息队列', 8],
  ['ｆｕｌｌ', 8],
  ['ﾊﾝｶｸ', 4],
  ['한국어', 6],
  ['각', 2],
  ['👍', 2],
  ['👍🏽', 2],
  ['👩‍👩‍👧‍👦', 2],
  ['🇫🇷', 2],
  ['❤️', 2],
  ['❤', 1],
  ['1️⃣', 2],
  ['a\u200Bb', 2],
  ['→ … ─', 5],
  ['Привет', 6],
  ['', 0],
])('%s takes %i columns', (text, width) => expect(displayWidth(text)).toBe(width))

test('cuts a text between whole characters, and marks the cut', () => {
  expect(fitWidth('Queue in Postgres', 17)).toBe('Queue in Postgres')
  expect(fitWidth('Queue in Postgres', 9)).toBe('Queue in…')
  expect(fitWidth('消息队列', 7)).toBe('消息队…')
  expect(fitWidth('消息队列', 6)).toBe('消息…')
  expect(fitWidth('ab👩‍👩‍👧‍👦cd', 4)).toBe('ab…')
  expect(fitWidth('abc', 0)).toBe('')
  for (const width of [1, 2, 3, 5, 8]) expect(displayWidth(fitWidth('a消b息👍cé', width))).toBeLessThanOrEqual(width)
})

test('padded texts end in the same column', () => {
  expect(['ab', '消', '👍'].map((text) => displayWidth(padWidth(text, 6)))).toEqual([6, 6, 6])
})

test('breaks a text between words, and a word only if it is longer than a line', () => {
  expect(wrapWidth('one two  three\nfour', 9)).toEqual(['one two', 'three', 'four'])
  expect(wrapWidth('消息队列使用', 6)).toEqual(['消息队', '列使用'])
  expect(wrapWidth('abcdefgh i', 3)).toEqual(['abc', 'def', 'gh', 'i'])
  expect(wrapWidth('👍👍', 1)).toEqual(['👍👍'])
  expect(wrapWidth('', 10)).toEqual([])
})

test('prose stays on one line if nothing is cut', () => {
  const text = 'word '.repeat(60).trim()
  expect(paragraph(text, { width: Infinity })).toBe(text)
  expect(Math.max(...paragraph(text, { width: 300 }).split('\n').map(displayWidth))).toBeLessThanOrEqual(100)
})
