// Breaks single places of the source in a copy of the tree, and asks whether a test notices: `npm run mutate -- --help`.
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { mutationsOf, type Mutation } from './mutate/mutations.ts'
import { openSuites } from './mutate/reaching-suites.ts'

const HELP = `Usage: npm run mutate -- [options]

Breaks single places of the source, one at a time and always in a copy of the tree, and runs the suites that import the
file, directly or over others: the three nearest first, then the rest. What none of them notices has survived.

  --seed <n>    Which places are chosen; the same seed chooses the same on an unchanged tree. Default 20261115.
  --count <n>   How many. Default 40.
  --in <path>   Only below this path; may be given several times. Default: core and the three pillars.
  --suites <n>  How many suites at most. Default 6.
  --only <n,…>  Only those of the list, by their numbers; to try survivors again with more suites.
  --bound <s>   Seconds that all suites of one place may take together; what takes longer is told as late and does not
                count as caught. Default 120.
  --list        Only say what would be broken.`

const ROOT = join(import.meta.dirname, '..')
const ROOMS = ['src/core', 'src/record', 'src/memory', 'src/context']

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '20261115' },
    count: { type: 'string', default: '40' },
    in: { type: 'string', multiple: true, default: ROOMS },
    suites: { type: 'string', default: '6' },
    only: { type: 'string', default: '' },
    bound: { type: 'string', default: '120' },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const BOUND_MS = Number(options.bound) * 1000
if (options.help) console.log(HELP)
else process.exitCode = await main()

interface Chosen extends Mutation {
  readonly path: string
  readonly line: number
}

async function main(): Promise<number> {
  const tracked = gitFiles()
  const wanted = options.only.split(',').filter(Boolean).map(Number)
  const numbered = choose(tracked).map((one, i) => ({ ...one, number: i + 1 }))
  const chosen = numbered.filter(({ number }) => wanted.length === 0 || wanted.includes(number))
  if (options.list) {
    for (const one of chosen) console.log(`${String(one.number).padStart(3)}  ${told(one)}`)
    return 0
  }
  const suitesOf = openSuites(ROOT, tracked)
  const copy = copyTree(tracked)
  process.once('SIGINT', () => {
    rmSync(copy, { recursive: true, force: true })
    process.exit(130)
  })
  try {
    let caught = 0
    const sound = new Map<string, boolean>()
    for (const one of chosen) {
      const { name, by } = await soundOutcome(copy, one, { suites: suitesOf(one.path), sound })
      console.log(`${String(one.number).padStart(3)}  ${name.padEnd(8)}  ${told(one)}${by && `\n     ${by}`}`)
      if (name === 'caught') caught += 1
    }
    console.log(`${caught} of ${chosen.length} caught, seed ${options.seed}.`)
    return 0
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

function gitFiles(): string[] {
  const words = ['-C', ROOT, 'ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const listed = execFileSync('git', words, { encoding: 'utf8', maxBuffer: 1 << 26 })
  return listed.split('\0').filter((path) => path !== '')
}

function choose(tracked: readonly string[]): Chosen[] {
  const files = tracked.filter(
    (path) => options.in.some((room) => path.startsWith(room)) && path.endsWith('.ts') && !path.endsWith('.test.ts'),
  )
  const next = randomFrom(Number(options.seed))
  const chosen = new Map<string, Chosen>()
  for (let tries = 0; chosen.size < Number(options.count) && tries < 10_000; tries += 1) {
    const path = files[Math.floor(next() * files.length)]!
    const text = readFileSync(join(ROOT, path), 'utf8')
    const possible = mutationsOf(path, text)
    const mutation = possible[Math.floor(next() * possible.length)]
    // One per file: a file that one suite covers well must not stand for all of them.
    if (mutation === undefined || chosen.has(path)) continue
    chosen.set(path, { ...mutation, path, line: text.slice(0, mutation.start).split('\n').length })
  }
  return [...chosen.values()].sort((one, other) => (one.path < other.path ? -1 : 1))
}

function copyTree(tracked: readonly string[]): string {
  const copy = mkdtempSync(join(tmpdir(), 'ken-mutate-'))
  for (const path of tracked) {
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    cpSync(join(ROOT, path), join(copy, path))
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

interface Outcome {
  readonly name: 'caught' | 'survived' | 'late'
  /** The first test that failed. */
  readonly by: string
}

/** A suite that fails on the unchanged tree as well has noticed nothing, and is left out from then on. */
async function soundOutcome(
  copy: string,
  mutation: Chosen,
  { suites, sound }: { suites: readonly string[]; sound: Map<string, boolean> },
): Promise<Outcome> {
  const outcome = await outcomeOf(
    copy,
    mutation,
    suites.filter((suite) => sound.get(suite) !== false),
  )
  const suite = outcome.by.split(' ')[0]!
  if (outcome.name !== 'caught' || sound.get(suite) === true) return outcome
  sound.set(suite, (await runSuites(copy, [suite], BOUND_MS)).name === 'survived')
  return sound.get(suite) === true ? outcome : soundOutcome(copy, mutation, { suites, sound })
}

async function outcomeOf(
  copy: string,
  { path, start, end, text }: Chosen,
  suites: readonly string[],
): Promise<Outcome> {
  const whole = readFileSync(join(ROOT, path), 'utf8')
  writeFileSync(join(copy, path), whole.slice(0, start) + text + whole.slice(end))
  try {
    const end = Date.now() + BOUND_MS
    const groups = [suites.slice(0, 3), suites.slice(3, Number(options.suites))]
    for (const some of groups.filter((group) => group.length > 0)) {
      const outcome = await runSuites(copy, some, end - Date.now())
      if (outcome.name !== 'survived') return outcome
    }
    return { name: 'survived', by: '' }
  } finally {
    writeFileSync(join(copy, path), whole)
  }
}

function runSuites(copy: string, suites: readonly string[], milliseconds: number): Promise<Outcome> {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  return new Promise((settled) => {
    const words = ['run', '--bail=1', '--reporter=dot', ...suites]
    const child = spawn(process.execPath, [vitest, ...words], {
      cwd: copy,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      env: { ...process.env, NO_COLOR: '1' },
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (some: Buffer) => void (said += some))
    const timer = setTimeout(() => {
      // The workers of the suites go with them.
      process.kill(-child.pid!, 'SIGKILL')
      settled({ name: 'late', by: '' })
    }, milliseconds)
    child.on('exit', (code) => {
      clearTimeout(timer)
      settled(
        code === 0 ? { name: 'survived', by: '' } : { name: 'caught', by: /^ FAIL +(.*)$/m.exec(said)?.[1] ?? '' },
      )
    })
  })
}

function told({ path, line, what, from, text }: Chosen): string {
  const [before, after] = [from, text].map((code) => code.replace(/\s+/g, ' ').slice(0, 70))
  return `${path}:${line}  ${what}: ${before} → ${after}`
}

/** Mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
