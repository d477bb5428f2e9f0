import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listen, afterBody, type Listening } from '../src/surfaces/http/listen.ts'

/** Handlers by path; they differ in how much of a body they read before it is refused. */
const REFUSALS: Readonly<Record<string, (request: Request) => unknown>> = {
  '/unread': () => setTimeout(1),
  '/looked-at': async (request) => [request.body?.locked, await setTimeout(1)],
  '/begun': (request) => request.body?.getReader().read(),
  async '/given-up'(request) {
    const reader = request.body?.getReader()
    await reader?.read()
    await reader?.cancel()
  },
}

let server: Listening
beforeAll(async () => {
  server = await listen(async (request) => {
    const { pathname } = new URL(request.url)
    if (!request.headers.has('content-length')) return new Response(pathname)
    await REFUSALS[pathname]!(request)
    return new Response(pathname, { status: 413 })
  }, 0)
})
afterAll(() => server.close())

/** Opens a connection and records the server's output and whether it is closed. */
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

test.each(Object.keys(REFUSALS))('a connection with a refused body accepts the next request: %s', async (path) => {
  const sent = async (pause: number): Promise<void> => {
    const line = talk()
    const [bytes, pieces] = [600_000, 8]
    line.send(headOf(path, bytes))
    for (let i = 0; i < pieces; i++) {
      line.send('x'.repeat(bytes / pieces))
      await setTimeout(pause)
    }
    await expect.poll(line.heard).toContain(path)
    // Longer than the server keeps reading after a response.
    await setTimeout(700)
    line.send('GET /next HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
    await expect.poll(line.heard).toMatch(/ 413 [^]* 200 [^]*\/next/)
    expect(line.isOver()).toBe(false)
    line.close()
  }
  await Promise.all([sent(0), sent(60)])
})

test('a partly read body is drained, however little of it was left', async () => {
  const left = async (bytes: number): Promise<void> => {
    const line = talk()
    line.send(`${headOf('/begun', bytes)}${'x'.repeat(bytes)}`)
    await expect.poll(line.heard).toContain('/begun')
    await setTimeout(700)
    expect([bytes, line.isOver()]).toEqual([bytes, false])
    line.close()
  }
  await Promise.all([1, 65_536, 65_537, 100_000, 131_072, 140_000, 200_000].map(left))
})

test('a body that never arrives is not waited for', async () => {
  const line = talk()
  line.send(`${headOf('/unread', 8)}four`)
  await expect.poll(line.heard, { timeout: 5_000 }).toContain('/unread')
  await expect.poll(line.isOver, { timeout: 5_000 }).toBe(true)
})

test('a body that is far too large is refused before it arrives', async () => {
  const answer = afterBody(() => new Response('refused'))
  const waits = (): never => {
    throw new Error('it is waited for')
  }
  const incoming = { removeAllListeners() {}, headers: { 'content-length': String(100 * 1024 * 1024) }, on: waits }
  expect(await (await answer(new Request(server.url), { incoming })).text()).toBe('refused')
})
