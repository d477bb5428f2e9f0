import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { LanguageModel } from '../../src/ports/language-model.ts'
import { openModelServer, type ModelServer } from '../models/model-server.ts'
import { GITHUB_TOKEN } from './secret-samples.ts'

export interface LanguageModelSubject {
  /** As the setting names it. */
  readonly id: string
  open(server: ModelServer): Promise<LanguageModel>
  readonly knownGaps?: Readonly<Record<string, string>>
}

/**
 * What every language model promises. `knownGaps` names rules that the subject breaks, with the reason; a stale entry
 * fails.
 */
export function describeLanguageModel({ id, open, knownGaps }: LanguageModelSubject): void {
  const rule = (title: string, body: () => Promise<void>) => (knownGaps?.[title] ? test.fails : test)(title, body)

  describe(`language model: ${id}`, () => {
    let server: ModelServer
    let model: LanguageModel
    beforeAll(async () => {
      server = await openModelServer(() => 'It is a queue.')
      model = await open(server)
    })
    afterAll(async () => {
      await model?.close()
      await server?.close()
    })
    beforeEach(() => {
      server.requests.length = 0
      server.reply = () => 'It is a queue.'
    })
    const write = (prompt: string, signal = new AbortController().signal): Promise<string> =>
      model.write({ system: 'Be brief.', prompt, maxTokens: 60, signal })

    rule('it is called as the setting names it', async () => {
      expect(model.id).toBe(id)
    })

    rule('nothing is sent before it is asked to write', async () => {
      await (await open(server)).close()
      expect(server.requests).toEqual([])
    })

    rule('it is told both texts, and what it says is the answer', async () => {
      expect(await write('What is it?')).toBe('It is a queue.')
      expect(server.requests).toHaveLength(1)
      expect(server.requests[0]!.said).toContain('Be brief.')
      expect(server.requests[0]!.said).toContain('What is it?')
    })

    rule('secrets are taken out of the prompt before it is sent', async () => {
      await write(`The token is ${GITHUB_TOKEN}.`)
      expect(server.requests[0]!.said).toContain('The token is')
      expect(JSON.stringify(server.requests[0]!.body)).not.toContain(GITHUB_TOKEN)
    })

    rule('no answer is `unavailable`, in words that are not the other side’s', async () => {
      for (const reply of [
        { status: 401 },
        { status: 500 },
        { raw: 'the fake says no' },
        { json: {} },
        '  ',
      ] as const) {
        server.reply = () => reply
        const error = await write('What is it?').catch((failure: unknown) => failure)
        expect(error).toMatchObject({ code: 'unavailable', message: expect.stringContaining(id) })
        expect((error as Error).message).not.toContain('the fake says no')
      }
    })

    rule('it is asked once: who asks has a deadline', async () => {
      server.reply = () => ({ status: 503 })
      await write('What is it?').catch(() => undefined)
      expect(server.requests).toHaveLength(1)
    })

    rule('a signal stops it, before and while it thinks, and that is `unavailable` too', async () => {
      server.reply = () => 'silence'
      const stopping = new AbortController()
      const running = write('What is it?', stopping.signal)
      const failed = expect(running).rejects.toMatchObject({ code: 'unavailable' })
      await expect.poll(() => server.requests.length).toBe(1)
      stopping.abort()
      await failed
      await expect(write('What is it?', AbortSignal.abort())).rejects.toMatchObject({ code: 'unavailable' })
      expect(server.requests).toHaveLength(1)
    })
  })
}
