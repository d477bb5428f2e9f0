/**
 * Measures a suite of 200 cases at one thread and at four: `npm run bench:tests [-- --cases 200 --threads 4 --delay
 * 150]`. Runs a real `ken test` in a separate process, on a shop in SQLite with a record, and a scripted model over
 * HTTP that delays every request. Prints seconds, cases a second, memory and the share of a core, and the ratio of the
 * two; fails if their outcomes differ or if several threads gain next to nothing. The gain is model latency: on a busy
 * machine the processor becomes the bottleneck instead.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { stringify } from 'yaml'
import { openKen } from '../src/app/open.ts'
import { OPERATIONS } from '../src/operations/all.ts'
import { call } from '../src/operations/call.ts'
import { openScriptedModel, type ModelRequest, type ScriptedStep } from '../test/scripted-model.ts'
import { makeShop, ownSqlite } from '../test/shop-database.ts'

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '200' },
    threads: { type: 'string', default: '4' },
    delay: { type: 'string', default: '150' },
  },
})
const LEAST_RATIO = 1.5
const [count, threads, delay] = [values.cases, values.threads, values.delay].map(Number) as [number, number, number]
const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-bench-tests-')))
const folder = join(place, 'shop')
const model = await openScriptedModel(async (request) => {
  await wait(delay)
  return answerTo(request)
})
const environment = {
  ...process.env,
  HOME: place,
  KEN_HOME: join(place, 'home'),
  KEN_TELEMETRY: '0',
  KEN_MODEL: 'compatible:scripted',
  KEN_MODEL_URL: `${model.url}/v1`,
}

try {
  await prepare()
  // The first start fills operating system caches that the second would find full.
  await ken(['test', 'list'])
  const one = await measure(1)
  const many = await measure(threads)
  const ratio = one.seconds / many.seconds
  console.log(`${count} cases, ${delay} ms a request; load ${loadavg()[0]!.toFixed(1)}\n`)
  console.log(
    '| threads | seconds | cases a second | requests | memory, MB | CPU, s | share of a core | passed | failed |',
  )
  console.log('|---|---|---|---|---|---|---|---|---|')
  for (const { threads: used, seconds, requests, memory, cpu, passed, failed } of [one, many])
    console.log(
      `| ${used} | ${seconds.toFixed(1)} | ${(count / seconds).toFixed(1)} | ${requests} | ${memory.toFixed(0)} | ${cpu.toFixed(1)} | ${Math.round((cpu / seconds) * 100)} % | ${passed} | ${failed.length} |`,
    )
  const isSame = JSON.stringify([one.passed, one.failed]) === JSON.stringify([many.passed, many.failed])
  console.log(
    `\n${ratio.toFixed(2)} times as fast (at least ${LEAST_RATIO}); outcomes ${isSame ? 'the same' : 'DIFFER'}`,
  )
  if (model.strays.length > 0) console.log(`requests without an answer: ${model.strays.slice(0, 3).join('; ')}`)
  const isWhole = one.passed + one.failed.length === count && one.failed.length === wrongOnes()
  process.exitCode = isSame && isWhole && ratio >= LEAST_RATIO && model.strays.length === 0 ? 0 : 1
} finally {
  await model.close()
  rmSync(place, { recursive: true, force: true })
}

interface Measured {
  readonly threads: number
  readonly seconds: number
  readonly requests: number
  readonly memory: number
  /** CPU time in seconds. */
  readonly cpu: number
  readonly passed: number
  readonly failed: readonly string[]
}

async function measure(used: number): Promise<Measured> {
  model.requests.length = 0
  const started = performance.now()
  const { said, memory, cpu } = await ken(['test', '--threads', String(used), '--json'])
  const seconds = (performance.now() - started) / 1_000
  const { total, cases } = JSON.parse(said) as {
    total: { passed: number }
    cases: readonly { name: string; verdict: string }[]
  }
  const failed = cases.map(({ name, verdict }) => `${name}: ${verdict}`).toSorted()
  return { threads: used, seconds, requests: model.requests.length, memory, cpu, passed: total.passed, failed }
}

/** Runs a separate process and returns its peak memory and its CPU time in seconds. */
async function ken(words: readonly string[]): Promise<{ said: string; memory: number; cpu: number }> {
  const own = spawn(process.execPath, [join(import.meta.dirname, '../bin/ken.js'), ...words], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, errors]: string[][] = [[], []]
  own.stdout.setEncoding('utf8').on('data', (text: string) => out!.push(text))
  own.stderr.setEncoding('utf8').on('data', (text: string) => errors!.push(text))
  const gone = new Promise<number | null>((end) => own.once('close', end))
  let used = { memory: 0, cpu: 0 }
  const timer = setInterval(() => (used = usedBy(own.pid!) ?? used), 50)
  const code = await gone.finally(() => clearInterval(timer))
  const said = out!.join('')
  if (code !== 0 && code !== 1) throw new Error(`ken ${words.join(' ')} ended with ${code}: ${said}${errors!.join('')}`)
  return { said, ...used }
}

function usedBy(pid: number): { memory: number; cpu: number } | undefined {
  try {
    const memory = Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    // User and system time, in the hundredths of a second that Linux counts in. A process that has ended is still
    // listed for a moment, with no memory.
    if (Number.isNaN(memory)) return undefined
    return { memory, cpu: (Number(fields[11]) + Number(fields[12])) / 100 }
  } catch {
    return undefined
  }
}

async function prepare(): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const database = ownSqlite(join(folder, 'shop.db'))
  await makeShop(database, 'sqlite')
  await database.close()
  const own = openKen(environment, () => {})
  const ctx = own.context({ origin: { surface: 'cli' }, cwd: folder })
  const run = (name: string, input: object): Promise<unknown> =>
    call(
      ctx,
      OPERATIONS.find((one) => one.name === name)!,
      input,
    )
  await run('init', { name: 'shop', demo: true })
  await run('init', { name: 'shop', context: true, database: ['shop=sqlite:shop.db'] })
  for (let i = 0; i < 20; i++)
    write(`docs/page-${i}.md`, `# Depot ${i}\n\nThe depot of bay ${i} takes parcels of size ${i}.\n`)
  write('tests/example.yaml', '')
  write('tests/suite.yaml', stringify(Array.from({ length: count }, (_, i) => caseNumber(i))))
  await run('sync_sources', {})
  await run('memory_update', {})
  await own.close()
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/** Seven of ten cases ask the analyst, as in a typical suite. One in twenty is wrong. */
function caseNumber(i: number): object {
  const isWrong = i % 20 === 7
  const [name, n] = [`case ${i}`, i % 20]
  const prompt = (what: string): string => `${what} (${name})`
  switch (i % 10) {
    case 0:
    case 1:
    case 2:
      return {
        name,
        kind: 'sql',
        prompt: prompt('How many orders are there?'),
        sql: 'select count(*) as n from orders',
      }
    case 3:
    case 4:
      return { name, kind: 'answer', prompt: prompt('Say something'), assert: [{ contains: 'something' }] }
    case 5:
      return { name, kind: 'action', prompt: prompt('Which tables are there?'), called: ['list_tables'], most_calls: 2 }
    case 6:
      return { name, kind: 'retrieval', query: `the depot of bay ${n}`, wanted: [`docs/page-${n}.md`], at: 10 }
    case 7:
      return { name, kind: 'decision', proposal: 'Keep orders in MongoDB', verdict: isWrong ? 'none' : 'strong' }
    case 8:
      return {
        name,
        kind: 'memory',
        conversation: [`From now on always show ${n} rows.`],
        expected: [{ contains: ['rows'] }],
      }
    default:
      return {
        name,
        kind: 'context',
        budget: 1_500,
        for: 'where are orders kept',
        facts: ['Use Postgres as the only datastore'],
      }
  }
}

function wrongOnes(): number {
  return Array.from({ length: count }, (_, i) => i).filter((i) => i % 20 === 7).length
}

function answerTo({ user, answers, tools }: ModelRequest): ScriptedStep {
  if (tools.length === 0) {
    const words = /From now on always show \d+ rows\./.exec(user)?.[0]
    return JSON.stringify({
      instructions: words === undefined ? [] : [{ content: words, evidence: words }],
      facts: [],
      forget: [],
    })
  }
  if (answers.length > 0) return 'That is something.'
  if (user.includes('How many orders'))
    return { call: { tool: 'execute_sql', input: { sql: 'select count(*) from orders' } } }
  return user.includes('Which tables') ? { call: { tool: 'list_tables', input: {} } } : 'That is something.'
}
