import { expect, test } from 'vitest'
import { unsaidPlace } from './link-place.ts'

test('a link whose text is its address shows no target', () => {
  expect(unsaidPlace('https://e.org/a', 'https://e.org/a')).toBeUndefined()
  expect(unsaidPlace('https://e.org/a', 'e.org')).toBeUndefined()
  expect(unsaidPlace('https://e.org/a', 'e.org/a')).toBeUndefined()
  expect(unsaidPlace('mailto:kim@e.org?subject=x', 'kim@e.org')).toBeUndefined()
})

test.each([
  ['https://evil.example/', 'the report'],
  ['https://evil.example/', 'https://bank.example/?evil.example'],
  ['https://evil.example/', 'bank.example evil.example'],
  ['https://evil.example/', 'evil.example.bank.example'],
  ['https://evil.example/', 'bank.example/evil.example'],
])('text that only contains the host does not hide the target: %s as "%s"', (href, words) => {
  expect(unsaidPlace(href, words)).toBe('evil.example')
})

test('a user name before the host is not taken for the host', () => {
  expect(unsaidPlace('https://bank.example@evil.example/', 'bank.example')).toBe('…@evil.example')
})
