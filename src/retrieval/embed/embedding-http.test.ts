import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { describeEmbedder } from '../../../test/contract/embedder.contract.ts'
import { fail, hang, say, startEmbeddingServer, type EmbeddingServer } from '../../../test/embedding-server.ts'
import type { Redactor } from '../../kernel/ports/redactor.ts'
import type { HttpEmbedderParts } from './embedding-http.ts'
import { ollama } from './ollama/index.ts'
import { openai } from './openai/index.ts'

let server: EmbeddingServer
beforeAll(async () => {
  server = await startEmbeddingServer()
})
afterAll(() => server.close())
beforeEach(() => void server.asked.splice(0))
afterEach(() => void server.mishaps.splice(0))

const redactor: Redactor = { redact: async (text) => ({ text: text.replaceAll('hunter2', '***'), count: 0 }) }
const parts = (more: Partial<HttpEmbedderParts> = {}): HttpEmbedderParts & { redactor: Redactor } => ({
  model: 'some-model',
  url: server.url,
  key: undefined,
  redactor,
  signal: new AbortController().signal,
  ...more,
})

describeEmbedder('ollama', { open: () => ollama.open(parts()) })
describeEmbedder('any OpenAI-compatible endpoint', {
  open: () => openai.open(parts({ url: `${server.url}/v1` })),
})

describe('requests', () => {
  test('the id contains model, length and prefixes, so that vectors are never mixed', async () => {
    expect((await ollama.open(parts())).id).toBe('ollama:some-model:256:plain')
    expect((await ollama.open(parts({ model: 'nomic-embed-text:v1.5' }))).id).toBe(
      'ollama:nomic-embed-text:v1.5:256:nomic',
    )
    expect((await openai.open(parts({ model: 'odd name' }))).id).toBe('openai:odd-name:256:plain')
  })

  test('queries and documents have the prefixes of the model', async () => {
    const embedder = await ollama.open(parts({ model: 'nomic-embed-text' }))
    await embedder.embed(['sign in'], 'query')
    await embedder.embed(['Passwords.'], 'document')
    expect(server.asked.slice(1).map(({ texts }) => texts)).toEqual([
      ['search_query: sign in'],
      ['search_document: Passwords.'],
    ])
  })

  test('a URL may be given with or without its last path segments', async () => {
    for (const url of [server.url, `${server.url}/v1/`, `${server.url}/v1/embeddings`])
      await openai.open(parts({ url }))
    expect(server.asked.map(({ path }) => path)).toEqual(Array(3).fill('/v1/embeddings'))
  })

  test('the key is sent in the header, and secrets in a text are not sent', async () => {
    const embedder = await openai.open(parts({ key: 'k-1' }))
    await embedder.embed(['the password is hunter2'], 'document')
    expect(server.asked.at(-1)).toMatchObject({ authorization: 'Bearer k-1', texts: ['the password is ***'] })
  })

  test('many texts are sent in batches, long ones are cut, empty ones are not sent', async () => {
    const embedder = await ollama.open(parts())
    const texts = [
      ...Array.from({ length: 50 }, (_, i) => `text ${i}`),
      '',
      ...Array.from({ length: 12 }, () => 'word '.repeat(5_000)),
    ]
    const vectors = await embedder.embed(texts, 'document')
    expect(vectors).toHaveLength(63)
    const sent = server.asked.slice(1).map((request) => request.texts)
    expect(sent.flat()).toHaveLength(62)
    expect(Math.max(...sent.map((batch) => batch.length))).toBeLessThanOrEqual(32)
    expect(Math.max(...sent.map((batch) => batch.join('').length))).toBeLessThanOrEqual(60_000)
    expect(Math.max(...sent.flat().map((text) => text.length))).toBe(8_000)
  })
})

describe('server errors', () => {
  test('too many requests and a server error are retried after the requested delay', async () => {
    const embedder = await ollama.open(parts())
    server.mishaps.push(fail(429, '', { 'retry-after': '0' }), fail(503, ''))
    expect(await embedder.embed(['again'], 'query')).toHaveLength(1)
    expect(server.asked).toHaveLength(4)
  })

  test('gives up after a few tries, and at once if the requested delay is minutes', async () => {
    const embedder = await ollama.open(parts())
    server.mishaps.push(...Array(5).fill(fail(500, 'oops', { 'retry-after': '0' })))
    await expect(embedder.embed(['x'], 'query')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('failed (500'),
    })
    expect(server.asked).toHaveLength(4)
    server.mishaps.splice(0)
    server.mishaps.push(fail(429, '', { 'retry-after': '600' }))
    await expect(embedder.embed(['x'], 'query')).rejects.toMatchObject({ message: expect.stringContaining('429') })
    expect(server.asked).toHaveLength(5)
  })

  test('a hanging request fails at its deadline', async () => {
    server.mishaps.push(hang)
    await expect(ollama.open(parts({ patience: 50 }))).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('did not answer in time'),
    })
  })

  test('closing aborts pending requests', async () => {
    const embedder = await ollama.open(parts())
    server.mishaps.push(hang)
    const pending = embedder.embed(['x'], 'query')
    pending.catch(() => undefined)
    await embedder.close()
    await expect(pending).rejects.toMatchObject({ code: 'unavailable' })
  })

  test.each([
    ['no JSON', '<html>'],
    ['another shape', { error: 'no' }],
    ['too few vectors', { embeddings: [] }],
    ['an empty vector', { embeddings: [[]] }],
    ['no numbers', { embeddings: [[null, 1]] }],
  ])('an answer with %s is refused', async (_what, body) => {
    server.mishaps.push(say(body))
    await expect(ollama.open(parts())).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('cannot be read'),
    })
  })

  test('vectors with another length are refused, with the next step', async () => {
    const embedder = await ollama.open(parts())
    server.mishaps.push(say({ embeddings: [[1, 2, 3]] }))
    await expect(embedder.embed(['x'], 'query')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('3 numbers instead of 256'),
      hint: expect.stringContaining('ken embed'),
    })
  })

  test('reports a missing server or model in one line with the next step', async () => {
    await expect(ollama.open(parts({ url: 'http://127.0.0.1:1' }))).rejects.toMatchObject({
      code: 'unavailable',
      hint: expect.stringContaining('Start Ollama'),
    })
    await expect(ollama.open(parts({ model: 'missing' }))).rejects.toMatchObject({
      code: 'unavailable',
      hint: 'Run `ollama pull missing`.',
    })
    await expect(openai.open(parts({ model: 'missing' }))).rejects.toMatchObject({
      code: 'unavailable',
      hint: expect.stringContaining('search.embedder'),
    })
  })
})
