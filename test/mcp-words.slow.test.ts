import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { OPERATIONS } from '../src/operations/all.ts'
import { buildMcpServer } from '../src/surfaces/mcp/server.ts'
import { openParityPlace, type ParityPlace } from './parity-place.ts'

// An agent can act on every answer and error: they name tools, fields, or what to ask the user for. An agent has no Ken
// terminal, and if it has a shell it must not be led to bypass the server.

const OFFERED = OPERATIONS.filter((op) => op.hiddenFrom.mcp === undefined)
let place: ParityPlace
let client: Client
let folder = 'shop'

beforeAll(async () => {
  place = await openParityPlace()
  const server = buildMcpServer({
    operations: OPERATIONS,
    toolsets: ['record', 'memory', 'data', 'code', 'analyst'],
    version: '0',
    surface: 'mcp-stdio',
    context: async (origin) => place.context(origin, folder),
  })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await server.connect(ours)
  client = new Client({ name: 'test', version: '1' })
  await client.connect(theirs)
}, 60_000)

afterAll(async () => {
  await client.close()
  await place.close()
})

interface Shape {
  readonly type?: string
  readonly enum?: readonly string[]
}

/** Invalid or missing values for every field. */
const wrong = ({ type, enum: choices }: Shape): unknown[] =>
  choices !== undefined
    ? ['no such choice', { a: 1 }]
    : type === 'string'
      ? [{ a: 1 }, 'nowhere/at-all.md', '../../outside', '~/nowhere', 'zzz', '2026-13-45', 'D999', '']
      : type === 'array'
        ? [{ a: 1 }, ['no-such-thing'], 'no-such-thing', [{ a: 1 }]]
        : type === 'boolean'
          ? ['perhaps']
          : [-1, 'many', 1e300, 3.5, 999]

const say = async (name: string, input: Record<string, unknown>) => {
  const { content } = await client.callTool({ name, arguments: input })
  return (content as { text: string }[]).map(({ text }) => text).join('\n')
}

/** Ken's own text: the content of an envelope is quoted. */
const own = (text: string): string => text.replaceAll(/<(ken-context\S*)[^]*?<\/\1>/g, '')

const FLAG = /(?:^|[\s("'`])--?[a-z][a-z-]+\b/m
/** A command, unless the user is asked to run it. */
const COMMAND = /(?<!user to run |user's )`ken |\bken --/i

const led = (text: string): string[] => [FLAG, COMMAND].flatMap((one) => own(text).match(one) ?? [])

test.each(OFFERED.map((op) => [op.name, op] as const))(
  '%s never mentions flags or commands',
  async (name, op) => {
    const shape = z.toJSONSchema(op.input, { io: 'input' }) as { properties?: Record<string, Shape> }
    const [first] = op.examples
    const inputs = [
      ...op.examples.map(({ input }) => ({ ...input })),
      {},
      { colour: 'red' },
      ...Object.entries(shape.properties ?? {}).flatMap(([field, own]) =>
        wrong(own).map((value) => ({ ...first!.input, [field]: value })),
      ),
    ]
    const faults: unknown[] = []
    for (const at of ['shop', 'fresh', 'clone']) {
      folder = at
      for (const input of at === 'shop' ? inputs : inputs.slice(0, op.examples.length + 1)) {
        const text = await say(name, input)
        if (led(text).length > 0) faults.push({ at, input, text: own(text).slice(0, 400) })
      }
    }
    expect(faults).toEqual([])
  },
  60_000,
)
