import { Hono } from 'hono'
import { afterEach, expect, test, vi } from 'vitest'
import { openAllowances } from '../../../kernel/domain/limits/allowance.ts'
import { addGitHooks } from './git-hooks.ts'
import { openRequestSources } from './request-source.ts'

afterEach(() => void vi.useRealTimers())

test('strangers with bodies that never arrive block push notifications for seconds only', async () => {
  vi.useFakeTimers()
  const app = new Hono()
  const door = { find: async () => undefined, pullSoon: async () => undefined }
  addGitHooks(app, door, { allowances: openAllowances(() => 0), sources: openRequestSources(0) })
  const send = (body: string | ReadableStream, length: number) =>
    app.request('/hooks/git/01K0PR0JECT000000000000001', {
      method: 'POST',
      body,
      headers: { 'content-length': String(length) },
      ...({ duplex: 'half' } as RequestInit),
    })
  const held = Array.from({ length: 16 }, () => send(new ReadableStream(), 1024 * 1024))
  expect((await send('{}', 2)).status).toBe(503)
  await vi.advanceTimersByTimeAsync(10_000)
  expect((await Promise.all(held)).map(({ status }) => status)).toEqual(held.map(() => 403))
  expect((await send('{}', 2)).status).toBe(403)
})
