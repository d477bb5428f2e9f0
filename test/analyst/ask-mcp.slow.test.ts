import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, test } from 'vitest'
import { KEN } from '../ken-program.ts'
import { useAskDesk } from './ask-desk.ts'

const desk = useAskDesk({
  'by city': [
    { call: { tool: 'list_tables', input: {} } },
    { call: { tool: 'execute_sql', input: { sql: 'SELECT count(*) AS n FROM orders' } } },
    { say: 'There are 5 orders.' },
  ],
  'Which revenue': [
    { call: { tool: 'clarify', input: { question: 'Before or after refunds?', options: ['before', 'after'] } } },
  ],
  after: [{ say: 'After refunds it is 72.' }],
  'a story': [
    { call: { tool: 'list_tables', input: {} } },
    { call: { tool: 'story', input: { action: 'create', title: 'Orders', text: '# Orders' } } },
    { say: 'Done.' },
  ],
  forever: [{ say: 'and on '.repeat(10_000), slow: 20 }],
})

type Form = { readonly message: string; readonly requestedSchema: { readonly properties: Record<string, unknown> } }

async function withClient<T>(
  answer: ((form: Form) => object) | undefined,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client(
    { name: 'test-agent', version: '9' },
    { capabilities: answer === undefined ? {} : { elicitation: {} } },
  )
  if (answer !== undefined)
    client.setRequestHandler('elicitation/create', (request) => answer(request.params as unknown as Form) as never)
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [KEN, 'serve', '--stdio', '--toolsets', 'data'],
      cwd: desk.place,
      env: { PATH: process.env['PATH']!, ...desk.env },
      stderr: 'pipe',
    }),
  )
  return work(client).finally(() => client.close())
}

const ask = (client: Client, question: string, more = {}) =>
  client.callTool({ name: 'ask', arguments: { question } }, more)
const textOf = (result: { content?: unknown }): string => (result.content as { text: string }[])[0]!.text

test('an agent asks, receives every step, and gets the answer as untrusted data', async () => {
  const told: (string | undefined)[] = []
  const result = await withClient(undefined, (client) =>
    ask(client, 'Orders by city?', { onprogress: ({ message }: { message?: string }) => told.push(message) }),
  )
  expect(told).toEqual(['thinking', 'looking at tables', 'running SQL'])
  expect(textOf(result)).toMatch(/^<ken-context[^>]* origin="analyst" trust="untrusted"[^>]*>\nThere are 5 orders\./)
  expect(result.structuredContent).toMatchObject({
    text: 'There are 5 orders.',
    end: 'answered',
    label: expect.any(String),
  })
}, 60_000)

test('a clarifying question becomes a form if the client has forms, and the answer continues the same chat', async () => {
  const forms: Form[] = []
  const result = await withClient(
    (form) => {
      forms.push(form)
      return { action: 'accept', content: { choice: 'after' } }
    },
    (client) => ask(client, 'Which revenue is it?'),
  )
  expect(forms).toMatchObject([
    { message: 'Before or after refunds?', requestedSchema: { properties: { choice: { enum: ['before', 'after'] } } } },
  ])
  expect(result.structuredContent).toMatchObject({ text: 'After refunds it is 72.' })
  expect(desk.model.requests.at(-1)!.messages.filter(({ role }) => role === 'user')).toHaveLength(2)
  const closed = await withClient(
    () => ({ action: 'cancel' }),
    (client) => ask(client, 'Which revenue is it?'),
  )
  expect(textOf(closed)).toMatch(/^The person did not answer\. Go on in chat [0-9A-Z]{26}\.$/)
}, 60_000)

test('a change after reading requires approval by the person in a form, and is not made without it', async () => {
  const forms: Form[] = []
  const stories = async (action: string | undefined): Promise<unknown> => {
    const answer = (form: Form): object => {
      forms.push(form)
      return { action }
    }
    const result = await withClient(action === undefined ? undefined : answer, (client) => ask(client, 'Write a story'))
    return (result.structuredContent as { stories: unknown }).stories
  }
  expect(await stories(undefined)).toEqual([])
  expect(await stories('decline')).toEqual([])
  expect(await stories('accept')).toEqual(['orders'])
  expect(forms.map(({ message }) => message)).toEqual([
    expect.stringMatching(
      /^The analyst has read text that you did not write, and now wants to call story with:[^]*"# Orders"/,
    ),
    expect.stringContaining('story'),
  ])
}, 60_000)

test('if the client has no forms, returns the question and the chat in which to answer it', async () => {
  const [first, second] = await withClient(undefined, async (client) => {
    const asked = await ask(client, 'Which revenue is it?')
    const { chat } = asked.structuredContent as { chat: string }
    return [asked, await client.callTool({ name: 'ask', arguments: { question: 'after', chat } })]
  })
  expect(textOf(first!)).toMatch(/Before or after refunds\?\n1\. before\n2\. after\n/)
  expect(second!.structuredContent).toMatchObject({ text: 'After refunds it is 72.' })
}, 60_000)

test('cancelling a call stops the answer, including the model request', async () => {
  const stop = new AbortController()
  await withClient(undefined, async (client) => {
    const asked = ask(client, 'Go on forever', { signal: stop.signal })
    const request = () => desk.model.requests.find(({ user }) => user.includes('forever'))
    await expect.poll(request).toBeDefined()
    expect(request()!.aborted).toBe(false)
    stop.abort()
    await expect(asked).rejects.toThrow()
    await expect.poll(() => request()!.aborted).toBe(true)
  })
}, 60_000)
