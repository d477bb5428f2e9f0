import { assert, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { INJECTED_TAG } from '../../../kernel/domain/trust/envelope.ts'
import { withoutInjected, withoutTagged } from './injected.ts'

test('removes every tagged section, with its attributes and lines', () => {
  expect(withoutInjected('a<ken-context>1</ken-context>b<ken-context source="hook"\n x="y">2\n3</ken-context>c')).toBe(
    'abc',
  )
})

test('removes sections with brackets escaped by a client', () => {
  const context = '&lt;ken-context-7f2x a="1"&gt;\n1 &lt;b&gt;\n&lt;/ken-context-7f2x&gt;'
  expect(withoutInjected(`Go${context} on &lt;b&gt;`)).toBe('Go on &lt;b&gt;')
})

test('keeps other tags and longer names', () => {
  const text = '<ken-contexts>1</ken-contexts> <b>2</b> </ken-context>'
  expect(withoutInjected(text)).toBe(text)
})

test('an unclosed tag hides everything only if the text begins with it', () => {
  expect(withoutInjected('\n<ken-context>cut off')).toBe('')
  expect(withoutInjected('Why does <ken-context> stand here twice?')).toBe('Why does <ken-context> stand here twice?')
  expect(withoutInjected('<ken-context>1</ken-context>Why is <ken-context> open?')).toBe('Why is <ken-context> open?')
})

const plain = string().filter((text) => !text.includes('<'))

test('keeps any text around a tag unchanged', () => {
  assert(
    property(plain, plain, (before, after) => {
      expect(withoutInjected(`${before}<${INJECTED_TAG} a>x</${INJECTED_TAG}>${after}`)).toBe(before + after)
    }),
  )
})

test('handles many unclosed tags quickly', () => {
  const text = 'x'.concat('<a '.repeat(200_000))
  expect(withoutTagged(text, 'a')).toBe(text)
})
