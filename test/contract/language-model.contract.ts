import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ConverseRequest, LanguageModel, ModelEvent, ModelMessage } from '../../src/kernel/ports/language-model.ts'
import { openScriptedModel, type ScriptedModel } from '../scripted-model.ts'
import { GITHUB_TOKEN } from './secret-samples.ts'

export interface LanguageModelSubject {
  /** The model id, as in the setting. */
  readonly id: string
  open(server: ScriptedModel): Promise<LanguageModel>
  /** Required contents of a request that returns the thought and the call of the previous one. */
  readonly carries?: readonly string[] | undefined
  readonly knownGaps?: Readonly<Record<string, string>> | undefined
}

const SOON = { interval: 5 }

/**
 * Contract of every language model. `knownGaps` lists rules that the subject breaks, with the reason; a stale entry
 * fails.
 */
export function describeLanguageModel({ id, open, carries, knownGaps }: LanguageModelSubject): void {
  const rule = (title: string, body: () => Promise<void>) => (knownGaps?.[title] ? test.fails : test)(title, body)

  describe(`language model: ${id}`, () => {
    let server: ScriptedModel
    let model: LanguageModel
    beforeAll(async () => {
      server = await openScriptedModel(() => 'It is a queue.')
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

    rule('has the id of its setting', async () => {
      expect(model.id).toBe(id)
    })

    rule('sends nothing before the first request', async () => {
      await (await open(server)).close()
      expect(server.requests).toEqual([])
    })

    rule('sends system and prompt, and returns the answer', async () => {
      expect(await write('What is it?')).toBe('It is a queue.')
      expect(server.requests).toHaveLength(1)
      expect(server.requests[0]!.said).toContain('Be brief.')
      expect(server.requests[0]!.said).toContain('What is it?')
    })

    rule('redacts secrets in the prompt', async () => {
      await write(`The token is ${GITHUB_TOKEN}.`)
      expect(server.requests[0]!.said).toContain('The token is')
      expect(JSON.stringify(server.requests[0]!.body)).not.toContain(GITHUB_TOKEN)
    })

    rule('throws `unavailable` without an answer, and does not quote the provider', async () => {
      for (const reply of [
        { fail: 401 },
        { fail: 500 },
        { garbage: 'the script says no' },
        { json: {} },
        '  ',
      ] as const) {
        server.reply = () => reply
        const error = await write('What is it?').catch((failure: unknown) => failure)
        expect(error).toMatchObject({ code: 'unavailable', message: expect.stringContaining(id) })
        expect((error as Error).message).not.toContain('the script says no')
      }
    })

    rule('does not retry, because callers have a deadline', async () => {
      server.reply = () => ({ fail: 503 })
      await write('What is it?').catch(() => undefined)
      expect(server.requests).toHaveLength(1)
    })

    rule('throws `unavailable` if a signal stops it before or during the request', async () => {
      server.reply = () => ({ silence: true })
      const stopping = new AbortController()
      const running = write('What is it?', stopping.signal)
      const failed = expect(running).rejects.toMatchObject({ code: 'unavailable' })
      await expect.poll(() => server.requests.length, SOON).toBe(1)
      stopping.abort()
      await failed
      await expect(write('What is it?', AbortSignal.abort())).rejects.toMatchObject({ code: 'unavailable' })
      expect(server.requests).toHaveLength(1)
    })

    describe('in a conversation', () => {
      const TOOL = {
        name: 'run_sql',
        description: 'Runs one statement.',
        schema: { type: 'object', properties: { sql: { type: 'string' } }, required: ['sql'] },
      }
      const ask = (text: string): ModelMessage => ({ role: 'user', content: [{ type: 'text', text }] })
      const begin = (request: Partial<ConverseRequest> = {}): AsyncIterable<ModelEvent> =>
        model.converse({
          system: 'You are an analyst.',
          messages: [ask('How many orders?')],
          tools: [TOOL],
          maxTokens: 500,
          signal: new AbortController().signal,
          ...request,
        })
      const converse = async (request?: Partial<ConverseRequest>): Promise<ModelEvent[]> => {
        const events: ModelEvent[] = []
        for await (const event of begin(request)) events.push(event)
        return events
      }
      const saidIn = (events: readonly ModelEvent[], type: 'text' | 'reasoning'): string =>
        events.map((event) => (event.type === type ? event.text : '')).join('')
      const faultOf = (work: Promise<unknown>): Promise<unknown> =>
        work.then(
          () => 'it answered',
          (error: unknown) => error,
        )

      rule('sends the whole conversation and streams the answer, its end last', async () => {
        server.reply = () => ({ say: 'There are forty two.', usage: { input: 120, output: 7, cached: 40 } })
        const events = await converse()
        expect(saidIn(events, 'text')).toBe('There are forty two.')
        expect(events.filter(({ type }) => type === 'text').length).toBeGreaterThan(1)
        expect(events.at(-1)).toMatchObject({
          type: 'end',
          reason: 'stop',
          usage: { input: 120, output: 7, cached: 40, cost: expect.any(Number) },
        })
        const [request] = server.requests
        expect(request).toMatchObject({ system: 'You are an analyst.', user: 'How many orders?' })
        expect(request!.tools).toMatchObject([{ name: 'run_sql', description: 'Runs one statement.' }])
        expect(request!.tools[0]!.schema).toMatchObject({ properties: { sql: { type: 'string' } } })
      })

      rule('returns complete tool calls, several at once, and sends their results by name', async () => {
        server.reply = ({ answers }) =>
          answers.length > 0
            ? 'Done.'
            : {
                say: 'I look.',
                calls: [
                  { tool: 'run_sql', input: { sql: 'SELECT 1' } },
                  { tool: 'run_sql', input: { sql: 'SELECT 2' } },
                ],
              }
        const first = await converse()
        const calls = first.filter((event) => event.type === 'call')
        expect(calls).toMatchObject([
          { name: 'run_sql', input: { sql: 'SELECT 1' } },
          { name: 'run_sql', input: { sql: 'SELECT 2' } },
        ])
        expect(new Set(calls.map((call) => call.id)).size).toBe(2)
        expect(first.at(-1)).toMatchObject({ type: 'end', reason: 'calls' })
        const second = await converse({
          messages: [
            ask('How many orders?'),
            { role: 'assistant', content: [{ type: 'text', text: 'I look.' }, ...calls] },
            {
              role: 'tool',
              content: calls.map(({ id: call, name }, at) => ({
                id: call,
                name,
                text: at === 0 ? 'one row' : 'no such table',
                failed: at === 1,
              })),
            },
          ],
        })
        expect(saidIn(second, 'text')).toBe('Done.')
        expect(server.requests[1]!.answers).toMatchObject([
          { tool: 'run_sql', text: 'one row' },
          { tool: 'run_sql', text: expect.stringContaining('no such table') },
        ])
      })

      rule('returns tool input that is not JSON unchanged, and accepts it back', async () => {
        server.reply = () => ({ call: { tool: 'run_sql', input: '{"sql": "SELECT' } })
        const [call] = (await converse()).filter((event) => event.type === 'call')
        expect(call).toMatchObject({ name: 'run_sql', input: '{"sql": "SELECT' })
        server.reply = () => 'I see.'
        const answered = converse({
          messages: [
            ask('How many?'),
            { role: 'assistant', content: [call!] },
            { role: 'tool', content: [{ id: call!.id, name: 'run_sql', text: 'not JSON', failed: true }] },
          ],
        })
        expect(saidIn(await answered, 'text')).toBe('I see.')
      })

      rule('returns a call of an unknown tool by its name', async () => {
        server.reply = () => ({ call: { tool: 'drop_all', input: { now: true } } })
        expect(await converse()).toContainEqual(
          expect.objectContaining({ type: 'call', name: 'drop_all', input: { now: true } }),
        )
      })

      rule('separates reasoning from text, and sends it back unchanged', async () => {
        server.reply = () => ({ think: 'Count the rows.', call: { tool: 'run_sql', input: { sql: 'SELECT 1' } } })
        const events = await converse()
        expect(saidIn(events, 'reasoning')).toBe('Count the rows.')
        expect(saidIn(events, 'text')).toBe('')
        const reasoned = events.find((event) => event.type === 'reasoned')
        const call = events.find((event) => event.type === 'call')!
        expect(events.indexOf(reasoned!)).toBeLessThan(events.indexOf(call))
        server.reply = () => 'Done.'
        await converse({
          messages: [
            ask('How many?'),
            {
              role: 'assistant',
              content: [{ type: 'reasoning', text: 'Count the rows.', carry: reasoned!.carry }, call],
            },
            { role: 'tool', content: [{ id: call.id, name: 'run_sql', text: '1', failed: false }] },
          ],
        })
        const sent = JSON.stringify(server.requests[1]!.body)
        for (const seal of carries ?? []) expect(sent).toContain(seal)
      })

      rule('redacts secrets in every text of a conversation', async () => {
        const secret = `token=${GITHUB_TOKEN}`
        const call = { type: 'call', id: 'call12345', name: 'run_sql', input: { sql: secret } } as const
        await converse({
          system: secret,
          tools: [{ ...TOOL, description: secret }],
          messages: [
            ask(secret),
            { role: 'assistant', content: [{ type: 'reasoning', text: secret }, { type: 'text', text: secret }, call] },
            { role: 'tool', content: [{ id: call.id, name: 'run_sql', text: secret, failed: false }] },
          ],
        })
        expect(JSON.stringify(server.requests[0]!.body)).not.toContain(GITHUB_TOKEN)
      })

      rule('reports an answer that was cut or refused', async () => {
        server.reply = () => ({ say: 'And then', end: 'length' })
        expect((await converse()).at(-1)).toMatchObject({ type: 'end', reason: 'length' })
        server.reply = () => ({ say: 'I', end: 'refused' })
        expect((await converse()).at(-1)).toMatchObject({ type: 'end', reason: 'refused' })
      })

      rule('throws `unavailable` without retrying, and says whether a retry may help', async () => {
        for (const [fail, retry] of [
          [400, false],
          [401, false],
          [404, false],
          [408, true],
          [429, true],
          [500, true],
          [529, true],
        ] as const) {
          server.requests.length = 0
          server.reply = () => ({ fail })
          const error = await faultOf(converse())
          expect(error).toMatchObject({
            code: 'unavailable',
            message: expect.stringContaining(id),
            details: { retry },
          })
          expect((error as Error).message).not.toContain('the script says')
          expect(server.requests).toHaveLength(1)
        }
      })

      rule('throws after the text received so far if a stream is cut, fails or is malformed', async () => {
        for (const step of [
          { say: 'There are forty two orders.', cut: 10 },
          { call: { tool: 'run_sql', input: { sql: 'SELECT a, b, c FROM orders' } }, say: 'I look.', cut: 20 },
          { say: 'There are', fail: 529 },
          { say: 'There are', garbage: true },
          { say: 'There are', garbage: '\n\n' },
        ] as const) {
          server.reply = () => step
          const events: ModelEvent[] = []
          const listening = (async () => {
            for await (const event of begin()) events.push(event)
          })()
          expect(await faultOf(listening)).toMatchObject({ code: 'unavailable', details: { retry: true } })
          expect(saidIn(events, 'text')).toMatch(/There are|I look/)
          expect(events.some(({ type }) => type === 'end')).toBe(false)
        }
      })

      rule('throws `unavailable` for a malformed answer', async () => {
        for (const step of [{ garbage: true }, { garbage: '<html>no</html>' }, { json: {} }] as const) {
          server.reply = () => step
          expect(await faultOf(converse())).toMatchObject({ code: 'unavailable', message: expect.stringContaining(id) })
        }
      })

      rule(
        'stops at once before the request, before the first word and between words, and closes the request',
        async () => {
          for (const step of [{ silence: true }, { say: 'one two three four five', slow: 40 }] as const) {
            server.requests.length = 0
            server.reply = () => step
            const stopping = new AbortController()
            const running = faultOf(
              (async () => {
                for await (const event of begin({ signal: stopping.signal }))
                  if (event.type === 'text') stopping.abort()
              })(),
            )
            await expect.poll(() => server.requests.length, SOON).toBe(1)
            if ('silence' in step) stopping.abort()
            expect(await running).toMatchObject({ code: 'stopped' })
            await expect.poll(() => server.requests[0]!.aborted, SOON).toBe(true)
          }
          expect(await faultOf(converse({ signal: AbortSignal.abort() }))).toMatchObject({ code: 'stopped' })
          expect(server.requests).toHaveLength(1)
        },
      )

      rule('closes the request if the listener stops reading', async () => {
        server.reply = () => ({ say: 'one two three four five', slow: 40 })
        for await (const event of begin()) if (event.type === 'text') break
        await expect.poll(() => server.requests[0]!.aborted, SOON).toBe(true)
      })
    })
  })
}
