import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SqlDatabase } from '../../src/kernel/ports/sql-database.ts'
import { openChannelAsks } from '../../src/team/adapters/postgres-channel-asks.ts'
import type { ChannelAsks } from '../../src/team/ports/channel-asks.ts'
import { openNewDatabase } from '../postgres/run-server.ts'

let database: SqlDatabase
let asks: ChannelAsks
beforeAll(async () => {
  database = await openNewDatabase()
  asks = openChannelAsks(database)
})
afterAll(() => database?.close())

const AT = '2026-05-01T10:00:00.000Z'
const ask = (ts: string, more: object = {}) => ({
  id: `T1/C1/${ts}`,
  team: 'T1',
  channel: 'C1',
  thread: '1.0',
  user: 'U1',
  words: 'How many?',
  isMention: true,
  isReply: ts !== '1.0',
  ...more,
})

test('a message can be claimed until it is answered, keeps its notes, and is not visible to other projects', async () => {
  expect(await asks.take('shop', ask('1.0'), AT)).toBe(true)
  expect(await asks.take('shop', ask('1.0', { words: 'Something else' }), AT)).toBe(true)
  const files = { 'chart-1.png': { id: 'F1', isThere: false } }
  await asks.note('shop', 'T1/C1/1.0', { isPosting: true, posted: '1.1', person: 'ada', chat: 'c1', files })
  expect(await asks.find('shop', 'T1/C1/1.0')).toMatchObject({
    words: 'How many?',
    posted: '1.1',
    answer: undefined,
    files,
    isDone: false,
  })
  expect(await asks.find('other', 'T1/C1/1.0')).toBeUndefined()
  await asks.finish('shop', 'T1/C1/1.0', AT)
  expect(await asks.take('shop', ask('1.0'), AT)).toBe(false)
  expect(await asks.find('shop', 'T1/C1/1.0')).toMatchObject({ words: '', isDone: true })
})

test('a reply is accepted only from the person answered in its thread, and continues their chat', async () => {
  const reply = { isMention: false }
  expect(await asks.take('shop', ask('1.2', reply), AT)).toBe(true)
  expect(await asks.take('shop', ask('1.3', { ...reply, user: 'U2' }), AT)).toBe(false)
  expect(await asks.take('shop', ask('1.4', { ...reply, thread: '0.9' }), AT)).toBe(false)
  expect(await asks.take('other', ask('1.5', reply), AT)).toBe(false)
  expect(await asks.chatOf('shop', ask('1.2'), 'ada')).toBe('c1')
  expect(await asks.chatOf('shop', ask('1.2'), 'bob')).toBeUndefined()
})

test('a message is deleted after a month', async () => {
  await asks.take('shop', ask('9.0', { thread: '9.0' }), '2026-06-02T10:00:00.000Z')
  await asks.finish('shop', 'T1/C1/9.0', '2026-06-02T10:00:00.000Z')
  expect(await asks.find('shop', 'T1/C1/1.0')).toBeUndefined()
  expect(await asks.find('shop', 'T1/C1/9.0')).toMatchObject({ isDone: true })
})
