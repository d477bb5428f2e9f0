import { describe, expect, test } from 'vitest'
import { inertMarkdown } from './inert-markdown.ts'

describe('exported Markdown', () => {
  test.each([
    ['an image', '![x](http://a.example/?d=1)', '!\\[x]\\(http://a.example/?d=1)'],
    ['a link to elsewhere', 'See [the plan](https://a.example).', 'See [the plan]\\(https://a.example).'],
    ['an address under a name', '[x]: http://a.example', '[x]\\: http://a.example'],
    ['HTML', '<img src=x> a < b <!-- c -->', '&lt;img src=x> a < b &lt;!-- c -->'],
    [
      'a table with more than a query',
      '<table background="http://a.example">',
      '&lt;table background="http://a.example">',
    ],
    ['a language that is drawn', '```mermaid\nx\n```', '```\nx\n```'],
    ['what only looks like code', 'a ` b\n` ![x](u:v) `', 'a ` b\n` !\\[x]\\(u:v) `'],
    ['a fence that ends with its list', '1. a\n   ```\n![x](u:v)', '1. a\n   ```\n!\\[x]\\(u:v)'],
    [
      'code in a block of HTML, where it is none',
      '<grid cols="2"> `<a href="http://a.example">x</a>`\n`<b>`',
      '<grid cols="2"> `&lt;a href="http://a.example">x&lt;/a>`\n`&lt;b>`',
    ],
    [
      'a link after a fence that a lone carriage return closes',
      '```\na\r```\r<a href=x>',
      '```\na\n```\n&lt;a href=x>',
    ],
    ['backticks in two cells', '| ` | ![x](u:v) ` |', '| ` | !\\[x]\\(u:v) ` |'],
  ])('turns %s into text', (_what, text, inert) => {
    expect(inertMarkdown(text)).toBe(inert)
    expect(inertMarkdown(inert)).toBe(inert)
  })

  test('ends a block of HTML before a fence, which would have no meaning in it', () => {
    expect(inertMarkdown('<grid cols="2">\n```\n<a href=x>')).toBe('<grid cols="2">\n\n```\n<a href=x>')
    expect(inertMarkdown('<grid cols="2">\n\u00a0\n```\n<a href=x>')).toBe('<grid cols="2">\n\u00a0\n\n```\n<a href=x>')
  })

  test.each([
    '# A heading, **bold**, a list\n\n- one\n- two',
    'In all [375](q_0123456789ab.revenue.1), see [the other](docs/other.md#part).',
    '<grid cols="2">\n<chart query="q_0123456789ab" kind="line" x="month" y="revenue"/>\n</grid>',
    'Use `![x](y)` and `Array<string>`.',
    '```ts\nconst a: Array<string> = [] // ![x](y)\n```',
  ])('leaves Markdown without external references unchanged: %s', (text) => {
    expect(inertMarkdown(text)).toBe(text)
  })

  test.each([' `a`', '`a ``b ', '` '])(
    'reads half a megabyte of %j on one line in time linear in its length',
    (piece) => {
      const text = piece.repeat(Math.ceil(500_000 / piece.length))
      expect(inertMarkdown(text)).toBe(text)
    },
  )
})
