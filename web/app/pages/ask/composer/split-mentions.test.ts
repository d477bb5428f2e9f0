import { expect, test } from 'vitest'
import { namingAt, splitMentions } from './split-mentions.ts'

const mentions = (text: string): string[] =>
  splitMentions(text).flatMap((piece) => (piece.isMention ? [piece.text] : []))

test('mentions of tables, documents and skills are separate pieces', () => {
  expect(mentions('What is in @main.orders, by /weekly?')).toEqual(['@main.orders', '/weekly'])
  expect(mentions('(@"Sales of May") and @docs/a.md.')).toEqual(['@"Sales of May"', '@docs/a.md'])
})

test('addresses, paths and dates are not mentions', () => {
  expect(mentions('ada@example.com wrote to https://a.example/b on 1/2')).toEqual([])
  expect(mentions('look at /usr/bin/env')).toEqual([])
})

test('joining the pieces returns the original text', () => {
  const text = 'a @b, (@"c d") /e f'
  expect(
    splitMentions(text)
      .map((piece) => piece.text)
      .join(''),
  ).toBe(text)
})

test('the mention being typed is derived from the text before the cursor', () => {
  expect(namingAt('What is in @ord')).toEqual({ sign: '@', words: 'ord', from: 11 })
  expect(namingAt('/we')).toEqual({ sign: '/', words: 'we', from: 0 })
  expect(namingAt('@')).toEqual({ sign: '@', words: '', from: 0 })
  expect(namingAt('ada@exa')).toBeUndefined()
  expect(namingAt('@orders and')).toBeUndefined()
})
