/**
 * Measures whether a client that shows only some tools at once finds the right Ken tool, and the cost of the tool list:
 * `npm run eval:tools [-- --misses]`. Sixty plain requests, three pickers, beside the tools of other servers and of the
 * clients themselves. The wording is tuned on the even requests; the odd ones are held out. `before` is an earlier
 * wording of the same tools.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { openStaticEmbedder } from '../src/retrieval/embed/static/index.ts'
import { HALVES, type Figure } from './suite.ts'
import { OTHER_TOOLS } from './tool-picking/other-tools.ts'
import { byClaudeCode, byMeaning, byWords, type ListedTool, type Picker } from './tool-picking/pick.ts'
import { REQUESTS, type ToolRequest } from './tool-picking/requests.ts'

const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const CHARS_PER_TOKEN = 4

interface ServerList {
  readonly instructions: string
  readonly tools: readonly Record<string, unknown>[]
}

interface Desk {
  readonly lists: Readonly<Record<string, ServerList>>
  readonly pickers: Readonly<Record<string, Picker>>
  /**
   * Excludes requests that a lean toolset leaves to a person at a terminal, so that both toolsets get the same
   * requests.
   */
  isAskedOfBoth(request: number): boolean
}

export async function toolFigures(): Promise<Figure[]> {
  const { lists, pickers } = await openDesk()
  const figures: Figure[] = []
  for (const name of ['record,memory', 'agent']) {
    const { tools } = lists[name]!
    const at = { set: `tools/list, ${name}`, half: 'all', better: 'lower' } as const
    // Tolerance: one more word in a description is acceptable, a tenth more is not.
    const size = bytes(JSON.stringify({ tools }))
    // The same tools under an earlier wording.
    const before = name === 'record,memory' ? lists['before']! : undefined
    const peer = (value: number | undefined) =>
      value === undefined ? {} : { peer: { name: 'earlier wording', value } as const }
    const sizeBefore = before && bytes(JSON.stringify({ tools: before.tools }))
    figures.push({ ...at, measure: 'bytes', value: size, ...peer(sizeBefore), tolerance: Math.round(size / 10) })
    for (const [picker, pick] of Object.entries(pickers)) {
      const set = `${name}, ${picker}`
      const own = await tallyOf({ name, picker, pick, list: lists[name]! }, () => true)
      const old = before && (await tallyOf({ name, picker, pick, list: before }, () => true))
      // Tolerates one miss: ties are frequent among short texts.
      const more = { better: 'higher', tolerance: 1 } as const
      HALVES.forEach((half, i) => {
        figures.push(
          {
            set,
            half,
            measure: 'right tool first',
            value: own.first[i]!,
            of: own.asked[i]!,
            ...peer(old?.first[i]),
            ...more,
          },
          {
            set,
            half,
            measure: 'right tool among five',
            value: own.five[i]!,
            of: own.asked[i]!,
            ...peer(old?.five[i]),
            ...more,
          },
        )
      })
      figures.push({
        set,
        half: 'all',
        measure: 'left alone',
        value: own.alone,
        of: own.foreign,
        ...peer(old?.alone),
        ...more,
      })
    }
  }
  return figures
}

if (import.meta.main) await print()

async function print(): Promise<void> {
  const { values } = parseArgs({ options: { misses: { type: 'boolean' } } })
  const { lists, pickers, isAskedOfBoth } = await openDesk()
  console.log(
    '| toolsets | tools | bytes of tools/list | what a model reads, tokens | instructions, bytes |\n|---|---|---|---|---|',
  )
  for (const [name, list] of Object.entries(lists)) console.log(cost(name, list))
  console.log(
    '\n| toolsets | picker | first: even half | odd half | among five: even half | odd half | in sight | left alone |\n|---|---|---|---|---|---|---|---|',
  )
  const miss = values.misses ? sayMiss : undefined
  for (const [name, list] of Object.entries(lists)) {
    for (const [picker, pick] of Object.entries(pickers)) {
      const of = { name, picker, pick, list }
      console.log(row(of, await tallyOf(of, () => true, miss)))
      if (name !== 'record,memory') continue
      console.log(row({ ...of, name: `${name}, asked as agent` }, await tallyOf(of, isAskedOfBoth, miss)))
    }
  }
}

async function openDesk(): Promise<Desk> {
  const home = mkdtempSync(join(tmpdir(), 'ken-eval-tools-'))
  try {
    const env = { PATH: process.env['PATH'] ?? '', HOME: home, KEN_HOME: join(home, '.ken'), KEN_UPKEEP: '0' }
    const ken = fromHere('../bin/ken.js')
    execFileSync(process.execPath, [ken, 'init', 'eval'], { cwd: home, env })
    const lists = {
      before: JSON.parse(readFileSync(fromHere('tool-picking/before.json'), 'utf8')) as ServerList,
      'record,memory': await listOf('record,memory', { ken, env, home }),
      agent: await listOf('agent', { ken, env, home }),
    }
    const lean = new Set(lists.agent.tools.map((tool) => String(tool['name'])))
    const embedder = openStaticEmbedder(fromHere('../models/static-256/model.bin'))
    return {
      lists,
      pickers: { BM25: byWords, 'Claude Code': byClaudeCode, [embedder.id]: byMeaning(embedder) },
      isAskedOfBoth(request) {
        const { right } = REQUESTS[request]!
        return right.length === 0 || right.some((name) => lean.has(name))
      },
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

function cost(name: string, { tools, instructions }: ServerList): string {
  const read = tools.map((tool) => JSON.stringify([tool['name'], tool['description'], tool['inputSchema']])).join('')
  return `| ${name} | ${tools.length} | ${bytes(JSON.stringify({ tools }))} | ${Math.round(read.length / CHARS_PER_TOKEN)} | ${bytes(instructions)} |`
}

interface Trial {
  readonly name: string
  readonly picker: string
  readonly pick: Picker
  readonly list: ServerList
}

type Miss = (of: Trial, request: ToolRequest, picked: readonly string[]) => void

async function tallyOf(of: Trial, isAsked: (i: number) => boolean, miss: Miss = () => {}) {
  const own = listed(of.list)
  const names = new Set(own.map(({ name }) => name))
  const loaded = new Set(own.filter((tool) => tool.isLoaded).map(({ name }) => name))
  const tally = { first: [0, 0], five: [0, 0], asked: [0, 0], sight: 0, alone: 0, foreign: 0 }
  for (const [i, request] of REQUESTS.entries()) {
    const right = request.right.map((name) => `ken ${name}`).filter((name) => names.has(name))
    if (!isAsked(i) || (request.right.length > 0 && right.length === 0)) continue
    const picked = await of.pick(request.says, [...own, ...OTHER_TOOLS])
    if (right.length === 0) {
      tally.foreign += 1
      tally.alone += names.has(picked[0] ?? '') ? 0 : 1
      continue
    }
    const half = i % 2
    const isFirst = right.includes(picked[0] ?? '')
    const isAmongFive = picked.slice(0, 5).some((name) => right.includes(name))
    tally.asked[half]! += 1
    tally.first[half]! += isFirst ? 1 : 0
    tally.five[half]! += isAmongFive ? 1 : 0
    tally.sight += isAmongFive || right.some((name) => loaded.has(name)) ? 1 : 0
    if (half === 0 && !isFirst) miss(of, request, picked)
  }
  return tally
}

function row(of: Trial, { first, five, asked, sight, alone, foreign }: Awaited<ReturnType<typeof tallyOf>>): string {
  const cells = [first, five].flatMap((hits) => hits.map((count, half) => `${count} of ${asked[half]}`))
  return `| ${of.name} | ${of.picker} | ${cells.join(' | ')} | ${sight} of ${asked[0]! + asked[1]!} | ${alone} of ${foreign} |`
}

/** Prints a miss, for the tuning half only. */
function sayMiss(of: Trial, request: ToolRequest, picked: readonly string[]): void {
  const found = picked.slice(0, 5).map((name) => name.replace('ken ', ''))
  console.error(`${of.name}, ${of.picker}: "${request.says}" (${request.right.join(', ')}): ${found.join(', ')}`)
}

function listed({ tools }: ServerList): (ListedTool & { isLoaded: boolean })[] {
  return tools.map((tool) => ({
    name: `ken ${String(tool['name'])}`,
    description: String(tool['description']),
    hint: String(metaOf(tool)['anthropic/searchHint'] ?? ''),
    isLoaded: metaOf(tool)['anthropic/alwaysLoad'] === true,
    parameters: Object.keys((tool['inputSchema'] as { properties?: object }).properties ?? {}),
  }))
}

function metaOf(tool: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return (tool['_meta'] ?? {}) as Record<string, unknown>
}

async function listOf(
  toolsets: string,
  { ken, env, home }: { ken: string; env: Record<string, string>; home: string },
): Promise<ServerList> {
  const client = new Client({ name: 'eval', version: '1' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [ken, 'serve', '--stdio', '--toolsets', toolsets],
      env,
      cwd: home,
      stderr: 'ignore',
    }),
  )
  const { tools } = await client.listTools()
  const instructions = client.getInstructions() ?? ''
  await client.close()
  return { instructions, tools: tools as unknown as ServerList['tools'] }
}

function bytes(text: string): number {
  return Buffer.byteLength(text)
}
