import { describe, expect, test } from 'vitest'
import { assembleTurns, type SessionEvent } from './assemble.ts'
import { composeSession } from './compose.ts'

const at = (second: number): string => `2026-01-01T00:00:0${second}.000Z`
const user = (text: string, second = 0): SessionEvent => ({ kind: 'user', text, at: at(second) })
const assistant = (text: string, second = 0): SessionEvent => ({ kind: 'assistant', text, at: at(second) })
const tool = (name: string, ok: boolean | null = true): SessionEvent => ({ kind: 'tool', name, ok })
const texts = (events: readonly SessionEvent[]): string[] => assembleTurns(events).turns.map((turn) => turn.text)

describe('turns', () => {
  test('all assistant text up to the next human text is one turn, dated by its first text', () => {
    const events = [
      user('Go', 1),
      assistant('First.', 2),
      assistant('Then.', 3),
      user('Stop', 4),
      assistant('Stopped.', 5),
    ]
    const { turns, startedAt, endedAt } = assembleTurns(events)
    expect(turns).toEqual([
      { role: 'user', text: 'Go', at: at(1) },
      { role: 'assistant', text: 'First.\n\nThen.', at: at(2), tools: [] },
      { role: 'user', text: 'Stop', at: at(4) },
      { role: 'assistant', text: 'Stopped.', at: at(5), tools: [] },
    ])
    expect([startedAt, endedAt]).toEqual([at(1), at(5)])
  })

  test('tools belong to the text around them, or to the next text if there is none yet', () => {
    const { turns } = assembleTurns([
      user('Go'),
      tool('Edit'),
      user('Also this'),
      tool('Bash', false),
      assistant('Done.'),
      tool('Read', null),
    ])
    expect(turns[2]).toMatchObject({
      tools: [
        { name: 'Edit', ok: true },
        { name: 'Bash', ok: false },
        { name: 'Read', ok: null },
      ],
    })
  })

  test('a rollback removes whole user turns with their answers, and pending tools', () => {
    const before = [user('One'), assistant('1'), user('Two'), assistant('2'), user('Three'), tool('Bash')]
    const { turns, abandoned, history } = assembleTurns([
      ...before,
      { kind: 'rolled-back', turns: 2 },
      assistant('Again.'),
    ])
    expect(turns).toMatchObject([{ text: 'One' }, { text: '1\n\nAgain.', tools: [] }])
    expect(abandoned.map((turn) => turn.text)).toEqual(['Two', '2', 'Three'])
    expect(history).toHaveLength(5)
  })

  test('an abort marks the last turn', () => {
    expect(assembleTurns([user('Go'), { kind: 'aborted' }]).turns).toEqual([
      { role: 'user', text: 'Go', at: at(0), aborted: true },
    ])
    expect(assembleTurns([{ kind: 'aborted' }]).turns).toEqual([])
  })

  test('skips turns and summaries copied by a fork', () => {
    const copied = [user('One', 1), assistant('1', 2), { kind: 'compacted', text: 'So far: one.', at: at(3) } as const]
    const said = assembleTurns(
      [...copied, user('Two', 4), assistant('2', 5), { kind: 'compacted', text: 'So far: two.', at: at(6) }],
      2,
    )
    expect(said.turns.map((turn) => turn.text)).toEqual(['Two', '2'])
    expect(said.summaries.map((summary) => summary.text)).toEqual(['So far: two.'])
    expect([said.startedAt, said.endedAt]).toEqual([at(4), at(5)])
  })

  test('an image without words is a turn, an empty text is not', () => {
    const { turns } = assembleTurns([{ kind: 'user', text: ' ', at: at(0), images: 1 }, user('\n'), assistant('  ')])
    expect(turns).toEqual([{ role: 'user', text: '', at: at(0), images: 1 }])
  })

  test('text injected by Ken is removed', () => {
    const events = [
      user('<ken-context>rules</ken-context>'),
      user('Go'),
      assistant('As <ken-context a="1">the rules</ken-context>said.'),
    ]
    expect(texts(events)).toEqual(['Go', 'As said.'])
  })

  test('a pasted log is truncated with a notice', () => {
    expect(texts([user('x'.repeat(300_000))])).toEqual([
      `${'x'.repeat(200_000)}\n\n[100000 more characters were left out]`,
    ])
    expect(texts([user('🍐'.repeat(150_000))])).toEqual(['🍐'.repeat(150_000)])
  })
})

test('a path below the project is shown relative to it', () => {
  const call = (detail: string): SessionEvent => ({ kind: 'tool', name: 'Edit', ok: true, detail })
  const details = (projectDir: string, ...calls: string[]) => {
    const facts = { client: 'c', id: '1', kind: 'main', parentId: null, files: [], titles: [] } as const
    const said = assembleTurns([assistant('Done.'), ...calls.map(call)])
    const turn = composeSession({ ...facts, projectDir }, said)?.turns[0]
    return turn?.role === 'assistant' ? turn.tools.map(({ detail }) => detail) : []
  }
  expect(details('/home/dev/my-app (2)', '/home/dev/my-app (2)/src/x.ts', 'cat "/home/dev/my-app (2)/a b.md"')).toEqual(
    ['src/x.ts', 'cat "a b.md"'],
  )
  expect(details('/srv/app/', 'ls /srv/app/', 'ls /srv/apple/x', 'ls /old/srv/app/x', 'cd /srv/app')).toEqual([
    'ls /srv/app/',
    'ls /srv/apple/x',
    'ls /old/srv/app/x',
    'cd /srv/app',
  ])
  expect(details('C:\\app', 'C:\\app\\src\\x.ts')).toEqual(['src\\x.ts'])
  expect(details('/', '/etc/hosts')).toEqual(['/etc/hosts'])
})

describe('titles', () => {
  const facts = { client: 'c', id: '1', kind: 'main', parentId: null, files: [], projectDir: null } as const
  const titled = (
    titles: readonly (readonly ['summary' | 'ai-title', string | undefined])[],
    events: readonly SessionEvent[],
  ) => composeSession({ ...facts, titles }, assembleTurns(events))

  test('uses the first title with text in order of weight, else the first prompt', () => {
    expect(
      titled(
        [
          ['ai-title', ' '],
          ['summary', 'Pears'],
        ],
        [user('Go')],
      ),
    ).toMatchObject({ title: 'Pears', titleFrom: 'summary' })
    expect(titled([['summary', undefined]], [user('\n  Fix   it\nnow')])).toMatchObject({
      title: 'Fix it',
      titleFrom: 'first-prompt',
    })
    expect(titled([], [assistant('Hello.')])).toMatchObject({ title: null, titleFrom: null })
  })

  test('truncates the title of a long prompt at a word', () => {
    expect(titled([], [user('word '.repeat(100))])?.title).toBe(`${'word '.repeat(24).trim()}…`)
  })

  test('a session without text is ignored', () => {
    expect(titled([['summary', 'Pears']], [tool('Bash')])).toBeUndefined()
  })
})
