import { expect, test } from 'vitest'
import { AppError } from '../../src/kernel/domain/errors.ts'
import { openBodyBudget, whenRead } from '../../src/surfaces/http/body-budget.ts'
import { streamCall } from '../../src/surfaces/http/event-stream.ts'

const options = {
  heartbeat: 10_000,
  failure: (thrown: unknown) => Response.json({ error: { code: (thrown as AppError).code } }, { status: 400 }),
}
const request = (signal?: AbortSignal): Request => new Request('http://localhost/', signal && { signal })
const part = (id: string, text: string) => ({ type: 'part', id, message: 'm', part: { kind: 'text', text } }) as const
const more = (id: string, text: string) => ({ type: 'more', id, message: 'm', text }) as const

test('buffers at most the parts of the turn for a reader that does not read', async () => {
  const response = await streamCall(
    request(),
    async ({ hear, progress }) => {
      hear(part('1.1', 'a'))
      for (let i = 2; i <= 100_000; i++) hear(more(`1.${i}`, 'a'))
      for (let i = 0; i < 1_000; i++) progress('reading', i, 1_000)
      hear(part('2.1', 'b'))
      hear(more('2.2', 'b'))
      return { done: true }
    },
    options,
  )
  const sent = (await response.text()).split('\n\n').filter((event) => event.includes('data:'))
  expect(sent.map((event) => event.replace(/a{9,}/, 'a…a'))).toEqual([
    'id: 1.100000\nevent: chat\ndata: {"type":"part","id":"1.100000","message":"m","part":{"kind":"text","text":"a…a"}}',
    'event: progress\ndata: {"message":"reading","done":999,"total":1000}',
    'id: 2.2\nevent: chat\ndata: {"type":"part","id":"2.2","message":"m","part":{"kind":"text","text":"bb"}}',
    'event: answer\ndata: {"done":true}',
  ])
})

test('replaying waits for a slow reader', async () => {
  let told = 0
  const response = await streamCall(
    request(),
    async ({ hear }) => {
      for (let i = 1; i <= 1_000; i++) {
        await hear({ ...part(String(i), 'x'.repeat(10_000)), part: { kind: 'notice', text: 'x'.repeat(10_000) } })
        told = i
      }
      return {}
    },
    options,
  )
  const reader = response.body!.getReader()
  await reader.read()
  await new Promise((passed) => setTimeout(passed, 20))
  expect(told).toBeLessThan(100)
  let size = 0
  for (let next = await reader.read(); !next.done; next = await reader.read()) size += next.value.length
  expect([told, size > 9_000_000]).toEqual([1_000, true])
})

test('a reader that disconnects aborts the signal, and blocks nothing', async () => {
  let signal: AbortSignal | undefined
  let isOver = false
  const response = await streamCall(
    request(),
    async (call) => {
      signal = call.signal
      for (let i = 1; i <= 1_000; i++) await call.hear({ ...part(String(i), ''), part: { kind: 'notice', text: 'x' } })
      isOver = true
      return {}
    },
    options,
  )
  await response.body!.cancel()
  await new Promise((passed) => setTimeout(passed, 0))
  expect([signal!.aborted, isOver]).toEqual([true, true])
})

test('a failure is sent as a response before the first event, and as an event after it', async () => {
  const fails = async (): Promise<never> => {
    throw new AppError('not_found', 'Nothing.')
  }
  expect((await streamCall(request(), fails, options)).status).toBe(400)
  const later = await streamCall(request(), async ({ hear }) => (hear(part('1.1', 'a')), fails()), options)
  expect([later.status, (await later.text()).trimEnd().split('\n\n').at(-1)]).toEqual([
    200,
    'event: error\ndata: {"error":{"code":"not_found"}}',
  ])
})

test('all request bodies share one budget, which a stream releases when it is read or cancelled', async () => {
  const take = openBodyBudget(100, 60)
  const body = (length?: number) =>
    new Request('http://localhost/', {
      method: 'POST',
      headers: length === undefined ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(length) },
    })
  const first = take(body(50))!
  expect(take(body(51))).toBeUndefined()
  expect(take(new Request('http://localhost/'))).toBeDefined()
  first()
  first()
  const large = take(body(1_000_000))!
  expect(take(body(41))).toBeUndefined()
  large()
  const stream = () =>
    new Response(new ReadableStream({ pull: (c) => c.enqueue(new Uint8Array(1)) }), {
      headers: { 'content-type': 'text/event-stream' },
    })
  const held = take(body(60))!
  const response = whenRead(stream(), held)
  expect(take(body(50))).toBeUndefined()
  await response.body!.cancel()
  expect(take(body(50))).toBeDefined()
})
