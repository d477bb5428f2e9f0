import { expect, test } from 'vitest'
import { PLAIN } from '../../../kernel/domain/view/view.ts'
import { layOutStory } from './lay-out-story.ts'
import { drawnIn, queriesOf, readStory } from './read-story.ts'
import { plainInline, type LaidBlock, type StoryBlock } from './story-blocks.ts'
import { storyPage } from './story-page.ts'
import { splitAtTags } from './story-tags.ts'
import { storyText } from './story-text.ts'

const kinds = (text: string): string[] => readStory(text).blocks.map(({ kind }) => kind)
const faults = (text: string): string[] => readStory(text).faults.map(({ line, message }) => `${line}: ${message}`)
const page = (blocks: readonly LaidBlock[]): string =>
  storyPage({ title: 'T', lines: [], notices: [], blocks, pictures: new Map() })

test('parses Markdown into blocks', () => {
  expect(
    kinds(
      '# A\n\ntext\nmore\n\n- a\n- b\n\n1. x\n\n> q\n\n```sql\n<chart/>\n```\n\n---\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n',
    ),
  ).toEqual(['heading', 'paragraph', 'list', 'list', 'quote', 'code', 'rule', 'rows'])
})

test('a tag may span several lines, be inside a line of text, and have a closing tag', () => {
  const text = `Before <chart query="q_1"\n  kind='line' x=month y="a, b" title="A &quot;b&quot;"/> after.\n<chart query="q_2" kind="bar"></chart>\n<table query="q_3">\n`
  expect(kinds(text)).toEqual(['paragraph', 'chart', 'paragraph', 'chart', 'table'])
  expect(drawnIn(readStory(text).blocks)[0]).toEqual({
    kind: 'chart',
    line: 1,
    chart: { query: 'q_1', kind: 'line', title: 'A "b"', x: 'month', y: 'a, b', series_by: undefined },
  })
  expect(faults(text)).toEqual([])
  expect(queriesOf(text)).toEqual(['q_1', 'q_2', 'q_3'])
})

test('a grid has charts, tables and texts as cells', () => {
  const [grid] = readStory(
    '<grid cols="3"><chart query="q_1" kind="kpi" y="a"/><table query="q_2"/>\n### Why\nBecause.\n</grid>',
  ).blocks
  expect(grid).toMatchObject({ kind: 'grid', columns: 3 })
  expect((grid as Extract<StoryBlock, { kind: 'grid' }>).cells.map((cell) => cell.map(({ kind }) => kind))).toEqual([
    ['chart'],
    ['table'],
    ['heading', 'paragraph'],
  ])
})

test.each([
  ['x\n\n<chart kind="bar"/>', '3: <chart> needs the query it draws from: query="q_…"'],
  ['<chart query="q_1"/>', '1: <chart> needs a kind: bar, stacked_bar'],
  ['<chart query="../etc" kind="bar"/>', '1: "../etc" is no id of a query'],
  ['\n<chart query="q_1" kind="bar', '2: <chart> '],
  ['<chart query="q_1" kind="bar" @@/>', '1: <chart> cannot be read at "@@/>"'],
  ['a </grid>', '1: this </grid> closes no <grid>'],
  ['<grid cols="2">\ntext', '1: this <grid> has no </grid> of its own'],
  ['<grid cols="2"><grid></grid>', '1: this <grid> has no </grid> of its own'],
  ['<grid cols="9">a</grid>', '1: cols="9" is not a number from 1 to 4'],
  ['<table query="q_1" limit="all"/>', '1: limit="all" is not a number of rows'],
  ['a\nb </chart>', '2: this </chart> closes nothing'],
])('%j is reported with the fault: %s', (text, fault) => {
  expect(faults(text)[0]).toContain(fault)
})

test('shows unrecognised text as written, and does not read tags in code', () => {
  const text =
    'Say `<chart query="q_1" kind="bar"/>` and <chart kind="bar"/> and <table><tr></table>\n\n```\n<grid>\n```\n'
  expect(drawnIn(readStory(text).blocks)).toEqual([])
  const shown = storyText(layOutStory(text, new Map()).blocks, PLAIN)
  expect(shown).toContain('Say `<chart query="q_1" kind="bar"/>` and <chart kind="bar"/> and <table><tr></table>')
})

test('the joined pieces of a story equal its text', () => {
  const text = 'a <chart query="q_1"\nkind="bar"/> b\n<grid>\n<chart \n</grid> </table>\n```\n<chart/>\n```\n<chart a="'
  expect(
    splitAtTags(text)
      .map((piece) => piece.text)
      .join(''),
  ).toBe(text)
})

test('reads emphasis, code, links, figures and images, and leaves snake_case and lone marks as text', () => {
  const [block] = readStory(
    '**a *b*** `c*d` snake_case_name 2 * 3 * 4 [x](https://e.org) [5](q_1.n) ![i](http://e.org/i.png) <https://f.org> [open',
  ).blocks
  if (block?.kind !== 'paragraph') throw new Error('no paragraph')
  expect(block.inside.map(({ kind }) => kind).filter((kind) => kind !== 'text')).toEqual([
    'strong',
    'code',
    'link',
    'figure',
    'image',
    'link',
  ])
  expect(plainInline(block.inside)).toBe('a b c*d snake_case_name 2 * 3 * 4 x 5 i https://f.org [open')
})

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '[a](javascript:alert(1))',
  '[a](data:text/html,<script>alert(1)</script>)',
  '[a](JaVaScRiPt:alert(1))',
  '<javascript:alert(1)>',
  '![x](javascript:alert(1))',
  '[a](https://e.org/"onmouseover="alert(1))',
  '[a](https://e.org/ "><script>alert(1)</script>")',
  '`</code><script>alert(1)</script>`',
  '```\n</code></pre><script>alert(1)</script>\n```',
  '| <script> |\n|---|\n| <img src=x onerror=alert(1)> |',
  '# <svg onload=alert(1)>',
  '<chart query="q_1" kind="bar" title="<script>alert(1)</script>"/>',
  '<grid cols="2"><iframe src="//e.org"></iframe></grid>',
])('%j is inert on an HTML page', (text) => {
  const html = page(layOutStory(text, new Map()).blocks)
  const tags = [...html.matchAll(/<[^!/][^>]*>/g)]
    .map(([tag]) => tag)
    .filter((tag) => !/^<(?:meta|style|html|head|title|body|main|footer)\b/.test(tag))
  for (const tag of tags) {
    expect(tag).not.toMatch(/^<(?:script|img|iframe|svg|object|embed|link|form)\b/i)
    expect(tag.replaceAll(/"[^"]*"/g, '""')).not.toMatch(/\son\w+=|\ssrc=/i)
    expect(tag).not.toMatch(/href="(?!https?:|mailto:)/i)
  }
  expect(html).not.toContain('<script')
})

test('escapes characters that reverse or hide text', () => {
  expect(page(layOutStory('a\u202Eb\u200Bc', new Map()).blocks)).toContain('a\\u{202e}b\\u{200b}c')
})

test('draws two hundred of ten thousand charts, and reports the rest in a few lines', () => {
  const { blocks, faults: told } = readStory('<chart query="q_1" kind="bar" y="a"/>\n'.repeat(10_000))
  expect(drawnIn(blocks)).toHaveLength(200)
  expect(told).toHaveLength(51)
  expect(told.at(-1)!.message).toBe('9750 more faults like these')
})
