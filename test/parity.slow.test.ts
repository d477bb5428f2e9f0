import { readFileSync } from 'node:fs'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { spellNames } from '../src/kernel/domain/named-operation.ts'
import { toAppError } from '../src/kernel/domain/to-app-error.ts'
import { plainView } from '../src/kernel/domain/view/view.ts'
import { OPERATIONS } from '../src/operations/all.ts'
import { call } from '../src/operations/call.ts'
import type { Context } from '../src/operations/context.ts'
import type { RegisteredOperation } from '../src/operations/registry.ts'
import { FOR_PROGRAMS } from '../src/operations/spelling.ts'
import { commandLine, everydayCommand } from '../src/surfaces/cli/help.ts'
import { runCommand } from '../src/surfaces/cli/run.ts'
import { serveHttp, type HttpServer } from '../src/surfaces/http/serve.ts'
import { openParityPlace, type ParityPlace } from './parity-place.ts'

// Every example of every operation runs through every surface that offers it, and must return the same output as the
// operation itself for the same origin. Operations that write get the machine in its initial state for every call.

/** Folders of the examples that do not run in the repository. */
const FOLDERS: Readonly<Record<string, string>> = { init: 'fresh', init_context: 'fresh', attach: 'clone' }
/**
 * Expected error codes. Tests do not ship the model weights (their download is tested with the model registry), and
 * there is no editor, no user who could type a key, and no keychain.
 */
const FAILS: Readonly<Record<string, string>> = {
  models_pull: 'unavailable',
  edit: 'unavailable',
  key_set: 'unavailable',
  key_remove: 'unavailable',
  // No login to a team server, and no record here belongs to one.
  link: 'forbidden',
  unlink: 'invalid_input',
  sync_team: 'invalid_input',
  // No file in this record was changed on two machines.
  resolve_conflict: 'not_found',
  // The folder has a project.
  start: 'conflict',
  // These only work within a running answer.
  clarify: 'invalid_input',
  suggest_follow_ups: 'invalid_input',
}

type Input = Readonly<Record<string, unknown>>
interface Surface {
  readonly origin: Context['origin']
  offers(op: RegisteredOperation): boolean
  answer(op: RegisteredOperation, input: Input): Promise<unknown>
}

let place: ParityPlace
let server: HttpServer
let mcp: Client
let token: string

beforeAll(async () => {
  place = await openParityPlace()
  server = await serveHttp({
    operations: OPERATIONS,
    toolsets: ['record', 'memory', 'data', 'code', 'app', 'analyst'],
    version: '0',
    port: 0,
    tokenPath: place.tokenPath,
    context: async (origin) => place.context(origin),
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
  await place?.close()
})

const SURFACES: Readonly<Record<string, Surface>> = {
  cli: {
    origin: { surface: 'cli' },
    offers: () => true,
    async answer(op, input) {
      const said: string[] = []
      const argv = words(commandLine(op, input)).slice(1 + everydayCommand(op).split(' ').length)
      await runCommand(op, [...argv, '--json'], async () => contextOf(op, { surface: 'cli' }), {
        out: (text) => void said.push(String(text)),
        err: (text) => void said.push(String(text)),
        readText: () => '',
        view: () => plainView('pipe'),
        trace: () => {},
      })
      return JSON.parse(said.join('\n'))
    },
  },
  http: {
    origin: { surface: 'http' },
    offers: (op) => op.hiddenFrom.http === undefined,
    async answer(op, input) {
      const response = await fetch(`${server.url}/v1/${op.name}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: JSON.stringify(input),
      })
      return response.json()
    },
  },
  mcp: {
    origin: { surface: 'mcp-http', client: 'parity', client_version: '1' },
    // On MCP a failure is one line without data.
    offers: (op) => op.hiddenFrom.mcp === undefined && FAILS[op.name] === undefined,
    answer: async (op, input) => (await mcp.callTool({ name: op.name, arguments: { ...input } })).structuredContent,
  },
}

const contextOf = (op: RegisteredOperation, origin: Context['origin']) => place.context(origin, FOLDERS[op.name])

describe.each(OPERATIONS.map((op) => [op.name, op] as const))('%s', (_name, op) => {
  test('has a short summary and an example', () => {
    const summary = spellNames(op.summary, FOR_PROGRAMS)
    expect(summary).toMatch(/^[A-Z].*[.]$/)
    expect(summary.length).toBeLessThan(op.alwaysLoaded ? 320 : 160)
    expect(spellNames(op.forPeople || op.summary, FOR_PROGRAMS).length).toBeLessThan(140)
    expect(op.examples).not.toEqual([])
  })

  test('can be found by tool search, and does not hide a required field', () => {
    if (op.hiddenFrom.mcp === undefined) expect(op.searchHint).not.toBe('')
    const { required = [], properties = {} } = z.toJSONSchema(op.input, { io: 'input' })
    for (const name of op.unlisted) expect([name in properties, required.includes(name)]).toEqual([true, false])
  })

  test.each(op.examples.map((example) => [example.title, example.input] as const))(
    '"%s" returns the declared shape, the same on every surface',
    async (_title, input) => {
      for (const [name, surface] of Object.entries(SURFACES)) {
        if (!surface.offers(op)) continue
        const straight = await onFresh(op, () => straightAnswer(op, input, surface.origin))
        const answer = await onFresh(op, () => surface.answer(op, input))
        expect({ surface: name, answer: steady(answer) }).toEqual({ surface: name, answer: steady(straight) })
      }
    },
  )
})

let isChanged = false

async function onFresh<T>(op: RegisteredOperation, run: () => Promise<T>): Promise<T> {
  if (isChanged) await place.putBack()
  isChanged = op.effect === 'write'
  return run()
}

async function straightAnswer(op: RegisteredOperation, input: Input, origin: Context['origin']): Promise<unknown> {
  try {
    const { output } = await call(contextOf(op, origin), op, input)
    expect(op.output.safeParse(output).error?.issues ?? []).toEqual([])
    return output
  } catch (thrown) {
    const { code, message, hint, details } = toAppError(thrown)
    if (code !== FAILS[op.name]) throw thrown
    return { error: { code, message, ...(hint && { hint }), ...details } }
  }
}

/** Removes values that differ between two calls: times, durations and new ids. */
function steady(value: unknown): unknown {
  const ids = new Map<string, string>()
  const text = JSON.stringify(value)
    .replace(/"(?:age|milliseconds|took_ms|query_ms)":\s*[^,}]+/g, '"age":0')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, 'T')
    .replace(/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-[0-9A-Z]{6}(?=\.json)/g, 'RUN')
    .replace(/\b[0-9A-HJKMNP-TV-Z]{26}\b/g, (id) => {
      if (!ids.has(id)) ids.set(id, `id ${ids.size}`)
      return ids.get(id)!
    })
  return JSON.parse(text)
}

/** Splits a command line as a shell would. */
const words = (line: string): string[] =>
  [...line.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(([, quoted, plain]) => quoted?.replaceAll('\\"', '"') ?? plain!)
