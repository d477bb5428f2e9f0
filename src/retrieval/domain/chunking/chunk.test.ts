import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chunkCode } from './chunk-code.ts'
import { chunkConversation } from './chunk-conversation.ts'
import { chunkMarkdown } from './chunk-markdown.ts'
import type { Definition } from './code-outline.ts'
import { chunkLines, type Chunk, CHUNK_CAP, CHUNK_OVERLAP } from './cut-chunks.ts'

const sentence = 'The cache is filled lazily and expires after an hour.'
const piece = fc.oneof(
  fc.constantFrom(
    '',
    '# Title',
    '## Section',
    '### Part',
    'Underlined',
    '=====',
    '---',
    '```ts',
    '```',
    '~~~',
    '| a | b |',
    '| - | - |',
    '- item',
    '1. item',
    '    indented code',
    '> quote',
    sentence,
    '\r',
    '## User',
    '## Assistant',
    '😀'.repeat(3_000),
    `x${'😀'.repeat(3_000)}`,
  ),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.integer({ min: 1, max: 400 }).map((n) => `${sentence} `.repeat(n)),
  fc.integer({ min: 1, max: 9_000 }).map((n) => 'x'.repeat(n)),
  fc.integer({ min: 1, max: 400 }).map((n) => `| row | ${n} |\n`.repeat(n)),
)
const document = fc
  .array(fc.tuple(piece, fc.constantFrom('\n', '\n', '\r\n', '\n\n', '')))
  .map((parts) => parts.flat().join(''))
const definitions = fc
  .array(
    fc.record({
      start: fc.integer({ min: 1, max: 60 }),
      size: fc.integer({ min: 0, max: 30 }),
      name: fc.constantFrom('open', 'close', 'Store'),
    }),
    { maxLength: 12 },
  )
  .map((found) =>
    found.map(({ start, size, name }): Definition => ({
      name,
      kind: 'function',
      within: [],
      startLine: start,
      endLine: start + size,
    })),
  )

const CHUNKERS: [string, (text: string, found: readonly Definition[]) => Chunk[]][] = [
  ['Markdown', chunkMarkdown],
  ['a conversation', chunkConversation],
  ['code', chunkCode],
  ['lines', chunkLines],
]

describe.each(CHUNKERS)('chunks of %s', (_kind, chunkText) => {
  test('are the whole document if joined without their overlaps', () => {
    fc.assert(
      fc.property(document, definitions, (text, found) => {
        let covered = 0
        let joined = ''
        for (const chunk of chunkText(text, found)) {
          expect(chunk.start).toBeLessThanOrEqual(covered)
          expect(chunk.end).toBeGreaterThan(covered)
          joined += chunk.text.slice(covered - chunk.start)
          covered = chunk.end
        }
        expect(joined).toBe(text)
      }),
    )
  })

  test('are not longer than the cap, and split no character', () => {
    fc.assert(
      fc.property(document, definitions, (text, found) => {
        for (const chunk of chunkText(text, found)) {
          expect(chunk.text.length).toBeLessThanOrEqual(CHUNK_CAP)
          expect(chunk.text.isWellFormed()).toBe(true)
        }
      }),
    )
  })

  test('have the line numbers of the document', () => {
    fc.assert(
      fc.property(document, definitions, (text, found) => {
        const lines = text.split('\n')
        for (const chunk of chunkText(text, found)) {
          const own = chunk.text.replace(/\n$/, '').split('\n')
          expect(chunk.endLine - chunk.startLine + 1).toBe(own.length)
          expect(lines[chunk.startLine - 1]).toContain(own[0])
          expect(lines[chunk.endLine - 1]).toContain(own.at(-1))
          for (let i = 1; i < own.length - 1; i++) expect(own[i]).toBe(lines[chunk.startLine - 1 + i])
        }
      }),
    )
  })

  test('an empty document has no chunks, and a 200 KB line has many', () => {
    expect(chunkText('', [])).toEqual([])
    const chunks = chunkText('word '.repeat(40_000), [])
    expect(chunks.length).toBeGreaterThan(45)
    for (const chunk of chunks) expect([chunk.startLine, chunk.endLine, chunk.text.endsWith(' ')]).toEqual([1, 1, true])
  })
})

const paragraphs = (count: number, topic: string) =>
  `${`${sentence} This is about ${topic}.\n`.repeat(4)}\n`.repeat(count)

describe('Markdown', () => {
  test('a chunk names the headings above it', () => {
    const text = `# Guide\n\n${paragraphs(20, 'guides')}## Setup\n\n${paragraphs(20, 'setup')}### Linux\n\n${paragraphs(20, 'linux')}`
    const headings = new Set(chunkMarkdown(text).map(({ heading }) => heading))
    expect([...headings]).toEqual(['Guide', 'Guide › Setup', 'Guide › Setup › Linux'])
  })

  test('cuts are made before headings, without overlap', () => {
    const text = ['One', 'Two', 'Three'].map((name) => `## ${name}\n\n${paragraphs(12, name)}`).join('')
    const chunks = chunkMarkdown(text)
    expect(chunks.map(({ text }) => text.split('\n')[0])).toEqual(['## One', '## Two', '## Three'])
  })

  test('a cut inside a section repeats its last lines', () => {
    const [first, second] = chunkMarkdown(paragraphs(40, 'everything'))
    const repeated = first!.end - second!.start
    expect(repeated).toBeGreaterThan(0)
    expect(repeated).toBeLessThanOrEqual(CHUNK_OVERLAP)
    expect(second!.text.startsWith(first!.text.slice(-repeated))).toBe(true)
  })

  test('a fence or table that fits stays whole, and comments in it are not headings', () => {
    const fence = `\`\`\`sh\n${'# install it\nnpm install\n'.repeat(170)}\`\`\`\n`
    const table = `| name | means |\n| --- | --- |\n${'| cache | filled lazily |\n'.repeat(165)}`
    for (const block of [fence, table]) {
      for (const before of [1, 4, 8, 12]) {
        const chunks = chunkMarkdown(`# Top\n\n${paragraphs(before, 'blocks')}${block}\n${paragraphs(8, 'more')}`)
        expect(chunks.filter(({ text }) => text.includes(block))).toHaveLength(1)
        expect(new Set(chunks.map(({ heading }) => heading))).toEqual(new Set(['Top']))
      }
    }
  })

  test('a fence of 36 KB is cut between its lines', () => {
    const code = Array.from({ length: 1_200 }, (_, i) => `const value${i} = compute(${i})\n`).join('')
    const chunks = chunkMarkdown(`# Code\n\n\`\`\`ts\n${code}\`\`\`\n`)
    expect(chunks.length).toBeGreaterThan(8)
    for (const chunk of chunks) expect(chunk.text.endsWith('\n')).toBe(true)
  })

  test('a line of endless spaces or symbols is parsed in one pass', () => {
    for (const line of [
      `#${' '.repeat(200_000)}x`,
      `# ${'# '.repeat(100_000)}`,
      '- '.repeat(100_000),
      '|-'.repeat(100_000),
      '`'.repeat(200_000),
    ]) {
      expect(
        chunkMarkdown(`${line}\n${line}`)
          .map(({ text }) => text)
          .join('').length,
      ).toBeGreaterThan(300_000)
    }
  })

  test('underlined headings count, frontmatter and rules do not', () => {
    const text = `---\ntitle: x\n---\n\nIntro\n=====\n\n${paragraphs(12, 'intro')}\n---\n\nUsage\n-----\n\n${paragraphs(12, 'usage')}`
    expect(chunkMarkdown(text).map(({ heading }) => heading)).toEqual(['', 'Intro › Usage'])
  })
})

const turn = (who: string, text: string) => `## ${who}\n> at: 2026-01-02T03:04:05.000Z\n\n${text}\n\n`

describe('a conversation', () => {
  test('a question stays with its answer and becomes its heading', () => {
    const text = `---\nsession: "s"\n---\n\n# Cache work\n\n${turn('User', 'Why Redis?')}${turn('Assistant', paragraphs(5, 'redis'))}${turn('User', 'And the queue?')}${turn('Assistant', paragraphs(60, 'queues'))}`
    const chunks = chunkConversation(text)
    const [first, second] = [
      chunks.find(({ text }) => text.includes('Why Redis?'))!,
      chunks.find(({ text }) => text.includes('And the queue?'))!,
    ]
    expect(first.text).toContain('This is about redis.')
    expect(first.heading).toBe('Cache work › Why Redis?')
    expect(second.text.startsWith('## User')).toBe(true)
    expect(chunks.at(-1)!.heading).toBe('Cache work › And the queue?')
    expect(chunks.at(-1)!.text).not.toContain('And the queue?')
  })

  test('short exchanges share a chunk', () => {
    const text = `# Talk\n\n${turn('User', 'One?')}${turn('Assistant', 'Yes.')}${turn('User', 'Two?')}${turn('Assistant', 'No.')}`
    expect(chunkConversation(text).map(({ heading }) => heading)).toEqual(['Talk › One?, Two?'])
  })
})

describe('the speaker in a conversation', () => {
  test('only a part written entirely by the assistant is a reply', () => {
    const text = `# Talk\n\n${turn('User', 'And the queue?')}${turn('Assistant', paragraphs(120, 'queues'))}${turn('User', paragraphs(120, 'caches'))}`
    const chunks = chunkConversation(text)
    const about = (matter: string) =>
      chunks
        .filter((chunk) => chunk.text.includes(`about ${matter}`) && !chunk.text.includes('## User'))
        .map(({ isReply }) => isReply)
    expect(chunks[0]!.isReply).toBe(false)
    expect(about('queues').length).toBeGreaterThan(1)
    expect(new Set(about('queues'))).toEqual(new Set([true]))
    expect(about('caches').length).toBeGreaterThan(1)
    expect(new Set(about('caches'))).toEqual(new Set([false]))
  })

  test('a file that begins with an answer is a reply, a file without turns is not', () => {
    expect(chunkConversation(`# Talk\n\n${turn('Assistant', 'Yes.')}`).map(({ isReply }) => isReply)).toEqual([true])
    expect(chunkConversation('# Notes\n\nNobody speaks.\n').map(({ isReply }) => isReply)).toEqual([false])
  })
})

const body = (lines: number) => '  doSomething(with, many, arguments)\n'.repeat(lines)
const at = (name: string, startLine: number, endLine: number, within: string[] = []): Definition => ({
  name,
  kind: 'function',
  within,
  startLine,
  endLine,
})

describe('code', () => {
  test('a definition includes the comments above it, and imports are separate', () => {
    const text = `import x from 'y'\n\n${'const a = 1\n'.repeat(120)}\n/** Opens it. */\n@decorated\nfunction open() {\n${body(60)}}\n`
    const chunks = chunkCode(text, [at('open', 126, 187)])
    expect(chunks.map(({ heading, startLine }) => [heading, startLine])).toEqual([
      ['', 1],
      ['open', 124],
    ])
  })

  test('small neighbours share a chunk that names them', () => {
    const text = 'function a() {}\nfunction b() {}\n'
    expect(chunkCode(text, [at('a', 1, 1), at('b', 2, 2)]).map(({ heading }) => heading)).toEqual(['a, b'])
  })

  test('cuts a class that is too long between its methods, and a method that is too long inside its body', () => {
    const text = `class Store {\n  open() {\n${body(60)}  }\n  load() {\n${body(300)}  }\n}\n`
    const chunks = chunkCode(text, [at('Store', 1, 366), at('open', 2, 63, ['Store']), at('load', 64, 365, ['Store'])])
    expect(chunks[0]!.heading).toBe('Store')
    expect(chunks[1]).toMatchObject({ heading: 'Store › open', startLine: 2, endLine: 63 })
    expect(chunks.filter(({ heading }) => heading === 'Store › load').length).toBeGreaterThan(2)
  })

  test('a class that ends with its last method does not name that method twice', () => {
    const text = `class Store:\n  def load():\n${body(300)}  def close():\n${body(2)}`
    const chunks = chunkCode(text, [
      at('Store', 1, 305),
      at('load', 2, 302, ['Store']),
      at('close', 303, 305, ['Store']),
    ])
    expect(chunks.at(-1)).toMatchObject({ heading: 'Store › close', startLine: 303, endLine: 305 })
  })
})
