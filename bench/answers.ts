/**
 * Counts the characters of the five calls that agents make most: `npm run bench:answers [-- --beside
 * path/to/older/bin/ken.js]`. Four clients, identified by their names, ask `ken serve --stdio --toolset agent` as
 * published about a clone of this repository: its decisions, guides and code. Prints the mean size of the response sent
 * to the client, and of the part that the client shows its model if that is smaller.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { buildPackage } from './index/package.ts'

const ROOT = resolve(import.meta.dirname, '..')
const CLIENTS = ['claude-code', 'codex-mcp-client', 'github-copilot-developer', 'a client that takes data']
const APPROACHES = [
  'Move background jobs to RabbitMQ',
  'Keep vectors in a database of their own',
  'Write a parser for SQL',
]

const { values } = parseArgs({ options: { beside: { type: 'string' }, questions: { type: 'string', default: '16' } } })
const place = mkdtempSync(join(tmpdir(), 'ken-answers-bench-'))
const builds = { now: await buildPackage(join(place, 'package')), ...(values.beside && { before: values.beside }) }
const questions = ['guides', 'code'].flatMap((set) =>
  readFileSync(join(ROOT, `eval/sets/retrieval/${set}.txt`), 'utf8')
    .split('\n')
    .filter((line) => line.includes(' | '))
    .map((line) => line.split(' | ')[1]!)
    .slice(0, Number(values.questions) / 2),
)

const means = new Map<string, Map<string, number[]>>()
for (const [build, ken] of Object.entries(builds)) {
  const { repository, environment } = prepare(build, ken)
  for (const name of CLIENTS) {
    const client = new Client({ name, version: '1' })
    const command = [ken, 'serve', '--stdio', '--toolset', 'agent']
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: command,
        cwd: repository,
        env: environment,
        stderr: 'ignore',
      }),
    )
    await callAll(client, (call, characters) => note(call, `${build}, ${name}`, characters))
    await client.close()
  }
}
print()
rmSync(place, { recursive: true, force: true })

function prepare(build: string, ken: string) {
  const [home, repository] = [join(place, `home-${build}`), join(place, `repository-${build}`)]
  execFileSync('git', ['clone', '-q', ROOT, repository])
  const environment = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    KEN_HOME: join(home, '.ken'),
    KEN_TELEMETRY: '0',
    KEN_UPKEEP: '0',
  }
  const run = (...words: string[]) =>
    execFileSync(process.execPath, [ken, ...words], { cwd: repository, env: environment, stdio: 'pipe' })
  run('trust', '--yes')
  run('collection', 'add', 'guides', join(repository, 'docs'))
  run('index-codebase')
  run('update')
  return { repository, environment }
}

async function callAll(client: Client, told: (call: string, characters: number) => void): Promise<void> {
  const ask = async (name: string, input: Record<string, unknown>): Promise<string> => {
    const { content, structuredContent } = await client.callTool({ name, arguments: input })
    const text = (content as { text: string }[]).map((part) => part.text).join('\n')
    told(name, text.length + (structuredContent === undefined ? 0 : JSON.stringify(structuredContent).length))
    return text
  }
  await ask('get_context', {})
  for (const approach of APPROACHES) await ask('check_decision', { proposed_approach: approach })
  for (const number of [1, 9, 22]) await ask('get_decision', { number })
  for (const query of questions) {
    const text = await ask('memory_query', { query })
    const id = /\b[0-9a-f]{12}\b/.exec(text)?.[0]
    if (id !== undefined) await ask('memory_get', { id })
  }
}

function note(call: string, column: string, characters: number): void {
  const row = means.get(call) ?? new Map<string, number[]>()
  means.set(call, row.set(column, [...(row.get(column) ?? []), characters]))
}

function print(): void {
  const columns = Object.keys(builds).flatMap((build) => CLIENTS.map((name) => `${build}, ${name}`))
  console.log(`| characters of a call, mean | ${columns.join(' | ')} |\n|---|${'---|'.repeat(columns.length)}`)
  for (const [call, row] of means) {
    const cells = columns.map((column) => {
      const all = row.get(column) ?? []
      return `${Math.round(all.reduce((sum, one) => sum + one, 0) / Math.max(1, all.length))} (${all.length})`
    })
    console.log(`| ${call} | ${cells.join(' | ')} |`)
  }
}
