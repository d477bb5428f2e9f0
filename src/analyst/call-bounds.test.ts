import { expect, test } from 'vitest'
import { openCallBounds, TOO_MUCH } from './call-bounds.ts'
import type { ChatPart } from './domain/chat/part.ts'
import { openTurns } from './running-turns.ts'
import { allowedIn, allowedKey } from './tool.ts'

const called = (id: string, input: unknown = {}) => ({ type: 'call' as const, id, name: 'add', input })
const asked = (tool: string): ChatPart => ({ kind: 'approval', call: 'call_1', tool, input: {} })
const said = (answer: 'chat' | 'no'): ChatPart => ({ kind: 'approved', call: 'call_1', answer })

test('a call with a reused id gets a new id, so that one approval does not apply to both calls', () => {
  const bounds = openCallBounds()
  expect(['a', 'a', 'a', 'b'].map((id) => bounds.take(called(id), 0)?.id)).toEqual(['a', 'a_2', 'a_3', 'b'])
})

test('drops calls beyond the limit and does not run calls with oversized arguments', () => {
  const bounds = openCallBounds()
  expect(bounds.take(called('a'), 63)).toBeDefined()
  expect(bounds.take(called('b'), 64)).toBeUndefined()
  const deep: unknown = JSON.parse('['.repeat(5_000) + ']'.repeat(5_000))
  expect(bounds.take(called('c', deep), 0)?.input).toBe(TOO_MUCH)
  expect(bounds.take(called('d', { text: 'x'.repeat(2_000_000) }), 0)?.input).toBe(TOO_MUCH)
  expect(bounds.take(called('e', { text: 'x'.repeat(1_000_000) }), 0)?.input).not.toBe(TOO_MUCH)
})

test('an approval for the chat applies to the call before it, even if a later call has the same id', () => {
  const parts = [asked('shelf__read'), said('chat'), asked('shelf__wipe'), said('no')]
  expect([...allowedIn(parts)]).toEqual([allowedKey({ name: 'shelf__read' })])
})

test('an approval applies only to the call of its chat, even if it arrives before the call waits for it', async () => {
  const turns = openTurns().of(() => Promise.reject(new Error('nothing is read')))
  const [one, other] = await Promise.all(['one', 'other'].map((chat) => turns.begin(chat, () => {})))
  const waits = { type: 'part', id: '1', message: 'm', part: asked('shelf__wipe') } as const
  one!.tell(waits)
  other!.tell(waits)
  expect(await turns.settle('other', 'call_1', 'once')).toBe(true)
  expect(await turns.settle('other', 'call_1', 'once')).toBe(false)
  expect(await other!.approval('call_1')).toBe('once')
  expect(await turns.settle('one', 'call_1', 'no')).toBe(true)
  expect(await one!.approval('call_1')).toBe('no')
  await one!.close()
  expect(await turns.settle('one', 'call_1', 'once')).toBe(false)
})
