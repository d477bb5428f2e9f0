/**
 * Runs the scenarios of the official MCP conformance suite that apply to Ken, over stdio and over HTTP:
 * `node test/clients/conformance.ts <folder>`, where npm installed @modelcontextprotocol/conformance.
 *
 * The suite requests things of a sample server by name. A bridge replaces those names with things of the same kind in a
 * Ken record, and changes nothing else in a message. Scenarios about what Ken does not offer (images, audio, sampling,
 * log levels, sessions to resume) are left out.
 */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

const KEN = join(import.meta.dirname, '../../bin/ken.js')
const SUITE = 'node_modules/@modelcontextprotocol/conformance/dist/index.js'

const SCENARIOS = [
  'server-initialize',
  'ping',
  'tools-list',
  'tools-call-simple-text',
  'tools-call-error',
  'resources-list',
  'resources-read-text',
  'resources-templates-read',
  'completion-complete',
  'prompts-list',
  'prompts-get-simple',
  'prompts-get-with-args',
]
/** Only over stdio, where a connection lasts. */
const SUBSCRIPTIONS = ['resources-subscribe', 'resources-unsubscribe']
/** Only over HTTP. */
const HTTP = ['server-sse-multiple-streams', 'dns-rebinding-protection']

const suite = resolve(process.argv[2] ?? '.', SUITE)
const folder = mkdtempSync(join(tmpdir(), 'ken-conformance-'))
const env = { ...process.env, HOME: folder, KEN_HOME: join(folder, 'home') }
const failed: string[] = []
try {
  const repository = sampleRepository()
  const stdio = await overStdio(repository)
  await run('stdio', stdio.url, [...SCENARIOS, ...SUBSCRIPTIONS])
  stdio.stop()
  const http = await overHttp(repository)
  await run('http', http.url, [...SCENARIOS, ...HTTP])
  http.stop()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(failed.length === 0 ? 'All scenarios passed.' : `Failed: ${failed.join(', ')}`)
process.exit(failed.length === 0 ? 0 : 1)

function sampleRepository(): string {
  const repository = join(folder, 'repository')
  mkdirSync(repository)
  const exec = (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: repository, env, stdio: 'pipe' })
  exec('git', 'init', '--quiet')
  writeFileSync(
    join(repository, '0123-cache.md'),
    '# 123. Cache in the process\n\nDate: 2026-01-10\n\n## Status\n\nAccepted\n\n## Decision\n\nWe cache in the process.\n',
  )
  exec(process.execPath, KEN, 'init', '--name', 'shop', '--in-repo')
  exec(process.execPath, KEN, 'import', 'adr', '0123-cache.md')
  return repository
}

/** The record entries that replace those of the suite's sample server. */
function translate(text: string): string {
  const message = JSON.parse(text) as { method?: string; params?: Record<string, unknown> }
  const { method, params } = message
  if (params === undefined) return text
  if (params['uri'] === 'test://template/123/data') params['uri'] = 'ken://decisions/D123'
  else if (typeof params['uri'] === 'string' && params['uri'].startsWith('test://'))
    params['uri'] = 'ken://record/decisions/123-cache-in-the-process.md'
  if (method === 'tools/call' && params['name'] === 'test_error_handling')
    message.params = { ...params, name: 'get_decision', arguments: { number: '999' } }
  else if (method === 'tools/call') message.params = { ...params, name: 'list_decisions' }
  if (method === 'prompts/get' && params['name'] === 'test_simple_prompt') params['name'] = 'review'
  else if (method === 'prompts/get') {
    const given = Object.values((params['arguments'] ?? {}) as Record<string, string>)
    message.params = { ...params, name: 'review', arguments: { about: given.join(' ') } }
  }
  if (method === 'completion/complete')
    message.params = {
      ...params,
      ref: { type: 'ref/resource', uri: 'ken://decisions/{id}' },
      argument: { name: 'id', value: 'cache' },
    }
  return JSON.stringify(message)
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://localhost:${(server.address() as AddressInfo).port}/mcp`
}

interface Bridge {
  readonly url: string
  stop(): void
}

/** One HTTP request is one message to the child, and its answer is the response with the same id. */
async function overStdio(repository: string): Promise<Bridge> {
  const child = spawn(process.execPath, [KEN, 'serve'], { cwd: repository, env, stdio: ['pipe', 'pipe', 'inherit'] })
  const waiting = new Map<string, ServerResponse>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id } = JSON.parse(line) as { id?: unknown }
    const response = waiting.get(JSON.stringify(id))
    waiting.delete(JSON.stringify(id))
    response?.writeHead(200, { 'content-type': 'application/json' }).end(line)
  })
  const server = createServer(async (incoming, response) => {
    if (incoming.method !== 'POST') return void response.writeHead(405).end()
    const message = translate(await bodyOf(incoming))
    const { id } = JSON.parse(message) as { id?: unknown }
    child.stdin.write(`${message}\n`)
    if (id === undefined) response.writeHead(202).end()
    else waiting.set(JSON.stringify(id), response)
  })
  const url = await listening(server)
  return { url, stop: () => stopBoth(server, child) }
}

/** Adds the token, which the suite cannot send; addresses of other hosts are unchanged. */
async function overHttp(repository: string): Promise<Bridge> {
  const child = spawn(process.execPath, [KEN, 'serve', '--http', '--port', '0', '--project', 'shop'], {
    cwd: repository,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let port = ''
  for await (const line of createInterface({ input: child.stderr })) {
    port ||= /127\.0\.0\.1:(\d+)/.exec(line)?.[1] ?? ''
    if (line.includes('Token')) break
  }
  const token = readFileSync(join(env.KEN_HOME, 'http-token'), 'utf8').trim()
  const server = createServer(async (incoming, response) => {
    const body = await bodyOf(incoming)
    const here = `:${(server.address() as AddressInfo).port}`
    const moved = (text: string | undefined) =>
      text?.replace(new RegExp(`^(http://)?(?:localhost|127\\.0\\.0\\.1)${here}$`), `$1127.0.0.1:${port}`)
    const { 'content-length': _, origin, ...headers } = incoming.headers
    const sent = incoming.method === 'POST' ? translate(body) : body
    const upstream = request({
      host: '127.0.0.1',
      port,
      path: incoming.url,
      method: incoming.method,
      setHost: false,
      headers: {
        ...headers,
        host: moved(headers.host),
        ...(origin !== undefined && { origin: moved(origin) }),
        authorization: `Bearer ${token}`,
        ...(sent !== '' && { 'content-length': String(Buffer.byteLength(sent)) }),
      },
    })
    upstream.on('response', (answer) => answer.pipe(response.writeHead(answer.statusCode!, answer.headers)))
    upstream.on('error', () => response.destroy())
    response.on('close', () => upstream.destroy())
    upstream.end(sent)
  })
  const url = await listening(server)
  return { url, stop: () => stopBoth(server, child) }
}

function stopBoth(server: Server, child: ChildProcess): void {
  server.close()
  server.closeAllConnections()
  child.kill()
}

async function run(transport: string, url: string, scenarios: readonly string[]): Promise<void> {
  for (const scenario of scenarios) {
    const args = [suite, 'server', '--url', url, '--scenario', scenario]
    // The suite exits with 1 when a scenario fails.
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder }).catch(
      (thrown: { stdout: string }) => thrown,
    )
    const [, result = 'no result'] = /^Passed: (.*)$/m.exec(stdout) ?? []
    const isPassed = /^(\d+)\/\1, 0 failed/.test(result) && !result.startsWith('0/')
    if (!isPassed) failed.push(`${transport} ${scenario}`)
    console.log(`${transport.padEnd(6)} ${scenario.padEnd(30)} ${isPassed ? 'passed' : result}`)
    if (!isPassed && process.argv.includes('--all')) console.log(stdout)
  }
}
