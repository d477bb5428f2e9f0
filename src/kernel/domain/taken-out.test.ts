import { describe, expect, test } from 'vitest'
import { isTelling, takenOut } from './taken-out.ts'

describe('redacted texts', () => {
  test.each([
    ['nothing', 'a b', 'a b', []],
    ['one value', 'key=abc123 end', 'key=[redacted] end', ['abc123']],
    ['two values of one line', 'a=1x b=2y', 'a=[redacted] b=[redacted: token]', ['1x', '2y']],
    ['the same value twice, told once', 'a=1x\nb=1x', 'a=[redacted]\nb=[redacted]', ['1x']],
    ['a value over several lines, line by line', 'k:\nab\ncd\nend', 'k:\n[redacted]\nend', ['ab', 'cd']],
    ['behind a mark of another kind, all that is not the same at both ends', 'a=secret;', 'a=***;', ['secret']],
    ['text with characters that a pattern would read otherwise', 'f(x)+[1x]', 'f(x)+[[redacted]]', ['1x']],
    ['no mark that was there before', 'a=[redacted] b=2y', 'a=[redacted] b=[redacted]', ['2y']],
  ])('%s', (_what, before, after, expected) => {
    expect(takenOut(before, after)).toEqual(expected)
  })
})

test.each([
  ['abcdefg1', true],
  ['abcdef1', false],
  ['abcd efg1', false],
  ['12345678', false],
  ['abcdefghijklmnop', false],
  ['abcdefghijklmnoP', true],
  ['abcdefghijklmnP', false],
  ['Abcdefghijklmnop', false],
  ['ABCDEFGHIJKLMNOP', false],
])('%s can be recognised as a secret anywhere: %s', (value, expected) => {
  expect(isTelling(value)).toBe(expected)
})
