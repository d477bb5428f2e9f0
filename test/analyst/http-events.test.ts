import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ChatEvent } from '../../src/analyst/domain/chat/event.ts'
import { openKen, type Ken } from '../../src/app/open.ts'
import { OPERATIONS } from '../../src/operations/all.ts'
import { serveHttp, type HttpServer } from '../../src/surfaces/http/serve.ts'
import { openScriptedModel, type ScriptedModel } from '../scripted-model.ts'
import { openEvents, type SentEvent } from './sent-events.ts'

const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-events-')))
const LONG = Array.from({ length: 20 }, (_, i) => `word${i} 🙂 é`).join(' ')
let model: ScriptedModel
let ken: Ken
let server: HttpServer
let headers: Record<string, string>

beforeAll(async () => {
  model = await openScriptedModel([], {
    scripts: {
      'say it slowly': () => ({ say: LONG, slow: 5 }),
      'never end': () => ({ say: 'well '.repeat(10_000), slow: 20 }),
      'be silent': () => ({ silence: true }),
      short: () => ({ say: 'Short.' }),
    },
  })
  ken = openKen(
    {
      HOME: place,
      KEN_HOME: join(place, 'home'),
      KEN_TELEMETRY: '0',
      KEN_EMBEDDINGS: '0',
      KEN_MODEL: 'compatible:scripted',
      KEN_MODEL_URL: `${model.url}/v1`,
    },
    () => {},
  )
  server = await serveHttp({
    operations: OPERATIONS,
    toolsets: ['record', 'data', 'app'],
    version: '0',
    port: 0,
    tokenPath: join(place, 'token'),
    heartbeat: 50,
    context: async (origin) => ken.context({ origin, cwd: place }),
  })
  headers = { authorization: `Bearer ${readFileSync(server.tokenPath, 'utf8').trim()}` }
}, 60_000)

afterAll(async () => {
  await server.close()
  await ken.close()
  await model.close()
  rmSync(place, { recursive: true, force: true })
})

const post = (name: string, input: object, more: RequestInit = {}) =>
  fetch(`${server.url}/v1/${name}`, {
    ...more,
    method: 'POST',
    headers: { ...headers, ...(more.headers as object) },
    body: JSON.stringify(input),
  })
const stream = (name: string, input: object) =>
  openEvents(() => post(name, input, { headers: { accept: 'text/event-stream' } }))
const follow = (chat: string, more: Record<string, string> = {}) =>
  openEvents((signal) =>
    fetch(`${server.url}/v1/chat_follow?chat=${chat}`, {
      signal,
      headers: { ...headers, accept: 'text/event-stream', ...more },
    }),
  )
const detached = async (question: string): Promise<string> =>
  ((await (await post('ask', { question, detach: true })).json()) as { chat: string }).chat

const chatEvents = (events: readonly SentEvent[]): ChatEvent[] =>
  events.filter(({ event }) => event === 'chat').map(({ data }) => data as ChatEvent)
const textOf = (events: readonly ChatEvent[], role: string): string => {
  const own = new Set(
    events.flatMap((event) => (event.type === 'message' && event.message.role === role ? [event.message.id] : [])),
  )
  return events
    .map((event) =>
      event.type === 'more' && own.has(event.message)
        ? event.text
        : event.type === 'part' && own.has(event.message) && event.part.kind === 'text'
          ? event.part.text
          : '',
    )
    .join('')
}

test('an answer streams as it is written, and ends with the result of a plain call', async () => {
  const events = await (await stream('ask', { question: 'say it slowly' })).rest()
  expect(events.at(-1)).toMatchObject({ event: 'answer', data: { text: LONG, end: 'answered' } })
  const chat = chatEvents(events)
  expect(chat.filter(({ type }) => type === 'more').length).toBeGreaterThan(5)
  expect(textOf(chat, 'assistant')).toBe(LONG)
  expect(textOf(chat, 'user')).toBe('say it slowly')
  expect(chat.at(-1)).toMatchObject({
    type: 'end',
    id: expect.stringMatching(/^\d+\.end$/),
    end: { reason: 'answered' },
  })
  for (const { event, id, data } of events) if (event === 'chat') expect(id).toBe((data as { id?: string }).id)
})

test('a client that reconnects in the middle of a text receives exactly the missing characters', async () => {
  const chat = await detached('say it slowly')
  const heard: SentEvent[] = []
  let last: string | undefined
  for (let isOver = false; !isOver;) {
    const listening = await follow(chat, last === undefined ? {} : { 'last-event-id': last })
    for (let count = 0; count < 7 && !isOver; count++) {
      const event = await listening.next()
      if (event === undefined || event.event === 'answer') isOver = true
      else heard.push(event)
      last = event?.id ?? last
    }
    listening.leave()
  }
  const events = chatEvents(heard)
  expect(textOf(events, 'assistant')).toBe(LONG)
  expect(events.filter(({ type }) => type === 'message')).toHaveLength(2)
  expect(events.filter((event) => event.type === 'end' && event.end.steps > 0)).toHaveLength(1)
  expect(new Set(events.flatMap((event) => ('id' in event ? [event.id] : []))).size).toBe(
    events.filter((event) => 'id' in event).length,
  )
})

test('a finished chat is replayed from its beginning, and sends nothing after its end', async () => {
  const chat = await detached('short one')
  await (await follow(chat)).rest()
  const again = await (await follow(chat)).rest()
  expect(textOf(chatEvents(again), 'assistant')).toBe('Short.')
  const end = again.findLast(({ event }) => event === 'chat')!.id!
  const after = await (
    await openEvents(() =>
      fetch(`${server.url}/v1/chat_follow?chat=${chat}&after=${end}`, {
        headers: { ...headers, accept: 'text/event-stream' },
      }),
    )
  ).rest()
  expect(after).toEqual([{ event: 'answer', id: undefined, data: expect.objectContaining({ chat, last: end }) }])
  const plain = await (await post('chat_follow', { chat })).json()
  expect((plain as { events: unknown[] }).events).toEqual(chatEvents(again))
})

test('a client that disconnects stops its own answer, down to the model, but not a detached one', async () => {
  const asked = await stream('ask', { question: 'never end' })
  const chat = await until(asked, (event) => (event.type === 'message' ? event.message.chat : undefined))
  await until(asked, (event) =>
    event.type === 'part' && event.part.kind === 'text' && event.part.text.startsWith('well') ? true : undefined,
  )
  asked.leave()
  expect(chatEvents(await (await follow(chat)).rest()).at(-1)).toMatchObject({
    type: 'end',
    end: { reason: 'stopped' },
  })
  const other = await detached('say it slowly')
  const listening = await follow(other)
  await listening.next()
  listening.leave()
  expect(textOf(chatEvents(await (await follow(other)).rest()), 'assistant')).toBe(LONG)
})

test('any caller can stop a turn, and a second turn in the same chat is refused until then', async () => {
  const chat = await detached('be silent')
  const second = await post('ask', { question: 'short', chat })
  expect([second.status, await second.json()]).toMatchObject([409, { error: { code: 'conflict' } }])
  expect(await (await post('chat_stop', { chat })).json()).toEqual({ chat, stopped: true })
  expect(chatEvents(await (await follow(chat)).rest()).at(-1)).toMatchObject({
    type: 'end',
    end: { reason: 'stopped' },
  })
  expect(await (await post('chat_stop', { chat })).json()).toEqual({ chat, stopped: false })
  const late = await post('chat_approve', { chat, call: 'call_1', answer: 'once' })
  expect(late.status).toBe(404)
})

test('a silent stream sends heartbeats', async () => {
  const chat = await detached('be silent')
  const response = await fetch(`${server.url}/v1/chat_follow?chat=${chat}`, {
    headers: { ...headers, accept: 'text/event-stream' },
  })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (!text.includes('\n:\n\n:\n\n')) text += (await reader.read()).value
  await reader.cancel()
  await post('chat_stop', { chat })
})

test('a refusal before the first event is a plain error, and GET also needs the token', async () => {
  const events = { accept: 'text/event-stream' }
  expect((await post('ask', {}, { headers: events })).status).toBe(400)
  expect((await post('chat_follow', { chat: 'nowhere' }, { headers: events })).status).toBe(404)
  expect((await post('chat_follow', { chat: 'last', after: 'x' }, { headers: events })).status).toBe(400)
  const get = (more: Record<string, string>, path = 'chat_follow?chat=last') =>
    fetch(`${server.url}/v1/${path}`, { headers: more })
  expect((await get(events)).status).toBe(401)
  expect((await get({ ...headers, ...events, origin: 'https://evil.example' })).status).toBe(403)
  expect((await get({ ...headers, ...events }, 'chat_stop?chat=last')).status).toBe(404)
})

async function until<T>(
  events: Awaited<ReturnType<typeof stream>>,
  found: (event: ChatEvent) => T | undefined,
): Promise<T> {
  for (let next = await events.next(); next !== undefined; next = await events.next()) {
    const value = next.event === 'chat' ? found(next.data as ChatEvent) : undefined
    if (value !== undefined) return value
  }
  throw new Error('The stream has ended.')
}
