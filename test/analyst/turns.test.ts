import { expect, test } from 'vitest'
import { openTurns } from '../../src/agent/running-turns.ts'

const turns = openTurns(() => Promise.reject(new Error('nothing is stored here')))
const asked = (call: string) =>
  ({ type: 'part', id: '1', message: 'm', part: { kind: 'approval', call, tool: 'add', input: {} } }) as const

test('a word on a call counts whether it comes before or after the turn waits for it, and once', async () => {
  const turn = turns.begin('a chat', () => {})
  turn.tell(asked('early'))
  expect([turns.settle('early', 'no'), turns.settle('early', 'once')]).toEqual([true, false])
  expect(await turn.approval('early')).toBe('no')
  turn.tell(asked('late'))
  const waiting = turn.approval('late')
  expect(turns.settle('late', 'chat')).toBe(true)
  expect(await waiting).toBe('chat')
  expect(turns.settle('unknown', 'once')).toBe(false)
  turn.close()
})

test('a chat has one turn at a time, and what waits when it is stopped or over is refused', async () => {
  let stopped = 0
  const turn = turns.begin('a chat', () => stopped++)
  expect(() => turns.begin('a chat', () => {})).toThrow('being answered already')
  const waiting = turn.approval('call')
  expect([turns.stop('a chat'), turns.stop('another'), stopped]).toEqual([true, false, 1])
  expect(await waiting).toBe('no')
  turn.close()
  expect(turns.isRunning('a chat')).toBe(false)
  turns.begin('a chat', () => {}).close()
})
