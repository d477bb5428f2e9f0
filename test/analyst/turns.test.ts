import { expect, test } from 'vitest'
import { openTurns } from '../../src/analyst/running-turns.ts'

const turns = openTurns().of(() => Promise.reject(new Error('nothing is stored here')))
const asked = (call: string) =>
  ({ type: 'part', id: '1', message: 'm', part: { kind: 'approval', call, tool: 'add', input: {} } }) as const

test('accepts an approval before or after the turn waits for it, and only once', async () => {
  const turn = await turns.begin('a chat', () => {})
  turn.tell(asked('early'))
  expect(await turns.settle('a chat', 'early', 'no')).toBe(true)
  expect(await turns.settle('a chat', 'early', 'once')).toBe(false)
  expect(await turn.approval('early')).toBe('no')
  turn.tell(asked('late'))
  const waiting = turn.approval('late')
  expect(await turns.settle('a chat', 'late', 'chat')).toBe(true)
  expect(await waiting).toBe('chat')
  expect(await turns.settle('a chat', 'unknown', 'once')).toBe(false)
  await turn.close()
})

test('a chat has one turn at a time, and pending approvals are refused when it stops or ends', async () => {
  let stopped = 0
  const turn = await turns.begin('a chat', () => stopped++)
  await expect(turns.begin('a chat', () => {})).rejects.toThrow('already being answered')
  const waiting = turn.approval('call')
  expect([await turns.stop('a chat'), await turns.stop('another'), stopped]).toEqual([true, false, 1])
  expect(await waiting).toBe('no')
  await turn.close()
  expect(turns.isRunning('a chat')).toBe(false)
  await (await turns.begin('a chat', () => {})).close()
})
