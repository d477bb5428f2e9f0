import fc from 'fast-check'
import markdownIt from 'markdown-it'
import { marked } from 'marked'
import { describe, expect, test } from 'vitest'
import { inertMarkdown } from '../src/kernel/domain/text/inert-markdown.ts'

const it = markdownIt({ html: true, linkify: true })
const RENDERERS: readonly (readonly [string, (text: string) => string])[] = [
  ['markdown-it', (text) => it.render(text)],
  ['marked', (text) => marked.parse(text, { async: false, gfm: true })],
]

// Pieces of Markdown, and ways to put a foreign address into it.
const PIECES = [
  '![a](http://x.example/i.png)',
  '[b](http://x.example/l)',
  '![c][r]',
  '[c][r]',
  '[r]',
  '[r]: http://x.example/r',
  '[r]: <http://x.example/r> "t"',
  '<img src="http://x.example/h.png">',
  '<http://x.example>',
  '<a href="http://x.example">d</a>',
  '<style>@import "http://x.example"</style>',
  '<!--',
  '-->',
  '<div>',
  '</div>',
  '<grid cols="2">',
  '</grid>',
  '<chart query="q_0123456789ab" kind="bar"/>',
  '<table query="q_0123456789ab" background="http://x.example"/>',
  '!',
  '[',
  ']',
  '(',
  ')',
  '](',
  ':',
  '<',
  '>',
  '\\',
  '`',
  '``',
  '```',
  '~~~',
  '```mermaid',
  '    ',
  '\t',
  '- ',
  '1. ',
  '> ',
  '| ',
  '\n',
  '\n\n',
  '# ',
  '---',
  '*',
  '**',
  '_',
  '&#91;',
  '&lbrack;',
  '&#33;',
  'http://x.example/bare',
  'word',
  ' ',
  '\u200b',
  '\r\n',
  '\r',
  '\u00a0',
  '[^1]: ',
  '[^1]',
  '//x.example',
] as const

describe.each(RENDERERS)('exported Markdown rendered by %s', (_name, render) => {
  const strange = (text: string): readonly string[] => {
    const html = render(inertMarkdown(text))
    const tags = html.match(/<[a-z][^>]*>/gi) ?? []
    const loads = tags.filter(
      (tag) =>
        /\s(?:src|srcset|background|poster|style|data)\s*=/i.test(tag) ||
        /^<(?:img|style|link|iframe|object|svg)\b/i.test(tag),
    )
    const links = html.match(/<a\s[^>]*x\.example[^>]*>[^]*?<\/a>/gi) ?? []
    return [...loads, ...links.filter((link) => !link.slice(link.indexOf('>')).includes('x.example'))]
  }

  test('loads nothing and hides no address, whatever its pieces', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }), (pieces) => {
        expect(strange(pieces.join(''))).toEqual([])
      }),
      { numRuns: 3_000 },
    )
  })

  test('loads images and hides addresses without the protection', () => {
    expect(render('![a](http://x.example/i.png)')).toContain('<img')
    expect(render('[b](http://x.example/l)')).toContain('<a href')
  })
})
