import { assert, property, string } from 'fast-check'
import { marked } from 'marked'
import { expect, test } from 'vitest'
import { MARKDOWN_WRITER } from './decision-text.ts'

const HOSTILE = [
  '[click](command:ken.dismiss)',
  '![x](https://evil.example/pixel.png)',
  '<img src=x onerror=alert(1)>',
  '<command:workbench.action.terminal.new>',
  'https://evil.example and www.evil.example and a@evil.example',
  '[x]: command:evil',
  '# heading\n- item\n1. one\n    code\n```sh\nrm\n```\n> quote\n| a | b |\n|---|---|',
  '&lt;b&gt; `code` **bold** ~~gone~~ $math$',
  'a\n===\nb\n---',
]

test.each(HOSTILE)('shows %j as text', (text) => {
  expect(marked.parse(MARKDOWN_WRITER.text(text), { async: false })).not.toMatch(/<(?!\/?p>|br)/)
})

test('text is converted only to paragraphs', () => {
  assert(
    property(string({ maxLength: 60 }), (text) => {
      expect(marked.parse(MARKDOWN_WRITER.text(text), { async: false })).not.toMatch(/<(?!\/?p>|br)/)
    }),
    { numRuns: 300 },
  )
})

test('text or address cannot close a link', () => {
  const link = MARKDOWN_WRITER.link('a](command:x) [b', 'file:///a(b).md')
  expect(marked.parse(link, { async: false }).trim()).toBe('<p><a href="file:///a%28b%29.md">a](command:x) [b</a></p>')
})
