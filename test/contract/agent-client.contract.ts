import { describe, expect, test } from 'vitest'
import type { AgentClient, ClientEvent, ClientRequest } from '../../src/analyst/ports/agent-client.ts'
import type { AppError } from '../../src/kernel/domain/errors.ts'
import { GITHUB_TOKEN } from './secret-samples.ts'

/**
 * Behaviour of the model. `answers`: it thinks, writes `I look at the orders.`, sums orders, tries to delete them and
 * describes a missing table, all at once, and then writes `The total is 6.5.` `hangs`: the same, without the last
 * message. `refused`: its provider rejects the key. `gone`: the client does not know the session.
 */
export type Scene = 'answers' | 'hangs' | 'refused' | 'gone'

export interface ClientDesk {
  readonly client: AgentClient
  readonly server: ClientRequest['server']
  /** Everything sent to the model, or to the client that calls it. */
  sent(): Promise<string>
  /** Processes of the client and its children that are still running. */
  alive(): Promise<readonly number[]>
  close(): Promise<void>
}

export interface AgentClientSubject {
  open(scene: Scene): Promise<ClientDesk>
  readonly knownGaps?: Readonly<Record<string, string>>
}

const TOOLS = ['execute_sql', 'describe_table']

/** Contract of every client. `knownGaps` lists rules that the subject breaks, with the reason; a stale entry fails. */
export function describeAgentClient(name: string, subject: AgentClientSubject): void {
  const rule = (title: string, scene: Scene, body: (desk: ClientDesk) => Promise<void>) =>
    (subject.knownGaps?.[title] ? test.fails : test)(title, async () => {
      const desk = await subject.open(scene)
      try {
        await body(desk)
      } finally {
        await desk.close()
      }
    })

  describe(`agent client: ${name}`, () => {
    rule('has the id of its setting and reports no problem', 'answers', async ({ client }) => {
      expect(client.id).toBe(`agent:${name}`)
      expect(await client.problem()).toBeUndefined()
    })

    rule('calls the server’s tools by name and reports their results', 'answers', async (desk) => {
      const events = await all(desk)
      expect(events[0]).toMatchObject({ type: 'session', session: expect.stringMatching(/^[\w-]{8,}$/) })
      const calls = events.filter((event) => event.type === 'call')
      expect(calls.map((call) => call.name).toSorted()).toEqual(['describe_table', 'execute_sql', 'execute_sql'])
      const results = events.filter((event) => event.type === 'result')
      const resultOf = (test: (call: (typeof calls)[number]) => boolean) =>
        results.find(({ id }) => id === calls.find(test)!.id)!
      expect(resultOf(({ input }) => /sum/.test(JSON.stringify(input)))).toMatchObject({ failed: false })
      expect(resultOf(({ input }) => /sum/.test(JSON.stringify(input))).text).toContain('| 6.5 |')
      expect(resultOf(({ input }) => /DELETE/.test(JSON.stringify(input))).text).toContain('DELETE is not a read')
      expect(resultOf((call) => call.name === 'describe_table').failed).toBe(true)
      for (const call of calls)
        expect(events.indexOf(call)).toBeLessThan(
          events.findIndex((one) => one.type === 'result' && one.id === call.id),
        )
      const lastResult = events.findLastIndex(({ type }) => type === 'result')
      expect(textOf(events.slice(0, lastResult))).toBe('I look at the orders.')
      expect(textOf(events.slice(lastResult))).toBe('The total is 6.5.')
      expect(events.at(-1)).toMatchObject({ type: 'end', reason: 'stop' })
      const { usage } = events.at(-1) as Extract<ClientEvent, { type: 'end' }>
      expect(usage.input).toBeGreaterThan(0)
      expect(usage.output).toBeGreaterThan(0)
      expect(await desk.alive()).toEqual([])
    })

    rule('resumes its session and counts only new tokens', 'answers', async (desk) => {
      const first = await all(desk)
      const { session } = first[0] as Extract<ClientEvent, { type: 'session' }>
      const second = await all(desk, { session })
      expect(second[0]).toMatchObject({ type: 'session', session })
      const [one, two] = [first, second].map((events) => (events.at(-1) as Extract<ClientEvent, { type: 'end' }>).usage)
      expect(two!.input).toBeLessThanOrEqual(one!.input)
      expect(await desk.sent()).toContain('How much is it in all?')
    })

    rule('reports a missing session as not found', 'gone', async (desk) => {
      const failure = await failureOf(all(desk, { session: '00000000-0000-4000-8000-000000000000' }))
      expect(failure.code).toBe('not_found')
      expect((await failureOf(all(desk, { session: '--help' }))).code).toBe('not_found')
    })

    rule('ends at its limit of steps', 'answers', async (desk) => {
      const events = await all(desk, { maxSteps: 1 })
      expect(textOf(events)).not.toContain('6.5')
      expect(events.at(-1)).toMatchObject({ type: 'end', reason: 'length', reached: 'steps' })
      expect(await desk.alive()).toEqual([])
    })

    rule('leaves no process behind if it is stopped while it runs', 'hangs', async (desk) => {
      const stop = new AbortController()
      const seen: string[] = []
      const failure = await failureOf(
        (async () => {
          for await (const event of desk.client.ask(requestOf(desk, { signal: stop.signal }))) {
            seen.push(event.type)
            if (event.type === 'result') stop.abort()
          }
        })(),
      )
      expect(failure.code).toBe('stopped')
      expect(seen).not.toContain('end')
      expect(await desk.alive()).toEqual([])
    })

    rule('ends if its listener stops reading', 'hangs', async (desk) => {
      for await (const event of desk.client.ask(requestOf(desk))) if (event.type === 'call') break
      expect(await desk.alive()).toEqual([])
    })

    rule('does not start if it is stopped first', 'answers', async (desk) => {
      expect((await failureOf(all(desk, { signal: AbortSignal.abort() }))).code).toBe('stopped')
      expect(await desk.sent()).toBe('')
    })

    rule('reports a provider’s refusal in one line with a hint', 'refused', async (desk) => {
      const failure = await failureOf(all(desk))
      expect(failure.code).toBe('unavailable')
      expect(failure.line).toMatch(/^[^\n]{10,600}$/)
      expect(failure.line).toMatch(/key|log|the script says no/i)
      expect(failure.hint).toBeDefined()
      expect(await desk.alive()).toEqual([])
    })

    rule('does not read files named in a question', 'answers', async (desk) => {
      await all(desk, { prompt: 'Is @/etc/passwd ours? And @/etc/hosts, @orders and /orders ours?' })
      expect(await desk.sent()).toContain('@/etc/passwd')
      expect(await desk.sent()).not.toMatch(/root:x:0|127\.0\.0\.1\s+localhost/)
    })

    rule('redacts secrets in its instructions and questions', 'answers', async (desk) => {
      await all(desk, { prompt: `Is ${GITHUB_TOKEN} ours?`, system: `Remember ${GITHUB_TOKEN}.` })
      expect(await desk.sent()).toContain('ours?')
      expect(await desk.sent()).not.toContain(GITHUB_TOKEN)
    })
  })
}

export const requestOf = (
  { server }: Pick<ClientDesk, 'server'>,
  change: Partial<ClientRequest> = {},
): ClientRequest => ({
  system: 'You are the analyst of a shop.',
  prompt: 'How much is it in all?',
  server,
  tools: TOOLS,
  maxSteps: 20,
  signal: new AbortController().signal,
  ...change,
})

export async function all(
  desk: Pick<ClientDesk, 'client' | 'server'>,
  change: Partial<ClientRequest> = {},
): Promise<ClientEvent[]> {
  const events: ClientEvent[] = []
  for await (const event of desk.client.ask(requestOf(desk, change))) events.push(event)
  return events
}

export const textOf = (events: readonly ClientEvent[]): string =>
  events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('')

export const failureOf = (work: Promise<unknown>): Promise<AppError> =>
  work.then(
    () => Promise.reject(new Error('it did not fail')),
    (error: AppError) => error,
  )
