/**
 * Measures the cost of a whole check (by words, by meaning and by rejected names) as a record grows: `node
 * bench/check.ts [sizes…]`, by default 100 1000 10000 100000 decisions. The peer is a ranking that reads and parses
 * every file on each call, as earlier tools did; its published figures are printed beside ours. Checks are median wall
 * times with CPU times beside them, and starts are the best of seven; other work on the machine makes them longer,
 * never shorter.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { openCorpus } from './decision-corpus.ts'

enableCompileCache()
const KEN = join(import.meta.dirname, '..', 'bin', 'ken.js')
// CPU time and memory of check_decision in nauro 1.15, measured on two ARM cores: a limit to stay far below, not a race
// on equal terms.
const NAURO: Readonly<Record<number, string>> = {
  100: '105 ms, 69 MB',
  1_000: '1,010 ms, 86 MB',
  10_000: '10,400 ms, 221 MB',
  100_000: '107,700 ms, 1,100 MB',
}

const WARM_UP = 15
const MEASURED = 60

const [mode, ...rest] = process.argv.slice(2)
if (mode === 'warm') await warm(rest[0]!, rest[1]!, Number(rest[2]))
else if (mode === 'cold') await cold(rest[0]!, rest[1]!)
else if (mode === 'naive') await naive(rest[0]!)
else await main([mode, ...rest].flatMap((size) => (size === undefined ? [] : [Number(size)])))

async function main(sizes: readonly number[]): Promise<void> {
  const head = [
    'decisions',
    'written',
    'first index',
    'check p50',
    'p95',
    'CPU',
    'naming a rejected one, CPU',
    'over MCP, CPU',
    'naming a rejected one over MCP, CPU',
    'cold process',
    'cold ken check',
    'memory',
    'index file',
    'peer p50',
    'peer ÷ ours',
    'nauro (published)',
  ]
  const print = (row: readonly string[]) =>
    console.log(row.map((cell, column) => cell.padStart(Math.max(9, head[column]!.length + 1))).join(' '))
  print(head)
  for (const size of sizes.length > 0 ? sizes : [100, 1_000, 10_000, 100_000]) print(await measure(size))
}

async function measure(size: number): Promise<string[]> {
  const home = mkdtempSync(join(tmpdir(), 'ken-bench-'))
  const repository = join(home, 'repository')
  mkdirSync(repository)
  const ken = (...values: string[]) =>
    execFileSync(process.execPath, [KEN, ...values], {
      cwd: repository,
      encoding: 'utf8',
      env: { ...process.env, KEN_HOME: join(home, 'ken') },
    })
  try {
    const record = (JSON.parse(ken('init', 'bench', '--json')) as { store: string }).store
    const cache = join(home, 'ken', 'cache')
    const started = performance.now()
    const corpus = openCorpus(size)
    for (let num = 2; num <= size; num++) {
      const { name, text } = corpus.decision(num)
      writeFileSync(join(record, 'decisions', name), text)
    }
    const written = performance.now() - started
    const { index, indexCpu } = child<{ index: number; indexCpu: number }>('warm', record, cache, String(size))
    const own = child<{ p50: number; p95: number; cpu: number; rejected: number; rss: number }>(
      'warm',
      record,
      cache,
      String(size),
    )
    const overMcp = await checksOverMcp(repository, join(home, 'ken'), size)
    const starts = Array.from({ length: 7 }, () =>
      timed(() => spawnSync(process.execPath, [import.meta.filename, 'cold', record, cache])),
    )
    const calls = Array.from({ length: 7 }, () => timed(() => ken('check-decision', corpus.query())))
    const peer = child<{ p50: number }>('naive', record)
    const bytes = readdirSync(cache)
      .filter((name) => name.endsWith('.db'))
      .reduce((sum, name) => sum + readFileSync(join(cache, name)).length, 0)
    return [
      size.toLocaleString('en'),
      ms(written),
      `${ms(index)} (${ms(indexCpu)} CPU)`,
      ms(own.p50),
      ms(own.p95),
      ms(own.cpu),
      ms(own.rejected),
      ms(overMcp.cpu),
      ms(overMcp.rejected),
      ms(Math.min(...starts)),
      ms(Math.min(...calls)),
      `${Math.round(own.rss / 2 ** 20)} MB`,
      `${(bytes / 2 ** 20).toFixed(1)} MB`,
      ms(peer.p50),
      `${Math.round(peer.p50 / own.p50).toLocaleString('en')}×`,
      NAURO[size] ?? '',
    ]
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

function child<T>(...values: string[]): T {
  return JSON.parse(execFileSync(process.execPath, [import.meta.filename, ...values], { encoding: 'utf8' })) as T
}

/**
 * A long-lived process: the catalogue (the first such process builds the index), then 60 different checks after a few
 * warm-up ones.
 */
async function warm(record: string, cache: string, size: number): Promise<void> {
  const store = await open(record, cache)
  const { check } = await import('../src/record/check.ts')
  const start = performance.now()
  const startCpu = process.cpuUsage()
  await store.catalogue()
  const index = performance.now() - start
  // The vectors of a large record load during the first questions; that time is not part of the cost of a check.
  for (let i = 0; i <= size / 2_000; i++) await check(store, { proposed_approach: 'anything at all' })
  const indexed = process.cpuUsage(startCpu)
  const ask = (text: string) => check(store, { proposed_approach: text })
  const usual = await costOf(queriesOf(size).usual, ask, () => process.cpuUsage())
  const rejected = await costOf(queriesOf(size).rejected, ask, () => process.cpuUsage())
  process.stdout.write(
    JSON.stringify({
      index,
      indexCpu: (indexed.user + indexed.system) / 1000,
      cpu: usual.cpu,
      rejected: rejected.cpu,
      p50: median(usual.times),
      p95: usual.times.toSorted((a, b) => a - b)[Math.floor(usual.times.length * 0.95)],
      rss: process.memoryUsage.rss(),
    }),
  )
  await store.close()
}

/** Typical proposals, and proposals of alternatives that a recorded decision rejected. */
function queriesOf(size: number): { usual: string[]; rejected: string[] } {
  const corpus = openCorpus(size)
  const { query } = openCorpus(4711)
  const names = Array.from({ length: WARM_UP + MEASURED }, (_, at) => corpus.decision(at + 2).rejected)
  return { usual: names.map(() => query()), rejected: names.map((name) => `Use ${name} for this`) }
}

async function costOf(
  queries: readonly string[],
  ask: (text: string) => Promise<unknown>,
  usage: () => { user: number; system: number },
): Promise<{ cpu: number; times: number[] }> {
  const times: number[] = []
  let before = usage()
  for (const [at, text] of queries.entries()) {
    if (at === WARM_UP) before = usage()
    const from = performance.now()
    await ask(text)
    if (at >= WARM_UP) times.push(performance.now() - from)
  }
  const now = usage()
  return { cpu: (now.user - before.user + now.system - before.system) / 1000 / times.length, times }
}

/**
 * Runs the same checks as an agent does, with check_decision over `ken serve --stdio`. Measures the server's CPU time.
 */
async function checksOverMcp(
  repository: string,
  home: string,
  size: number,
): Promise<{ cpu: number; rejected: number }> {
  const server = spawn(process.execPath, [KEN, 'serve', '--stdio'], {
    cwd: repository,
    // Background upkeep would index the whole record during the measurement.
    env: { ...process.env, KEN_HOME: home, KEN_UPKEEP: '0' },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const waiting = new Map<number, (answer: unknown) => void>()
  createInterface({ input: server.stdout }).on('line', (line) => {
    const { id } = JSON.parse(line) as { id?: number }
    if (id !== undefined) waiting.get(id)?.(line)
  })
  let last = 0
  const send = (message: object): void => void server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const request = (method: string, params: object): Promise<unknown> => {
    const id = ++last
    const { promise, resolve } = Promise.withResolvers<unknown>()
    waiting.set(id, resolve)
    send({ id, method, params })
    return promise
  }
  try {
    await request('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'bench', version: '1' },
    })
    send({ method: 'notifications/initialized' })
    const ask = (text: string) =>
      request('tools/call', { name: 'check_decision', arguments: { proposed_approach: text } })
    for (let i = 0; i <= size / 2_000; i++) await ask('anything at all')
    const usage = () => usageOf(server.pid!)
    const usual = await costOf(queriesOf(size).usual, ask, usage)
    const rejected = await costOf(queriesOf(size).rejected, ask, usage)
    return { cpu: usual.cpu, rejected: rejected.cpu }
  } finally {
    server.kill()
  }
}

/** CPU time of a process in microseconds, in steps of 10 ms; Linux only. */
function usageOf(pid: number): { user: number; system: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return { user: Number(fields[11]) * 10_000, system: Number(fields[12]) * 10_000 }
}

async function cold(record: string, cache: string): Promise<void> {
  const store = await open(record, cache)
  const { check } = await import('../src/record/check.ts')
  await check(store, { proposed_approach: openCorpus(1).query() })
  await store.close()
}

async function naive(record: string): Promise<void> {
  const [{ parseDecision }, { indexText }, { rankBm25 }, { CHECK_STOP_WORDS }] = await Promise.all([
    import('../src/record/domain/decision/parse.ts'),
    import('../src/record/domain/decision/decision-texts.ts'),
    import('../src/retrieval/domain/ranking/bm25.ts'),
    import('../src/kernel/domain/text/decision-tokens.ts'),
  ])
  const folder = join(record, 'decisions')
  const { query } = openCorpus(4711)
  const names = readdirSync(folder)
  const times = Array.from({ length: names.length > 20_000 ? 1 : 3 }, () =>
    timed(() => {
      const decisions = readdirSync(folder).map((name) => parseDecision(readFileSync(join(folder, name), 'utf8'), name))
      rankBm25(decisions.filter((d) => d.status === 'active').map(indexText), query(), {
        limit: 5,
        stopWords: CHECK_STOP_WORDS,
      })
    }),
  )
  process.stdout.write(JSON.stringify({ p50: median(times) }))
}

async function open(record: string, cacheDir: string) {
  const [{ openFileStore }, { systemClock }, { openStaticEmbedder }, { openVectorScan }] = await Promise.all([
    import('../src/record/store/files/index.ts'),
    import('../src/kernel/system/clock.ts'),
    import('../src/retrieval/embed/static/index.ts'),
    import('../src/retrieval/vectors/index.ts'),
  ])
  const model = openStaticEmbedder(join(import.meta.dirname, '..', 'models', 'static-256', 'model.bin'))
  return openFileStore({
    embedder: async () => model,
    scan: openVectorScan,
    root: record,
    cacheDir,
    stateDir: `${cacheDir}-state`,
    clock: systemClock,
    project: { id: '01JQ0000000000000000000000', name: 'bench', mode: 'local', location: record },
  })
}

function timed(work: () => unknown): number {
  const start = performance.now()
  work()
  return performance.now() - start
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function ms(value: number): string {
  return value >= 1000 ? `${(value / 1000).toFixed(1)} s` : `${value.toFixed(value < 10 ? 2 : 0)} ms`
}
