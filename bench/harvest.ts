/**
 * Measures how fast a Claude Code home is harvested: `node bench/harvest.ts [megabytes]`, 200 by default. The home is
 * generated in a temporary folder: many sessions of ordinary size, and long ones with a record of several megabytes.
 * Every run is a separate process, so that its peak memory can be measured alone. The last line is a plain JSON.parse
 * of every line, the floor for any reader that parses.
 */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { claudeCode } from '../src/memory/harvest/claude-code/index.ts'

const MEGABYTE = 1 << 20
const WORDS =
  'orchard basket harvest queue schema replica index column pear migration endpoint handler retry cache batch review deploy'.split(
    ' ',
  )

if (process.argv[2] === 'run') await run(process.argv[3] ?? '', process.argv[4] ?? '')
else await compare(Number(process.argv[2] ?? 200) * MEGABYTE)

async function compare(wanted: number): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'ken-bench-'))
  try {
    const root = join(home, '.claude')
    const sessions = await writeHome(root, wanted)
    const bytes = await sizeOf(root)
    console.log(`${sessions} sessions, ${(bytes / MEGABYTE).toFixed(0)} MB`)
    report('first harvest', 'harvest', { home, bytes })
    report('nothing new', 'harvest', { home, bytes })
    await appendFile(join(root, 'projects/-home-dev-p1/session-1.jsonl'), line(record(1, 'user', 'One more thing.')))
    report('one new line', 'harvest', { home, bytes })
    report('JSON.parse only', 'parse', { home, bytes })
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

interface Measured {
  readonly seconds: number
  readonly cpu: number
  readonly peak: number
  readonly told: number
}

function report(what: string, task: string, { home, bytes }: { home: string; bytes: number }): void {
  const output = execFileSync(process.execPath, [import.meta.filename, 'run', task, home], { encoding: 'utf8' })
  const { seconds, cpu, peak, told } = JSON.parse(output) as Measured
  const speed = `${(bytes / MEGABYTE / seconds).toFixed(0)} MB/s`
  const memory = `peak ${(peak / 1024).toFixed(0)} MB`
  console.log(
    `${what.padEnd(16)} ${seconds.toFixed(2)} s (cpu ${cpu.toFixed(2)} s) ${speed.padStart(11)}  ${memory}  ${told} told`,
  )
}

async function run(task: string, home: string): Promise<void> {
  const start = performance.now()
  const told = task === 'parse' ? await parseOnly(join(home, '.claude')) : await harvest(home)
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  const measured: Measured = {
    seconds: (performance.now() - start) / 1000,
    cpu: (userCPUTime + systemCPUTime) / 1e6,
    peak: maxRSS,
    told,
  }
  console.log(JSON.stringify(measured))
}

async function harvest(home: string): Promise<number> {
  const saved = join(home, 'cursor.json')
  const cursor = await readFile(saved, 'utf8').catch(() => undefined)
  let told = 0
  for await (const event of claudeCode.read(join(home, '.claude'), cursor)) {
    if (event.kind === 'session') told += 1
    if (event.kind === 'cursor') await writeFile(saved, event.cursor)
  }
  return told
}

async function parseOnly(root: string): Promise<number> {
  let lines = 0
  for (const path of await transcripts(root)) {
    for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Infinity }))
      lines += JSON.parse(text) ? 1 : 0
  }
  return lines
}

async function writeHome(root: string, wanted: number): Promise<number> {
  let written = 0
  let sessions = 0
  for (; written < wanted; sessions += 1) {
    const folder = join(root, 'projects', `-home-dev-p${sessions % 20}`)
    await mkdir(folder, { recursive: true })
    const file = createWriteStream(join(folder, `session-${sessions}.jsonl`))
    const isLong = sessions % 40 === 0
    for (let turn = 0; turn < (isLong ? 400 : 12); turn += 1) {
      for (const text of turnLines(sessions * 1000 + turn, isLong && turn === 0)) {
        written += text.length
        if (!file.write(text)) await once(file, 'drain')
      }
    }
    file.end()
    await once(file, 'finish')
  }
  return sessions
}

/** A prompt, four tool calls with their results, an answer, and the noise around them. */
function turnLines(n: number, hasHugeResult: boolean): string[] {
  const at = n * 12
  const tools = Array.from({ length: 4 }, (_, i) => {
    const id = `toolu_${n}_${i}`
    const result = hasHugeResult && i === 0 ? 'x'.repeat(5 * MEGABYTE) : prose(1500, n + i)
    return [
      record(at + 2 + 2 * i, 'assistant', [
        { type: 'tool_use', id, name: 'Read', input: { file_path: `/home/dev/src/${i}.ts` } },
      ]),
      record(at + 3 + 2 * i, 'user', [{ type: 'tool_result', tool_use_id: id, content: result }]),
    ]
  })
  return [
    record(at, 'user', prose(40, n)),
    {
      ...record(at + 1, 'attachment', ''),
      attachment: { type: 'prompt_snapshot' },
      rendered: [{ content: prose(200, n) }],
    },
    ...tools.flat(),
    record(at + 10, 'assistant', [{ type: 'text', text: prose(200, n) }]),
    { type: 'api-request-blob', sessionId: 's', hash: String(n), message: { role: 'user', content: prose(400, n) } },
    { ...record(at + 11, 'system', ''), subtype: 'turn_duration' },
  ].map(line)
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`
}

/** Each session uses 12,000 consecutive numbers; each record has the previous one as its parent. */
function record(n: number, type: string, content: unknown): object {
  const parentUuid = n % 12_000 === 0 ? null : `uuid-${n - 1}`
  const timestamp = new Date(1_780_000_000_000 + n * 1000).toISOString()
  const message = { role: type, content }
  return {
    parentUuid,
    isSidechain: false,
    uuid: `uuid-${n}`,
    timestamp,
    sessionId: 's',
    cwd: '/home/dev/p',
    version: '2.1.325',
    type,
    message,
  }
}

function prose(words: number, seed: number): string {
  return Array.from({ length: words }, (_, i) => WORDS[(i * 7 + seed * 13) % WORDS.length]).join(' ')
}

async function transcripts(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

async function sizeOf(root: string): Promise<number> {
  const sizes = await Promise.all((await transcripts(root)).map(async (path) => (await stat(path)).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}
