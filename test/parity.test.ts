import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openKen, type Ken } from '../src/app/open.ts'
import { OPERATIONS } from '../src/operations/all.ts'
import { call } from '../src/operations/call.ts'
import { commandLine, shortCommand } from '../src/surfaces/cli/help.ts'
import { runCommand } from '../src/surfaces/cli/run.ts'
import { serveHttp, type HttpServer } from '../src/surfaces/http/serve.ts'

// Every example of every operation is run through every surface that has it; reads must answer alike.
const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-parity-')))
const environment = { ...process.env, HOME: place, KEN_HOME: join(place, 'home'), KEN_TELEMETRY: '0' }
let ken: Ken
let server: HttpServer
let mcp: Client
let token: string

beforeAll(async () => {
  execFileSync('git', ['init', '-q', '-b', 'main', place])
  ken = openKen(environment, () => {})
  const seed = OPERATIONS.find((op) => op.name === 'init')!
  await call(context(), seed, { name: 'parity', demo: true })
  await call(context(), seed, { name: 'parity', context: true })
  // Ken's own home lies in the same folder here, and changes from call to call.
  appendFileSync(join(place, '.kenignore'), '/home/\n/token\n')
  server = await serveHttp({
    operations: OPERATIONS,
    toolsets: ['record', 'memory', 'data', 'code'],
    version: '0',
    port: 0,
    tokenPath: join(place, 'token'),
    context: async (origin) => ken.context({ origin, cwd: place }),
  })
  token = readFileSync(server.tokenPath, 'utf8').trim()
  mcp = new Client({ name: 'parity', version: '1' })
  await mcp.connect(
    new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  )
}, 60_000)

afterAll(async () => {
  await mcp?.close()
  await server?.close()
  await ken?.close()
  rmSync(place, { recursive: true, force: true })
})

const context = () => ken.context({ origin: { surface: 'cli' }, cwd: place })

const reads = OPERATIONS.filter((op) => op.effect === 'read' && op.examples.length > 0)
describe.each(reads.map((op) => [op.name, op] as const))('%s', (_name, op) => {
  test.each(op.examples.map((example) => [example.title, example.input] as const))(
    '"%s" answers alike on every surface',
    async (_title, input) => {
      const straight = (await call(context(), op, input)).output
      const answers: Record<string, unknown> = {}
      const said: string[] = []
      const argv = words(commandLine(op, input)).slice(1 + shortCommand(op).split(' ').length)
      await runCommand(op, [...argv, '--json'], async () => context(), {
        out: (text) => void said.push(text),
        err: (text) => void said.push(text),
        readText: () => '',
        isPerson: false,
      })
      answers['cli'] = JSON.parse(said.join('\n'))
      if (op.hiddenFrom.http === undefined) {
        const response = await fetch(`${server.url}/v1/${op.name}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}` },
          body: JSON.stringify(input),
        })
        answers['http'] = await response.json()
      }
      if (op.hiddenFrom.mcp === undefined)
        answers['mcp'] = (await mcp.callTool({ name: op.name, arguments: { ...input } })).structuredContent
      for (const [surface, answer] of Object.entries(answers))
        expect({ surface, answer: steady(answer) }).toEqual({ surface, answer: steady(straight) })
    },
  )
})

test.each(OPERATIONS.map((op) => [op.name, op] as const))('%s answers in the shape it promises', async (_name, op) => {
  for (const { input } of op.effect === 'read' ? op.examples : []) {
    const { output } = await call(context(), op, input)
    expect(op.output.safeParse(output).error?.issues ?? []).toEqual([])
  }
  expect(op.summary).toMatch(/^[A-Z].*[.]$/)
  expect(op.summary.length).toBeLessThan(140)
})

/** Without what differs between two moments. */
const steady = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replace(/"(?:age|milliseconds|took_ms|query_ms)":\s*[^,}]+/g, '"age":0'))

/** The words of a command line as a shell would see them. */
const words = (line: string): string[] =>
  [...line.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(([, quoted, plain]) => quoted?.replaceAll('\\"', '"') ?? plain!)
