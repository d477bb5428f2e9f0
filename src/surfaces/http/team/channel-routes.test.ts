import { Hono } from 'hono'
import { afterEach, expect, test, vi } from 'vitest'
import { addChannels } from './channel-routes.ts'

afterEach(() => void vi.useRealTimers())

test('a stranger whose bodies never arrive does not block messages from others', async () => {
  vi.useFakeTimers()
  const app = new Hono()
  const hook = { read: async () => undefined, askReason: async () => undefined }
  const hooks = { hookOf: () => hook, take: async () => undefined, now: () => new Date(0) }
  const sources = { saw: () => undefined, of: ({ headers }: Request) => headers.get('x-from')! }
  addChannels(app, hooks, sources)
  const send = (from: string, body: string | ReadableStream) =>
    app.request('/hooks/slack/01K0PR0JECT000000000000001', {
      method: 'POST',
      body,
      headers: { 'x-from': from },
      ...({ duplex: 'half' } as RequestInit),
    })
  const held = Array.from({ length: 128 }, () => send('stranger', new ReadableStream()))
  expect((await send('stranger', '{}')).status).toBe(503)
  expect((await send('slack', '{}')).status).toBe(401)
  await vi.advanceTimersByTimeAsync(3_000)
  expect((await Promise.all(held)).filter(({ status }) => status === 401)).toHaveLength(32)
  expect((await send('stranger', '{}')).status).toBe(401)
})
