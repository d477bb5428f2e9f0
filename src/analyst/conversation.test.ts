import { expect, test } from 'vitest'
import { conversation } from './conversation.ts'
import type { ChatMessage } from './domain/chat/chat.ts'
import type { ChatPart } from './domain/chat/part.ts'

const message = (id: string, role: ChatMessage['role']): ChatMessage => ({
  id,
  chat: 'c',
  role,
  at: '',
  superseded: false,
})
const told = (...parts: readonly (readonly [message: string, part: ChatPart])[]) =>
  parts.map(([own, part], i) => ({ number: i + 1, message: own, at: '', part }))
const call = (id: string): ChatPart => ({ kind: 'call', call: id, tool: 'execute_sql', input: { sql: id } })
const result = (id: string, text = 'rows'): ChatPart => ({
  kind: 'result',
  call: id,
  tool: 'execute_sql',
  text,
  failed: false,
})
const MESSAGES = [message('u', 'user'), message('a', 'assistant')]

test('keeps a text between calls in its place', () => {
  const parts = told(
    ['u', { kind: 'text', text: 'How many?' }],
    ['a', { kind: 'text', text: 'I look.' }],
    ['a', call('1')],
    ['a', call('2')],
    ['a', result('2')],
    ['a', result('1')],
    ['a', { kind: 'text', text: 'Four.' }],
  )
  expect(conversation(MESSAGES, parts).map(({ role, content }) => [role, content.length])).toEqual([
    ['user', 1],
    ['assistant', 3],
    ['tool', 2],
    ['assistant', 1],
  ])
})

test('answers an interrupted call with a failed result', () => {
  const parts = told(['u', { kind: 'text', text: 'How many?' }], ['a', call('1')], ['a', call('2')], ['a', result('1')])
  expect(conversation(MESSAGES, parts).at(-1)).toEqual({
    role: 'tool',
    content: [
      { id: '1', name: 'execute_sql', text: 'rows', failed: false },
      { id: '2', name: 'execute_sql', text: 'It was not run: the turn ended before.', failed: true },
    ],
  })
})

test('begins with the last compaction and omits the messages it covers', () => {
  const parts = told(
    ['u', { kind: 'text', text: 'long ago' }],
    ['a', { kind: 'text', text: 'answered' }],
    ['v', { kind: 'text', text: 'and now?' }],
    ['b', { kind: 'compaction', summary: 'They met.', upTo: 2 }],
    ['b', { kind: 'text', text: 'Still.' }],
  )
  const all = conversation([...MESSAGES, message('v', 'user'), message('b', 'assistant')], parts)
  expect(JSON.stringify(all)).not.toContain('long ago')
  expect(all.map(({ role }) => role)).toEqual(['user', 'user', 'assistant'])
  expect(JSON.stringify(all[0])).toContain('They met.')
})

test('shortens old tool results but not recent ones', () => {
  const many = Array.from({ length: 4 }, (_, i) => message(`a${i}`, 'assistant'))
  const parts = told(
    ...many.flatMap(
      ({ id }) =>
        [
          [id, call(id)],
          [id, result(id, 'x'.repeat(5_000))],
        ] as const,
    ),
  )
  const lengths = conversation(many, parts)
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => (content[0] as { text: string }).text.length)
  expect(lengths.map((length) => length < 3_000)).toEqual([true, true, false, false])
})

test('text that was interrupted and repeated is included once', () => {
  const parts = told(
    ['u', { kind: 'text', text: 'How many?' }],
    ['a', { kind: 'text', text: 'I look.' }],
    ['a', call('1')],
    ['a', result('1')],
    ['a', { kind: 'text', text: 'There are fo' }],
    ['a', { kind: 'notice', text: 'The stream was cut. Asked once more.', again: true }],
    ['a', { kind: 'text', text: 'There are four.' }],
  )
  const all = JSON.stringify(conversation(MESSAGES, parts))
  expect(all).toContain('I look.')
  expect(all).toContain('There are four.')
  expect(all).not.toContain('There are fo"')
})
