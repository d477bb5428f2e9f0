import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listen, type Listening } from '../src/surfaces/http/listen.ts'
import { buildOwnDataApp } from '../src/surfaces/http/sign-in/own-data-app.ts'

// More than the buffers of a connection hold, and incompressible.
const LARGE = randomBytes(16 * 1024 * 1024)

let server: Listening
beforeAll(async () => {
  const app = buildOwnDataApp({
    publicUrl: 'http://127.0.0.1',
    callerOf: async ({ url }) => ({
      person: new URL(url).search,
      organisation: 'o',
      role: 'member',
      through: 'browser',
      held: 's',
      session: 's',
      scopes: [],
      projects: undefined,
    }),
    sourceOf: () => 'here',
    async *filesOf() {
      yield { path: 'large.bin', size: LARGE.length, bytes: [LARGE] }
    },
    now: () => new Date(0),
    patience: 3_000,
  })
  server = await listen(app.fetch, 0)
})
afterAll(() => server.close())

const FORM = 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 0'

const download = (person: string): Promise<Response> =>
  fetch(`${server.url}/account/data?${person}`, { method: 'POST', body: new URLSearchParams() })

/** Requests everything, and reads only the first bytes. */
async function stall(person: string): Promise<Socket> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1').on('error', () => undefined)
  socket.write(`POST /account/data?${person} HTTP/1.1\r\nHost: 127.0.0.1\r\n${FORM}\r\n\r\n`)
  await once(socket, 'data')
  return socket.pause()
}

test('stalled downloads are ended, and do not block others', async () => {
  const stalled = await Promise.all(['a', 'b', 'c', 'd'].map(stall))
  expect((await download('e')).status).toBe(429)
  await expect.poll(async () => (await download('e').then(read)).status, { timeout: 60_000 }).toBe(200)
  for (const socket of stalled) socket.destroy()
})

test('a slow download continues', async () => {
  const response = await download('f')
  const chunks: Uint8Array[] = []
  for await (const chunk of response.body!) {
    if (chunks.length < 4) await new Promise((later) => setTimeout(later, 100))
    chunks.push(chunk)
  }
  expect(gunzipSync(Buffer.concat(chunks)).includes(LARGE)).toBe(true)
})

async function read(response: Response): Promise<Response> {
  await response.arrayBuffer()
  return response
}
