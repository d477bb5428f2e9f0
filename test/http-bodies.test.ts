import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openKen, type Ken } from '../src/app/open.ts'
import type { Origin } from '../src/kernel/domain/origin.ts'
import { OPERATIONS } from '../src/operations/all.ts'
import { serveHttp, type HttpServer } from '../src/surfaces/http/serve.ts'

// Request bodies that never end, have a false length or arrive byte by byte.
const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-bodies-')))
const MEGABYTE = 1024 * 1024
let ken: Ken
let server: HttpServer
/** A second server, with short timeouts. */
let impatient: HttpServer
let token: string

beforeAll(async () => {
  ken = openKen({ HOME: place, KEN_HOME: join(place, 'home'), KEN_TELEMETRY: '0' }, () => {})
  const options = {
    operations: OPERATIONS,
    toolsets: ['record', 'memory'] as const,
    version: '0',
    port: 0,
    tokenPath: join(place, 'token'),
    context: async (origin: Origin) => ken.context({ origin, cwd: place }),
  }
  server = await serveHttp(options)
  impatient = await serveHttp({
    ...options,
    patience: { headersTimeout: 100, requestTimeout: 200, connectionsCheckingInterval: 20 },
  })
  token = readFileSync(server.tokenPath, 'utf8').trim()
})

afterAll(async () => {
  await server.close()
  await impatient.close()
  await ken.close()
  rmSync(place, { recursive: true, force: true })
})

interface Answer {
  readonly text: string
  /** Bytes of the body sent before the server closed the connection. */
  readonly sent: number
}

/** Sends the head and then body parts until the server closes the connection. */
function talk(head: string, next: (sent: number) => Buffer | string | undefined, to = server): Promise<Answer> {
  return new Promise((done) => {
    const socket: Socket = connect(Number(new URL(to.url).port), '127.0.0.1')
    let text = ''
    let sent = 0
    let isOver = false
    const finish = () => {
      isOver = true
      socket.destroy()
      done({ text, sent })
    }
    const pump = () => {
      if (isOver) return
      const part = next(sent)
      if (part === undefined) return
      sent += part.length
      if (socket.write(part)) setImmediate(pump)
      else socket.once('drain', pump)
    }
    socket
      .on('data', (chunk) => (text += String(chunk)))
      .on('close', finish)
      .on('error', finish)
    socket.write(head, pump)
  })
}

const headOf = (path: string, lines: readonly string[], bearer = token) =>
  [
    `POST ${path} HTTP/1.1`,
    `Host: 127.0.0.1`,
    `Authorization: Bearer ${bearer}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    ...lines,
    '',
    '',
  ].join('\r\n')

const chunk = (bytes: Buffer | string) => `${bytes.length.toString(16)}\r\n${String(bytes)}\r\n`
const ENDLESS = chunk(' '.repeat(64 * 1024))

describe.each(['/v1/memory_search', '/mcp'])('%s', (path) => {
  test('a length beyond the limit is refused with 413 before the body is sent', async () => {
    const { text, sent } = await talk(headOf(path, [`Content-Length: ${100 * MEGABYTE}`]), () => undefined)
    expect(text).toMatch(/^HTTP\/1.1 413/)
    expect(sent).toBe(0)
  })

  test('endless chunks are refused with 413 once they exceed the limit, and the connection is closed', async () => {
    const { text, sent } = await talk(headOf(path, ['Transfer-Encoding: chunked']), () => ENDLESS)
    expect(text).toMatch(/^HTTP\/1.1 413/)
    expect(sent).toBeGreaterThan(4 * MEGABYTE)
  })

  test('a body with neither length nor chunks is empty', async () => {
    const { text } = await talk(headOf(path, ['Connection: close']), () => undefined)
    expect(text).toMatch(/^HTTP\/1.1 400/)
  })

  test.each(['-1', 'abc', '1e9', '0x10', '12, 13'])('a length of %s is not a valid request', async (length) => {
    const { text } = await talk(headOf(path, [`Content-Length: ${length}`]), () => undefined)
    expect(text).toMatch(/^HTTP\/1.1 400/)
  })

  test('a length together with chunks is not a valid request', async () => {
    const { text } = await talk(headOf(path, ['Content-Length: 5', 'Transfer-Encoding: chunked']), () => undefined)
    expect(text).toMatch(/^HTTP\/1.1 400/)
  })

  test('a body shorter than its declared length times out', async () => {
    const { text } = await talk(
      headOf(path, ['Content-Length: 1000']),
      (sent) => (sent === 0 ? '{"query":' : undefined),
      impatient,
    )
    expect(text).toMatch(/^HTTP\/1.1 408|^$/)
    expect(text).not.toMatch(/^HTTP\/1.1 200/)
  })

  test('a body that arrives byte by byte is aborted', async () => {
    const { text } = await talk(
      headOf(path, ['Transfer-Encoding: chunked']),
      (sent) => (sent < 600 ? '1\r\n \r\n' : undefined),
      impatient,
    )
    expect(text).not.toMatch(/^HTTP\/1.1 200/)
  })

  test('an endless body without the token is rejected, and none of it is stored', async () => {
    const { text } = await talk(headOf(path, ['Transfer-Encoding: chunked'], 'wrong'), () => ENDLESS)
    expect(text).toMatch(/^HTTP\/1.1 401/)
  })

  test('deep nesting gets an answer, and the server continues', async () => {
    const body = `{"query":${'['.repeat(500_000)}${']'.repeat(500_000)}}`
    const { text } = await talk(headOf(path, [`Content-Length: ${body.length}`, 'Connection: close']), (sent) =>
      sent === 0 ? body : undefined,
    )
    expect(text).toMatch(/^HTTP\/1.1 400/)
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
  })
})

test('endless headers are aborted', async () => {
  const { text } = await talk(
    'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ',
    (sent) => (sent < 200 ? 'a' : undefined),
    impatient,
  )
  expect(text).toMatch(/^HTTP\/1.1 408|^$/)
})

test('headers beyond their limit are refused', async () => {
  const { text } = await talk(headOf('/mcp', [`X-Large: ${'a'.repeat(64 * 1024)}`]), () => undefined)
  expect(text).toMatch(/^HTTP\/1.1 431/)
})

test('a body within the limit is accepted', async () => {
  const body = JSON.stringify({ query: 'x'.repeat(20_000) })
  const { text } = await talk(
    headOf('/v1/memory_search', [`Content-Length: ${body.length}`, 'Connection: close']),
    (sent) => (sent === 0 ? body : undefined),
  )
  expect(text).toMatch(/^HTTP\/1.1 200/)
})
