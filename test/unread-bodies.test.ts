import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { afterBody } from '../src/surfaces/http/after-body.ts'
import { listen, type Listening } from '../src/surfaces/http/listen.ts'

let server: Listening
beforeAll(async () => {
  server = await listen(async ({ headers, url }) => {
    await setTimeout(1)
    return new Response(new URL(url).pathname, { status: headers.has('content-length') ? 413 : 200 })
  }, 0)
})
afterAll(() => server.close())

/** What a server says on one connection, and whether it still holds it. */
function talk(): { send(text: string): void; heard(): string; isOver(): boolean; close(): void } {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  let text = ''
  let isOver = false
  socket
    .on('data', (chunk) => (text += String(chunk)))
    .on('error', () => undefined)
    .on('close', () => (isOver = true))
  return {
    send: (more) => void socket.write(more),
    heard: () => text,
    isOver: () => isOver,
    close: () => void socket.destroy(),
  }
}

const headOf = (path: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${length}\r\n\r\n`

test('the connection on which a body was refused takes the next request, however slowly the body came', async () => {
  const line = talk()
  line.send(`${headOf('/refused', 8)}four`)
  await setTimeout(700)
  line.send('more')
  await expect.poll(line.heard).toContain('/refused')
  await setTimeout(700)
  line.send('GET /next HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
  await expect.poll(line.heard).toMatch(/ 413 [^]*\/refused[^]* 200 [^]*\/next/)
  expect(line.isOver()).toBe(false)
  line.close()
})

test('a body that does not come is not waited for', async () => {
  const line = talk()
  line.send(`${headOf('/refused', 8)}four`)
  await expect.poll(line.heard, { timeout: 5_000 }).toContain('/refused')
  await expect.poll(line.isOver, { timeout: 5_000 }).toBe(true)
})

test('a body that is far too large is refused before it comes', async () => {
  const answer = afterBody(() => new Response('refused'))
  const waits = (): never => {
    throw new Error('it is waited for')
  }
  const incoming = { complete: false, headers: { 'content-length': String(100 * 1024 * 1024) }, on: waits }
  expect(await (await answer(new Request(server.url), { incoming })).text()).toBe('refused')
})
