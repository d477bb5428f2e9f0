import {
  array,
  assert,
  boolean,
  constantFrom,
  date,
  type Arbitrary,
  nat,
  oneof,
  option,
  property,
  record,
  string,
  tuple,
} from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { parseSessionMarkdown, sessionFileId, sessionFileName, sessionMarkdown } from './markdown.ts'
import type { HarvestedSession, Turn } from './session.ts'

const session: HarvestedSession = {
  client: 'claude-code',
  id: 'ed7a3c3c-7b14-49f3-8c28-0a4c518c00db',
  kind: 'main',
  parentId: null,
  files: ['projects/p/x.jsonl'],
  projectDir: '/home/dev/orchard',
  projectHash: null,
  directory: '/home/dev/orchard',
  repo: null,
  gitBranch: 'main',
  clientVersion: '2.1.325',
  title: 'Fix 500 on empty: pear "baskets"',
  titleFrom: 'ai-title',
  startedAt: '2026-09-14T08:30:01.000Z',
  endedAt: '2026-09-14T08:30:55.000Z',
  archived: false,
  turns: [
    {
      role: 'user',
      text: 'Why does it fail?',
      at: '2026-09-14T08:30:01.000Z',
      queued: true,
      images: 2,
      files: ['theme, two.css'],
    },
    {
      role: 'assistant',
      text: 'It fails.\n\nBecause.',
      at: '2026-09-14T08:30:04.200Z',
      tools: [
        { name: 'Read', ok: true },
        { name: 'Bash', ok: false, detail: 'npm test -- --run pears' },
        { name: 'mcp__mem__recall', ok: false },
        { name: 'odd name, "so"', ok: null },
      ],
      aborted: true,
    },
  ],
  abandonedTurns: [],
  compactionSummaries: [{ at: '2026-09-14T08:30:50.000Z', text: 'So far: it fails.' }],
  badLines: 0,
  partialTail: false,
}
const place = { workspace: 'abcdef012345' }

describe('the session file', () => {
  test('has this format', () => {
    expect(sessionMarkdown(session, place)).toBe(`---
session: "ed7a3c3c-7b14-49f3-8c28-0a4c518c00db"
client: "claude-code"
kind: "main"
date: "2026-09-14"
started: "2026-09-14T08:30:01.000Z"
ended: "2026-09-14T08:30:55.000Z"
title: "Fix 500 on empty: pear \\"baskets\\""
project: "/home/dev/orchard"
workspace: "abcdef012345"
branch: "main"
version: "2.1.325"
---

# Fix 500 on empty: pear "baskets"

## User
> at: 2026-09-14T08:30:01.000Z
> queued: true
> images: 2
> files: ["theme, two.css"]

Why does it fail?

## Assistant
> at: 2026-09-14T08:30:04.200Z
> aborted: true
> tool Read (ok)
> tool Bash: npm test -- --run pears (failed)
> tool mcp__mem__recall (failed)
> tool "odd name, \\"so\\"" (unanswered)

It fails.

Because.

## Compaction summary
> at: 2026-09-14T08:30:50.000Z

So far: it fails.
`)
  })

  test('is parsed with the line range of each turn', () => {
    const read = parseSessionMarkdown(sessionMarkdown(session, place))
    expect(read).toMatchObject({
      session: session.id,
      title: session.title,
      project: '/home/dev/orchard',
      parent: null,
      version: '2.1.325',
      ...place,
    })
    expect(read.turns.map(({ line, endLine }) => [line, endLine])).toEqual([
      [17, 23],
      [25, 35],
    ])
    expect(read.summaries).toEqual([
      { at: '2026-09-14T08:30:50.000Z', text: 'So far: it fails.', line: 37, endLine: 40 },
    ])
  })

  test('can be parsed after a person edited it', () => {
    const edited = sessionMarkdown(session, place)
      .replace(/title: .*/, 'title: Pear baskets # mine')
      .replace('started: "', 'started:   "')
    expect(parseSessionMarkdown(edited)).toMatchObject({ title: 'Pear baskets', started: '2026-09-14T08:30:01.000Z' })
  })

  test.each([
    ['# Just a note\n', 'no frontmatter'],
    ['---\ntitle: "x"\n---\n', 'lacks session'],
    ['---\nsession: [\n---\n', 'not YAML'],
  ])('is damaged when it is %j', (text, words) => {
    const error = { code: 'damaged', message: expect.stringContaining(words), hint: expect.any(String) }
    expect(() => parseSessionMarkdown(text)).toThrow(expect.objectContaining(error))
  })
})

describe('text inside a turn', () => {
  const forgery = oneof(
    constantFrom(
      '## User',
      '## Assistant',
      '## Compaction summary',
      '## user',
      '   ## User ',
      '\\## User',
      '\\\\## Assistant',
      '##\tUser',
    ),
    constantFrom('---', 'session: "other"', '> at: 1999', '', '\\', '##'),
    string(),
    string({ unit: 'binary' }),
  )
  const text = array(forgery).map((lines) => lines.join('\n'))
  const at = date({ noInvalidDate: true, min: new Date(0), max: new Date('2099-01-01') }).map((day) =>
    day.toISOString(),
  )
  const aborted = boolean().map((yes) => (yes ? { aborted: true as const } : {}))
  const tool = record({ name: string({ minLength: 1 }), ok: constantFrom(true, false, null) })
  const detail = oneof(text, constantFrom('npm test', 'echo (failed)', 'x (ok)', '"quoted" first', '> at: 1999', ': x'))
  const tools = array(
    oneof(
      tool,
      tuple(tool, detail).map(([call, each]) => ({ ...call, detail: each })),
    ),
  )
  const userTurn: Arbitrary<Turn> = tuple(
    record({ text, at }),
    aborted,
    option(nat({ max: 9 }).map((n) => n + 1)),
    option(array(string(), { minLength: 1 })),
  ).map(([base, abort, images, files]) => ({
    role: 'user',
    ...base,
    ...abort,
    ...(images === null ? {} : { images }),
    ...(files === null ? {} : { files }),
  }))
  const assistantTurn: Arbitrary<Turn> = tuple(record({ text, at, tools }), aborted).map(([base, abort]) => ({
    role: 'assistant',
    ...base,
    ...abort,
  }))

  test('cannot forge a heading or a fact: every turn is parsed back unchanged', () => {
    assert(
      property(
        array(oneof(userTurn, assistantTurn)),
        text,
        option(string({ unit: 'binary', minLength: 1 })),
        (turns, summary, title) => {
          const compactionSummaries = [{ at: session.startedAt, text: summary }]
          const read = parseSessionMarkdown(sessionMarkdown({ ...session, title, turns, compactionSummaries }, place))
          expect(read.turns.map(({ line: _line, endLine: _endLine, ...turn }) => turn)).toEqual(turns)
          expect(read.summaries.map((each) => each.text)).toEqual([summary])
          expect([read.session, read.title]).toEqual([session.id, title])
        },
      ),
      { numRuns: 300 },
    )
  })

  test('frontmatter is valid YAML', () => {
    assert(
      property(string({ unit: 'grapheme' }), string({ unit: 'grapheme' }), (title, project) => {
        const [, yaml = ''] = sessionMarkdown({ ...session, title, projectDir: project }, place).split(/^---$/m)
        expect(parse(yaml)).toMatchObject({ session: session.id, title, project })
      }),
    )
  })
})

const named = (title: string | null, id = session.id, client = 'codex'): string =>
  sessionFileName({ client, id, title, startedAt: session.startedAt })

describe('the file name', () => {
  test('consists of the date, a slug of the title, and a short id', () => {
    expect(named('Fix 500 on  “empty” pear_baskets!')).toMatch(
      /^2026-09-14-fix-500-on-empty-pear-baskets-[0-9a-f]{12}\.md$/,
    )
    expect(named('Überprüfung der Äpfel')).toMatch(/^2026-09-14-uberprufung-der-apfel-[0-9a-f]{12}\.md$/)
    expect(named('日本語')).toMatch(/^2026-09-14-session-[0-9a-f]{12}\.md$/)
    expect(named(null)).toBe(named('日本語'))
    expect(named('word '.repeat(50)).length).toBeLessThan(80)
  })

  test('is safe in any file system', () => {
    assert(
      property(
        string({ unit: 'binary' }),
        string({ unit: 'binary' }),
        (title, id) => void expect(named(title, id)).toMatch(/^[a-z0-9-]+\.md$/),
      ),
    )
  })

  test('differs for sessions whose ids begin alike, and for the same id of two clients', () => {
    const ids = Array.from({ length: 5000 }, (_, i) => `019a0001-0000-7000-8000-${String(i).padStart(12, '0')}`)
    expect(new Set(ids.map((id) => sessionFileId({ client: 'codex', id }))).size).toBe(5000)
    expect(named('a', 'x', 'codex')).not.toBe(named('a', 'x', 'opencode'))
  })
})

test('rejects expensive frontmatter before parsing it', () => {
  const session = (frontmatter: string) => `---\n${frontmatter}\n---\n# Title\n\n## User\n\nHello.\n`
  const nested = (depth: number) => `session: x\nmore: ${'['.repeat(depth)}${']'.repeat(depth)}`
  expect(() => parseSessionMarkdown(session(nested(40)))).toThrow('its frontmatter is not one that Ken writes')
  expect(() => parseSessionMarkdown(session('session: "x'))).toThrow('its frontmatter is not YAML')
})

test('reads a file with all calls of a turn on one line', () => {
  const [head = ''] = sessionMarkdown(session, place).split('## User')
  const older = `${head}## Assistant\n> at: 2026-09-14T08:30:04.200Z\n> tools: Read ok, "odd name, \\"so\\"" unanswered\n\nDone.\n`
  expect(parseSessionMarkdown(older).turns).toMatchObject([
    {
      text: 'Done.',
      tools: [
        { name: 'Read', ok: true },
        { name: 'odd name, "so"', ok: null },
      ],
    },
  ])
})
