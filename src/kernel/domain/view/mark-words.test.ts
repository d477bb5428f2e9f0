import { expect, test } from 'vitest'
import { markMarkdown } from './mark-markdown.ts'
import { wordMarker } from './mark-words.ts'
import { spansOf } from './styled.ts'
import { PLAIN, screenView, type View } from './view.ts'

const view: View = screenView({ columns: 80, now: new Date(0), hasColour: true, verbose: false })
const marked = (question: string, text: string): string[] =>
  spansOf(wordMarker(question, view)(text))
    .filter(({ tones }) => tones.includes('match'))
    .map(({ text: found }) => found)

test('marks words in any form, but not filler words', () => {
  expect(marked('use caching for the reads', 'We use a cache; it caches each read for a day.')).toEqual([
    'cache',
    'caches',
    'read',
  ])
  expect(marked('redis', 'Redistribution is not Redis.')).toEqual(['Redis'])
})

test('finds parts of identifiers and of unspaced scripts', () => {
  expect(marked('retry backoff', 'see retryBackoff and retry_limit')).toEqual(['retryBackoff', 'retry_limit'])
  expect(marked('运维成本', '团队已经熟悉，运维成本更低')).toEqual(['运维成本'])
})

test('marks nothing without colours or without a question', () => {
  expect(wordMarker('cache', PLAIN)('a cache')).toBe('a cache')
  expect(marked('', 'a cache')).toEqual([])
})

test('a Markdown file keeps its text, with frontmatter dimmed and headings highlighted', () => {
  const text = '---\ndate: x\n---\n\n# Title\n\nBody # not a heading\n---\n'
  const spans = spansOf(markMarkdown(text, view))
  expect(spans.map((span) => span.text).join('')).toBe(text)
  expect(spans.filter(({ tones }) => tones.length > 0)).toEqual([
    { text: '---', tones: ['dim'] },
    { text: 'date: x', tones: ['dim'] },
    { text: '---', tones: ['dim'] },
    { text: '# Title', tones: ['title'] },
  ])
})
