import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Reranker } from '../../src/retrieval/ports/reranker.ts'
import { openScriptedModel, type ScriptedStep, type ScriptedModel } from '../scripted-model.ts'
import { GITHUB_TOKEN } from './secret-samples.ts'

export interface RerankerSubject {
  open(server: ScriptedModel): Promise<Reranker>
  /** Its server's answer with these scores from 0 to 1, in passage order. */
  answer(scores: readonly number[]): ScriptedStep
  readonly knownGaps?: Readonly<Record<string, string>>
}

const PASSAGES = ['The cat sleeps.', 'Jobs wait in a queue.', 'Dogs bark.', 'A queue is a list.']

/**
 * Contract of every reranker. `knownGaps` lists rules that the subject breaks, with the reason; a stale entry fails.
 */
export function describeReranker(name: string, subject: RerankerSubject): void {
  const rule = (title: string, body: () => Promise<void>) =>
    (subject.knownGaps?.[title] ? test.fails : test)(title, body)

  describe(`reranker: ${name}`, () => {
    let server: ScriptedModel
    let reranker: Reranker
    beforeAll(async () => {
      server = await openScriptedModel(() => subject.answer([0.1, 0.9, 0, 0.6]))
      reranker = await subject.open(server)
    })
    afterAll(async () => {
      await reranker?.close()
      await server?.close()
    })
    beforeEach(() => {
      server.requests.length = 0
      server.reply = () => subject.answer([0.1, 0.9, 0, 0.6])
    })
    const rerank = (query: string, passages = PASSAGES, signal = new AbortController().signal) =>
      reranker.rerank(query, passages, signal)

    rule('has an id with its kind and model', async () => {
      expect(reranker.id).toMatch(/^\w+:.+/)
    })

    rule('returns one score from 0 to 1 per passage, in order', async () => {
      expect(await rerank('How do jobs wait?')).toEqual([0.1, 0.9, 0, 0.6])
      expect(server.requests).toHaveLength(1)
      for (const text of ['How do jobs wait?', ...PASSAGES]) expect(server.requests[0]!.said).toContain(text)
    })

    rule('sends nothing for an empty list', async () => {
      expect(await rerank('How do jobs wait?', [])).toEqual([])
      expect(server.requests).toEqual([])
    })

    rule('redacts secrets in the query and passages', async () => {
      server.reply = () => subject.answer([0.5])
      await rerank(`Is ${GITHUB_TOKEN} a queue?`, [`The token of the queue is ${GITHUB_TOKEN}.`])
      expect(JSON.stringify(server.requests[0]!.body)).not.toContain(GITHUB_TOKEN)
    })

    rule('rejects an incomplete answer', async () => {
      for (const reply of [subject.answer([0.1, 0.9]), { garbage: 'nonsense' }, { json: {} }, { fail: 500 }] as const) {
        server.reply = () => reply
        await expect(rerank('How do jobs wait?')).rejects.toMatchObject({ code: 'unavailable' })
      }
    })

    rule('throws `unavailable` if a signal stops it before or during the request', async () => {
      server.reply = () => ({ silence: true })
      const stopping = new AbortController()
      const failed = expect(rerank('How do jobs wait?', PASSAGES, stopping.signal)).rejects.toMatchObject({
        code: 'unavailable',
      })
      await expect.poll(() => server.requests.length).toBe(1)
      stopping.abort()
      await failed
      await expect(rerank('How?', PASSAGES, AbortSignal.abort())).rejects.toMatchObject({ code: 'unavailable' })
    })
  })
}
