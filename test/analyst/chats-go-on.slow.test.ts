import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readEventId, type ChatEvent } from '../../src/analyst/domain/chat/event.ts'
import { openAnalystDesk, type AnalystDesk } from './analyst-desk.ts'

let desk: AnalystDesk
beforeAll(async () => {
  desk = await openAnalystDesk()
}, 60_000)
afterAll(() => desk.close())
beforeEach(() => {
  desk.model.requests.length = 0
})

const sql = (text: string) => ({ call: { tool: 'execute_sql', input: { sql: text } } })
const never = new AbortController().signal
const collect = async (events: AsyncIterable<ChatEvent>): Promise<ChatEvent[]> => {
  const all: ChatEvent[] = []
  for await (const event of events) all.push(event)
  return all
}
const textOf = (events: readonly ChatEvent[], message: string): string =>
  events
    .flatMap((event) => {
      if (event.type === 'more' && event.message === message) return [event.text]
      return event.type === 'part' && event.message === message && event.part.kind === 'text' ? [event.part.text] : []
    })
    .join('')

describe('a chat', () => {
  test('continues after a restart with all messages and results', async () => {
    desk.model.reply = [sql('SELECT count(*) AS n FROM users'), 'There are 25.', 'As I said.']
    const first = await desk.ask('How many users?')
    await desk.restart()
    const second = await desk.ask('Are you sure?', { chat: first.chat })
    expect(second).toMatchObject({ chat: first.chat, text: 'As I said.' })
    const said = desk.model.requests.at(-1)!.said
    for (const text of ['How many users?', 'SELECT count(*) AS n FROM users', '25', 'There are 25.', 'Are you sure?'])
      expect(said).toContain(text)
  })

  test('is not found if it belongs to another folder', async () => {
    await expect(desk.ask('Hello', { chat: '01ARZ3NDEKTSV4RRFFQ69G5FAV' })).rejects.toThrow(/No chat/)
  })

  test('has at most one answer in progress', async () => {
    desk.model.reply = [{ say: 'Slowly, slowly.', slow: 60 }]
    const first = await desk.ask('Begin', { detach: true })
    await expect(desk.ask('And?', { chat: first.chat })).rejects.toThrow(/already being answered/)
    await collect(desk.context().turns.follow(first.chat, undefined, never))
  })
})

describe('a listener', () => {
  test('receives a detached turn to its end, from the beginning or from any position, without a gap', async () => {
    desk.model.reply = [
      { say: 'First I look. ', ...sql('SELECT count(*) AS n FROM users') },
      { say: 'Then I tell you at some length what I saw there.', slow: 15 },
    ]
    const { chat, message } = await desk.ask('Watch me', { detach: true })
    const turns = desk.context().turns
    const whole = await collect(turns.follow(chat, undefined, never))
    expect(textOf(whole, message)).toBe('First I look. Then I tell you at some length what I saw there.')
    expect(whole.at(-1)).toMatchObject({ type: 'end', end: { reason: 'answered' } })
    for (const [i, event] of whole.entries()) {
      if (!('id' in event) || event.type === 'end') continue
      const rest = await collect(turns.follow(chat, readEventId(event.id), never))
      const before = textOf(whole.slice(0, i + 1), message)
      expect(before + textOf(rest, message)).toBe(textOf(whole, message))
    }
  })

  test('joins late and receives each word once', async () => {
    desk.model.reply = [{ say: 'One word after the other, and no hurry at all.', slow: 20 }]
    const { chat, message } = await desk.ask('Slowly', { detach: true })
    await new Promise((passed) => setTimeout(passed, 150))
    const late = await collect(desk.context().turns.follow(chat, undefined, never))
    expect(textOf(late, message)).toBe('One word after the other, and no hurry at all.')
  })
})

describe('a conversation that fills the window', () => {
  test('continues with a compacted beginning, and keeps the queries by their ids', async () => {
    await desk.run('config_set', { name: 'model.window', value: '24000' })
    await desk.restart()
    const long = 'A long tale of many orders. '.repeat(1_600)
    desk.model.reply = [
      sql('SELECT count(*) AS n FROM users'),
      `${long} There are 25 users.`,
      (request) => {
        expect(request.said).toContain('You shorten a conversation')
        return 'Figures: there are 25 users. Open: nothing.'
      },
      (request) => {
        expect(request.said).not.toContain('A long tale')
        expect(request.said).toContain('there are 25 users')
        expect(request.said).toMatch(/q_[0-9a-f]{12} on shop, 1 rows of n: SELECT count\(\*\) AS n FROM users/)
        expect(request.said).toContain('And now?')
        return 'Still 25.'
      },
      (request) => (expect(request.said).not.toContain('A long tale'), '25 it stays.'),
    ]
    const first = await desk.ask('How many users?')
    const second = await desk.ask('And now?', { chat: first.chat })
    expect(second.text).toBe('Still 25.')
    expect((await desk.parts(first.chat)).some(({ kind }) => kind === 'compaction')).toBe(true)
    await desk.restart()
    expect((await desk.ask('Sure?', { chat: first.chat })).text).toBe('25 it stays.')
    await desk.run('config_unset', { name: 'model.window' })
    expect(desk.model.strays).toEqual([])
  })
})
