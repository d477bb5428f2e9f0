import { assert, property, string, constantFrom, array, oneof } from 'fast-check'
import { expect, test } from 'vitest'
import { HOSTILE, RAW } from '../../../../test/hostile-text.ts'
import { findHidden, plainText, visible, visibleDeep, withoutHidden } from './visible.ts'

test.each([
  ['\u001b[31mred', '\\u{1b}[31mred'],
  ['\u001b]52;c;eA==\u0007', '\\u{1b}]52;c;eA==\\u{7}'],
  ['\u009b2J', '\\u{9b}2J'],
  ['a\u202eb', 'a\\u{202e}b'],
  ['pay\u200bpal', 'pay\\u{200b}pal'],
  ['x\u{e0041}', 'x\\u{e0041}'],
  ['half \ud83d', 'half \\u{d83d}'],
  ['over\rwritten', 'over\\u{d}written'],
  ['a\r\nb\tc', 'a\nb\tc'],
  ['a\u2028b', 'a\\u{2028}b'],
  ['a\ufe0f', 'a\\u{fe0f}'],
  ['☀\ufe0f\ufe0f\ufe0f', '☀\ufe0f\\u{fe0f}\\u{fe0f}'],
  ['s\u200dm\u200cu', 's\\u{200d}m\\u{200c}u'],
  ['🏴\u{e0067}\u{e0062}', '🏴\\u{e0067}\\u{e0062}'],
])('%j is shown as %j', (text, shown) => expect(visible(text)).toBe(shown))

test.each([
  'naïve “quotes” — 日本語',
  'می\u200cخواهم',
  'क्\u200dष',
  'ශ්\u200dරී',
  '👩🏽\u200d💻 👩\u200d👩\u200d👧 🏳\ufe0f\u200d🌈 ❤\ufe0f\u200d🔥',
  '1\ufe0f\u20e3 ☺\ufe0e',
  '葛\u{e0100}',
  'ภาษา\u200bไทย',
  'nbsp\u00a0 and \ue0b0',
])('%j is legitimate writing and stays unchanged', (text) => expect(visible(text)).toBe(text))

const nasty = array(
  oneof(string({ unit: 'binary' }), string(), constantFrom(...HOSTILE, ...'\u200c\u200d\ufe0f\u180bم☀ก葛7#')),
).map((parts) => parts.join(''))

test('escapes every character that has an effect without being visible, and is idempotent', () => {
  assert(
    property(nasty, (text) => {
      const shown = visible(text)
      expect(shown).not.toMatch(
        /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]|\udb40[\udc00-\udc7f]/,
      )
      expect(shown.isWellFormed()).toBe(true)
      expect(visible(shown)).toBe(shown)
      expect(findHidden(shown)).toBeUndefined()
    }),
    { numRuns: 2_000 },
  )
})

test('escapes everything inside a value, including keys, and returns a clean value itself', () => {
  const clean = { a: ['x', { b: 1, c: null }], d: new Date(0) }
  expect(visibleDeep(clean)).toBe(clean)
  expect(visibleDeep({ 'k\u001b': [{ deep: HOSTILE }], n: 3 })).toEqual({
    'k\\u{1b}': [{ deep: visible(HOSTILE) }],
    n: 3,
  })
  expect(visibleDeep(Object.assign(Object.create(null) as object, { cell: '\u001b' }))).toEqual({ cell: '\\u{1b}' })
  expect(JSON.stringify(visibleDeep({ 'k\u001b': [{ deep: HOSTILE }] }))).not.toMatch(RAW)
})

test('reports a hidden character with its 1-based position in characters', () => {
  expect(findHidden('👍 ok\u001b[2J')).toEqual({ name: 'U+001B (escape)', position: 5 })
  expect(findHidden('x\u{e0041}')).toEqual({ name: 'U+E0041 (an invisible tag character)', position: 2 })
  for (const tag of ['\u{e0000}', '\u{e007f}'])
    expect(findHidden(tag)?.name).toMatch(/^U\+E00\w\w \(an invisible tag character\)$/)
  expect(findHidden('plain\ntext\t👩\u200d💻')).toBeUndefined()
})

test('a byte order mark and Windows line ends are accepted', () => {
  expect(plainText('\ufeffone\r\ntwo')).toBe('one\ntwo')
  expect(findHidden(plainText('\ufeffone\r\ntwo'))).toBeUndefined()
})

test('imported text loses only invisible characters', () => {
  expect(withoutHidden('pay\u200bpal \u001b[1m👩\u200d💻 می\u200cخواهم\n')).toBe('paypal [1m👩\u200d💻 می\u200cخواهم\n')
  assert(
    property(nasty, (text) => {
      expect(findHidden(withoutHidden(text))).toBeUndefined()
    }),
  )
})
