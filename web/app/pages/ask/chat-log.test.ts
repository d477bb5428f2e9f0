import { expect, test } from 'vitest'
import type { ChatEvent } from '../../../../src/analyst/domain/chat/event.ts'
import { NO_USAGE } from '../../../../src/kernel/domain/model-usage.ts'
import { EMPTY_LOG, hearAll, openAnswer, takenBack } from './chat-log.ts'

const message = (id: string, role: 'user' | 'assistant'): ChatEvent => ({
  type: 'message',
  message: { id, chat: 'c', role, at: '2026-05-04T09:30:00.000Z', superseded: false },
})
const text = (id: string, of: string, words: string): ChatEvent => ({
  type: 'part',
  id,
  message: of,
  part: { kind: 'text', text: words },
})
const end = (id: string, of: string): ChatEvent => ({
  type: 'end',
  id,
  message: of,
  end: { reason: 'answered', usage: NO_USAGE, milliseconds: 1, steps: 1 },
})

const ASKED = [message('q', 'user'), text('1.3', 'q', 'Why'), end('1.end', 'q'), message('a', 'assistant')]

test('an answer grows with its events, and is open until its end', () => {
  const first = hearAll(EMPTY_LOG, [...ASKED, text('2.3', 'a', 'Bec')])
  expect(openAnswer(first)?.id).toBe('a')
  const second = hearAll(first, [{ type: 'more', id: '2.7', message: 'a', text: 'ause' }, end('2.end', 'a')])
  expect(second.messages[1]!.parts).toEqual([{ kind: 'text', text: 'Because' }])
  expect(second.last).toBe('2.end')
  expect(openAnswer(second)).toBeUndefined()
})

test('earlier messages keep their identity, and held objects do not change', () => {
  const first = hearAll(EMPTY_LOG, [...ASKED, text('2.3', 'a', 'Bec')])
  const held = first.messages[1]!.parts
  const second = hearAll(first, [{ type: 'more', id: '2.7', message: 'a', text: 'ause' }])
  expect(second.messages[0]).toBe(first.messages[0])
  expect(held).toEqual([{ kind: 'text', text: 'Bec' }])
})

test('events applied in one batch or one by one have the same result', () => {
  const events = [...ASKED, text('2.3', 'a', 'Bec'), { type: 'more', id: '2.7', message: 'a', text: 'ause' } as const]
  const byOne = events.reduce((log, event) => hearAll(log, [event]), EMPTY_LOG)
  expect(byOne).toEqual(hearAll(EMPTY_LOG, events))
})

test('asking a question again removes it and everything after it', () => {
  const log = hearAll(EMPTY_LOG, [...ASKED, message('q2', 'user'), message('a2', 'assistant')])
  expect(takenBack(log, 'q2').messages.map(({ id }) => id)).toEqual(['q', 'a'])
  expect(takenBack(log, 'nobody')).toBe(log)
})

test('text for an unknown message is ignored', () => {
  expect(hearAll(EMPTY_LOG, [{ type: 'more', id: '9.1', message: 'x', text: '!' }]).messages).toEqual([])
})
