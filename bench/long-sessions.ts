/**
 * Measures the cost of long sessions: `npm run bench:sessions [-- --sessions 100 --kilobytes 200]`. Generates sessions
 * of that size and prints p50 and p95 of a search by words, a search by words and meaning, and reading on from a hit,
 * beside a bare read of the files that the answer quotes. CPU time is more reliable than wall time on a busy machine.
 * Fails if a limit is not met.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openKen } from '../src/app/open.ts'
import { workspaceHash } from '../src/kernel/domain/workspace.ts'
import { sessionMarkdown } from '../src/memory/domain/session/markdown.ts'
import type { Turn } from '../src/memory/domain/session/session.ts'
import { OPERATIONS } from '../src/operations/all.ts'
import { answerText } from '../src/operations/answer.ts'
import { call } from '../src/operations/call.ts'
import { openChance } from './chance.ts'

const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '100' },
    kilobytes: { type: 'string', default: '200' },
    queries: { type: 'string', default: '150' },
  },
})
// Number of warm-up queries: before that, much of the search runs uncompiled.
const WARM_UP = 40
const LIMITS = { p50: 25, p95: 60 }
const STEMS =
  'orchard basket harvest queue schema replica index column pear migration endpoint handler retry cache batch'
    .split(' ')
    .flatMap((word) => ['', 'pre', 'sub', 'multi', 'over', 'un', 'micro', 'inter'].map((prefix) => prefix + word))
const COMMON = 'the of and to in is that it was for on are as with they be at one have this from or had by but'.split(
  ' ',
)
const chance = openChance(11)
const pick = <T>(from: readonly T[]): T => from[Math.floor(chance() * from.length)]!
const word = (): string =>
  chance() < 0.5 ? pick(COMMON) : pick(STEMS) + (chance() < 0.3 ? Math.floor(chance() * 300) : '')
const sentence = (words: number): string => `${Array.from({ length: words }, word).join(' ')}.`

const place = mkdtempSync(join(tmpdir(), 'ken-long-sessions-'))
const ken = openKen({ HOME: place, KEN_HOME: join(place, 'home'), KEN_TELEMETRY: '0', KEN_UPKEEP: '0' }, () => {})
const run = (name: string, input: Record<string, unknown>) => {
  const operation = OPERATIONS.find((one) => one.name === name)!
  const ctx = ken.context({ origin: { surface: 'mcp-stdio' }, cwd: place })
  return call(ctx, operation, input).then((answer) => ({ ...answer, text: answerText(operation, answer, 'agent') }))
}

try {
  const bytes = writeSessions(Number(values.sessions), Number(values.kilobytes) * 1024)
  await run('memory_update', {})
  console.log(`${values.sessions} sessions, ${(bytes / 1e6).toFixed(1)} MB; load ${loadavg()[0]!.toFixed(1)}`)
  const queries = Array.from({ length: Number(values.queries) + WARM_UP }, () => sentence(3 + Math.floor(chance() * 5)))
  const rows = [await searches('memory_search', queries), await searches('memory_query', queries), await reads(queries)]
  console.log('| call | p50 / p95, ms | of CPU | bare read of the same files, ms | limit, ms | bytes of an answer |')
  console.log('| --- | --- | --- | --- | --- | --- |')
  let isMet = true
  for (const { name, own, cpu, bare, size } of rows) {
    const [p50, p95] = [at(own, 0.5), at(own, 0.95)]
    isMet &&= p50 <= LIMITS.p50 && p95 <= LIMITS.p95
    const busy = `${at(cpu, 0.5).toFixed(1)} / ${at(cpu, 0.95).toFixed(1)}`
    const peer = `${at(bare, 0.5).toFixed(2)} / ${at(bare, 0.95).toFixed(2)}`
    console.log(
      `| ${name} | ${p50.toFixed(1)} / ${p95.toFixed(1)} | ${busy} | ${peer} | ${LIMITS.p50} / ${LIMITS.p95} | ${size.toFixed(0)} |`,
    )
  }
  if (!isMet) process.exitCode = 1
} finally {
  await ken.close()
  rmSync(place, { recursive: true, force: true })
}

interface Measured {
  readonly name: string
  readonly own: number[]
  readonly cpu: number[]
  readonly bare: number[]
  /** Average size of the answer. */
  readonly size: number
}

async function searches(name: string, queries: readonly string[]): Promise<Measured> {
  const ask = (query: string) => run(name, { query, workspace: 'all' })
  return measure(name, queries, ask, ({ output }) => (output['results'] as { path: string }[]).map(({ path }) => path))
}

/** Reads the lines of the best hit of every question and the lines that follow. */
async function reads(queries: readonly string[]): Promise<Measured> {
  const hits: { path: string; start_line: number; end_line: number }[] = []
  for (const query of queries) {
    const { output } = await run('memory_search', { query, workspace: 'all', limit: 1 })
    hits.push(...(output['results'] as typeof hits))
  }
  const get = ({ path, start_line: from, end_line: to }: (typeof hits)[number]) =>
    run('memory_get', { id: path, from_line: from, max_lines: to - from + 40, workspace: 'all' })
  return measure('memory_get', hits, get, ({ output }) => [String(output['path'])])
}

async function measure<T>(
  name: string,
  inputs: readonly T[],
  ask: (input: T) => ReturnType<typeof run>,
  pathsOf: (answer: Awaited<ReturnType<typeof run>>) => readonly string[],
): Promise<Measured> {
  const [own, cpu, bare]: [number[], number[], number[]] = [[], [], []]
  let size = 0
  for (const [i, input] of inputs.entries()) {
    const used = process.cpuUsage()
    const started = performance.now()
    const answer = await ask(input)
    const answered = performance.now()
    const { user, system } = process.cpuUsage(used)
    for (const path of pathsOf(answer)) readFileSync(path, 'utf8')
    const read = performance.now()
    if (i < WARM_UP) continue
    own.push(answered - started)
    cpu.push((user + system) / 1000)
    bare.push(read - answered)
    size += Buffer.byteLength(answer.text) / (inputs.length - WARM_UP)
  }
  return { name, own, cpu, bare, size }
}

function writeSessions(count: number, size: number): number {
  let bytes = 0
  for (let n = 0; n < count; n++) {
    const root = join(place, `project-${n % 5}`)
    const folder = join(place, 'home', 'sessions', workspaceHash(root))
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const text = sessionOf(n, root, size)
    writeFileSync(join(folder, `2026-05-01-session-${n}.md`), text)
    bytes += Buffer.byteLength(text)
  }
  return bytes
}

/** Questions of a sentence or two, answers of paragraphs, some with code. */
function sessionOf(n: number, root: string, size: number): string {
  const turns: Turn[] = []
  for (let length = 0; length < size;) {
    const asked = sentence(8 + Math.floor(chance() * 30))
    const paragraphs = Array.from({ length: 1 + Math.floor(chance() * 5) }, () =>
      sentence(40 + Math.floor(chance() * 60)),
    )
    const code = `\`\`\`ts\n${Array.from({ length: 12 }, () => `const ${pick(STEMS)} = ${pick(STEMS)}(${pick(STEMS)})`).join('\n')}\n\`\`\``
    const said = [...paragraphs, ...(chance() < 0.4 ? [code] : [])].join('\n\n')
    const at = new Date(1_777_000_000_000 + turns.length * 60_000).toISOString()
    turns.push(
      { role: 'user', at, text: asked },
      { role: 'assistant', at, text: said, tools: [{ name: 'Read', ok: true }] },
    )
    length += asked.length + said.length
  }
  return sessionMarkdown(
    {
      id: `session-${n}`,
      client: 'claude-code',
      kind: 'main',
      title: sentence(6),
      titleFrom: 'custom-title',
      files: [],
      projectDir: root,
      projectHash: null,
      directory: root,
      startedAt: '2026-05-01T10:00:00.000Z',
      endedAt: '2026-05-01T18:00:00.000Z',
      archived: false,
      turns,
      abandonedTurns: [],
      compactionSummaries: [],
      parentId: null,
      gitBranch: null,
      repo: null,
      clientVersion: null,
      badLines: 0,
      partialTail: false,
    },
    { workspace: workspaceHash(root) },
  )
}

function at(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))]!
}
