import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { listen, type Listening } from '../src/surfaces/http/listen.ts'

let server: Listening | undefined
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await server?.close()
})

/** The answer to a request on a separate connection, which stays open; empty if it was not accepted. */
const ask = (path = '/'): Promise<string> =>
  new Promise((answered) => {
    const socket = connect(Number(new URL(server!.url).port), '127.0.0.1')
    sockets.push(socket)
    socket
      .once('data', (bytes) => answered(String(bytes)))
      .on('error', () => undefined)
      .once('close', () => answered(''))
    socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`)
  })

test('keeps an idle connection open longer than a proxy does', async () => {
  server = await listen(() => new Response('here'), 0)
  const [, seconds] = /Keep-Alive: timeout=(\d+)/.exec(await ask()) ?? []
  expect(Number(seconds)).toBeGreaterThan(120)
})

test('idle connections are closed to make room, and those with a request in progress are kept', async () => {
  const connections = 20
  const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  server = await listen(
    async ({ url }) => {
      if (url.endsWith('/held')) {
        begun.resolve()
        await held.promise
      }
      return new Response('here')
    },
    0,
    { connections },
  )
  const first = ask('/held')
  await begun.promise
  for (const answer of await Promise.all(Array.from({ length: connections - 1 }, () => ask())))
    expect(answer).toContain('here')
  expect(await ask()).toBe('')
  await expect.poll(() => ask()).toContain('here')
  held.resolve()
  expect(await first).toContain('here')
})
