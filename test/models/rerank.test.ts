import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openModelExpansion } from '../../src/analyst/adapters/model-expand.ts'
import { openAiSdkModel } from '../../src/analyst/model/index.ts'
import { secretRedactor } from '../../src/kernel/domain/secrets/redact.ts'
import { openHttpReranker } from '../../src/retrieval/adapters/http-rerank.ts'
import { openModelReranker } from '../../src/analyst/adapters/model-rerank.ts'
import { openScriptedModel, type ScriptedModel } from '../scripted-model.ts'
import { passagesIn } from './passages-in.ts'

let server: ScriptedModel
beforeAll(async () => void (server = await openScriptedModel(() => 'hello')))
beforeEach(() => void (server.requests.length = 0))
afterAll(() => server.close())

const never = new AbortController().signal
const PASSAGES = ['about cats', 'about queues', 'about dogs']
const open = (more: { model?: string; key?: string } = {}) => openHttpReranker({ url: `${server.url}/v1/rerank`, model: more.model, key: more.key, redactor: secretRedactor })

describe('a rerank endpoint', () => {
  test.each([
    ['results, best first, as Cohere, Jina, llama.cpp and vLLM', { results: [{ index: 1, relevance_score: 0.9 }, { index: 0, relevance_score: 0.1 }, { index: 2, relevance_score: 0 }] }],
    ['data, as Voyage', { object: 'list', data: [{ index: 1, relevance_score: 0.9 }, { index: 0, relevance_score: 0.1 }, { index: 2, relevance_score: 0 }] }],
    ['a bare list, as text-embeddings-inference', [{ index: 1, score: 0.9 }, { index: 0, score: 0.1 }, { index: 2, score: 0 }]],
  ])('may answer with %s', async (_who, json) => {
    server.reply = () => ({ json })
    expect(await open({ model: 'm', key: 'k-9' }).rerank('queues', PASSAGES, never)).toEqual([0.1, 0.9, 0])
    expect(server.requests).toMatchObject([{ path: '/v1/rerank', headers: { authorization: 'Bearer k-9' }, body: { model: 'm', query: 'queues', documents: PASSAGES } }])
  })

  test('is called again with `texts` if it accepts only that format, and directly the next time', async () => {
    server.reply = ({ body }) => (body.texts === undefined ? { fail: 422 } : { json: body.texts.map((_: string, index: number) => ({ index, score: 0.5 })) })
    const reranker = open()
    expect(await reranker.rerank('queues', PASSAGES, never)).toEqual([0.5, 0.5, 0.5])
    expect(await reranker.rerank('dogs', PASSAGES, never)).toEqual([0.5, 0.5, 0.5])
    expect(server.requests.map(({ body }) => Object.keys(body))).toEqual([['query', 'documents'], ['query', 'texts', 'truncate'], ['query', 'texts', 'truncate']])
  })

  test('has its logits scaled to 0 to 1, in the same order', async () => {
    server.reply = () => ({ json: { results: [{ index: 0, relevance_score: -7 }, { index: 1, relevance_score: 5 }, { index: 2, relevance_score: 0 }] } })
    const scores = await open().rerank('queues', PASSAGES, never)
    expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true)
    expect([scores[0]! < scores[2]!, scores[2]! < scores[1]!]).toEqual([true, true])
  })

  test.each([
    ['leaves a passage out', { json: { results: [{ index: 0, relevance_score: 1 }] } }],
    ['gives no numbers', { json: { results: PASSAGES.map((_, index) => ({ index, relevance_score: 'high' })) } }],
    ['gives no scores', { json: { results: PASSAGES.map((_, index) => ({ index })) } }],
    ['talks of something else', { json: { ok: true } }],
    ['answers nonsense', { garbage: 'nonsense' }],
    ['fails', { fail: 500 }],
    ['refuses', { fail: 401 }],
    ['points elsewhere', { fail: 307, headers: { location: 'http://127.0.0.1:1/' } }],
  ])('is unavailable if it %s', async (_what, reply) => {
    server.reply = () => reply
    await expect(open().rerank('queues', PASSAGES, never)).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('gets no secret, neither in the query nor in a passage', async () => {
    const secret = ['gh', 'p_', 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY1zA2'].join('')
    server.reply = () => ({ json: [{ index: 0, score: 1 }] })
    await open().rerank(`who leaked ${secret}`, [`token: ${secret}`], never)
    expect(server.requests[0]!.body).toEqual({ query: 'who leaked [redacted]', documents: ['token: [redacted]'] })
  })
})

describe('a language model', () => {
  const model = () => openAiSdkModel({ provider: 'compatible', model: 'tiny', place: { url: `${server.url}/v1`, access: {} }, facts: { window: 32_000 }, redactor: secretRedactor })

  test('marks passages, and its marks become scores', async () => {
    server.reply = ({ said }) => passagesIn(said).map((passage, at) => `${at + 1}: ${passage.includes('queues') ? 9 : 1}`).join('\n')
    expect(await openModelReranker(await model()).rerank('queues', PASSAGES, never)).toEqual([0.1, 0.9, 0.1])
  })

  test('gets the relevant part of a long passage, so that thirty fit', async () => {
    server.reply = ({ said }) => passagesIn(said).map((_, at) => `${at + 1}: 5`).join('\n')
    const long = `${'Weather is fine.\n'.repeat(200)}The queue is in PostgreSQL.\n${'Weather is fine.\n'.repeat(200)}`
    await openModelReranker(await model()).rerank('where is the queue', Array.from({ length: 30 }, () => long), never)
    const shown = passagesIn(server.requests[0]!.said)
    expect(shown).toHaveLength(30)
    expect(shown.every((passage) => passage.includes('The queue is in PostgreSQL.'))).toBe(true)
    expect(server.requests[0]!.said.length).toBeLessThan(16_000)
  })

  test.each(['I would say passage 2.', '1: 5\n2: 5', '{"1": 5}'])('is unavailable if its answer has no marks: %j', async (said) => {
    server.reply = () => said
    await expect(openModelReranker(await model()).rerank('queues', PASSAGES, never)).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('rephrases a query, or returns nothing', async () => {
    server.reply = () => '1. job queue\n2. background work'
    const expansion = openModelExpansion(await model())
    expect(await expansion.expand('queues', never)).toEqual(['job queue', 'background work'])
    server.reply = () => `Certainly! ${'I can help you with that. '.repeat(30)}`
    await expect(expansion.expand('queues', never)).rejects.toMatchObject({ code: 'unavailable' })
  })
})
