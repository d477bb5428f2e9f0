// Mutates single places of the source in a copy of the tree and checks whether a test fails: `npm run mutate --
// --help`.
import { readFileSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { copyTree, filesOf, type CopiedTree } from './mutate/copied-tree.ts'
import { mutationsOf, type Mutation } from './mutate/mutations.ts'
import { openSeconds, openSuites } from './mutate/reaching-suites.ts'
import { runSuites, type SuitesRun } from './mutate/run-suites.ts'

const HELP = `Usage: npm run mutate -- [options]

Breaks single places of the source, one at a time and always in a copy of the tree, and runs the suites that import the
file, directly or over others, or start what does: the nearest ones, slow ones among them where the time is enough, the
cheapest first, until one fails. What none of them notices has survived. A suite that fails without the mutation as well
is left out from then on, and one that passes with it at a second try has noticed nothing.

  --seed <n>     Which places are chosen; the same seed chooses the same on an unchanged tree. Default 20261115.
  --count <n>    How many. Default 20.
  --in <path>    Only below this path; may be given several times, each gets as many places.
                 Default: core, record, memory, context, agent, team and web.
  --suites <n>   How many suites at most. Default 6.
  --only <n,…>   Only those of the list, by their numbers; to try survivors again with more suites.
  --bound <s>    Seconds that all suites of one place may take together; what takes longer is not judged. Default 120.
  --minutes <n>  What all places may take together; those that are left then are not judged. Default 10.
  --list         Only say what would be broken.

What is not judged counts neither as caught nor as survived, and is told with the reason. Exits 0 when all is told,
whatever survived. The copy lies in the temporary folder and is removed at the end, after a signal too; one that a
killed run left there is removed by the next.`

const ROOT = join(import.meta.dirname, '..')
const ROOMS = [
  'src/kernel',
  'src/retrieval',
  'src/record',
  'src/memory',
  'src/context',
  'src/analyst',
  'src/team',
  'web',
]

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '20261115' },
    count: { type: 'string', default: '20' },
    in: { type: 'string', multiple: true, default: ROOMS },
    suites: { type: 'string', default: '6' },
    only: { type: 'string', default: '' },
    bound: { type: 'string', default: '120' },
    minutes: { type: 'string', default: '10' },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const END = Date.now() + numberOf('minutes') * 60_000
const BOUND_MS = numberOf('bound') * 1000
if (options.help) console.log(HELP)
else await main()

interface Chosen extends Mutation {
  readonly path: string
  readonly line: number
  readonly number: number
}

async function main(): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => process.exit(128 + constants.signals[signal]))
  const files = filesOf(ROOT)
  const wanted = options.only.split(',').filter(Boolean).map(Number)
  const chosen = choose(files).filter(({ number }) => wanted.length === 0 || wanted.includes(number))
  if (options.list) return void chosen.forEach((one) => console.log(told(one)))
  const judge = openJudge(files)
  const counts = { caught: 0, survived: 0, 'not judged': 0 }
  for (const [i, one] of chosen.entries()) {
    const { name, why } = await judge(one, (END - Date.now()) / (chosen.length - i))
    console.log(told(one, name.padEnd(12)) + (why && `\n     ${why}`))
    counts[name] += 1
  }
  const { caught, survived, 'not judged': open } = counts
  console.log(`${caught} of ${chosen.length} caught, ${survived} survived, ${open} not judged, seed ${options.seed}.`)
}

function choose(files: readonly string[]): Chosen[] {
  const next = randomFrom(numberOf('seed'))
  const isSource = (path: string): boolean => /\.tsx?$/.test(path) && !/\.(?:test|d)\.ts$/.test(path)
  const rooms = options.in.map((given) => {
    const room = given.replace(/\/+$/, '')
    const paths = files.filter((path) => isSource(path) && (path === room || path.startsWith(`${room}/`)))
    return paths.map((path) => ({ path, place: next() })).sort((one, other) => one.place - other.place)
  })
  const chosen = new Map<string, Omit<Chosen, 'number'>>()
  for (let turn = 0; chosen.size < numberOf('count') && rooms.some(({ length }) => length > 0); turn += 1) {
    const path = rooms[turn % rooms.length]!.pop()?.path
    // One mutation per file: a file that one suite covers well must not represent all files.
    if (path === undefined || chosen.has(path)) continue
    const text = readFileSync(join(ROOT, path), 'utf8')
    const possible = mutationsOf(path, text)
    const mutation = possible[Math.floor(next() * possible.length)]
    if (mutation !== undefined)
      chosen.set(path, { ...mutation, path, line: text.slice(0, mutation.start).split('\n').length })
  }
  // Alternates between rooms, so that none is skipped when the time runs out.
  return [...chosen.values()].map((one, i) => ({ ...one, number: i + 1 }))
}

interface Verdict {
  readonly name: 'caught' | 'survived' | 'not judged'
  /** The first failed test, or the reason for the missing verdict. */
  readonly why: string
}

function openJudge(files: readonly string[]): (one: Chosen, room: number) => Promise<Verdict> {
  const expected = openSeconds(ROOT)
  const measured = new Map<string, number>()
  const secondsOf = (suite: string): number => measured.get(suite) ?? expected(suite)
  const suitesOf = openSuites(ROOT, files, secondsOf)
  const copy = copyTree(ROOT, files)
  /** Whether each checked suite passes on the unchanged tree. */
  const sound = new Map<string, boolean>()

  /** The nearest suite, and the next ones while the time allows. */
  const choice = (path: string, room: number, without: readonly string[]): string[] => {
    const taken: string[] = []
    let left = Math.min(room, BOUND_MS) / 1000
    for (const suite of suitesOf(path).filter((one) => sound.get(one) !== false && !without.includes(one))) {
      if (taken.length + without.length >= numberOf('suites')) break
      if (taken.length > 0 && secondsOf(suite) > left) continue
      taken.push(suite)
      left -= secondsOf(suite)
    }
    return taken.sort((one, other) => secondsOf(one) - secondsOf(other))
  }
  const run = async (suites: readonly string[], until: number, bail: boolean): Promise<SuitesRun> => {
    const result = await runSuites(copy, suites, { milliseconds: until - Date.now(), bail })
    for (const [suite, seconds] of result.seconds) measured.set(suite, seconds)
    return result
  }

  return async (one, room) => {
    const until = Math.min(Date.now() + BOUND_MS, END)
    const passed: string[] = []
    // Every round without a verdict removes one suite.
    for (;;) {
      const suites = choice(one.path, room, passed)
      if (Date.now() >= END) return late(suites)
      if (suites.length === 0) return passed.length > 0 ? survived(passed) : unreached()
      const first = await whileBroken(copy, one, () => run(suites, until, true))
      if (first.isLate) return late(suites)
      if (first.failed.length === 0) return survived([...passed, ...first.seconds.keys()])
      // One at a time, the fastest first: one suite that passes without the mutation is enough for a verdict.
      for (const suite of first.failed) {
        if (!sound.has(suite)) {
          const whole = await run([suite], Math.min(Date.now() + BOUND_MS, END), false)
          if (Date.now() >= END) return late(suites)
          sound.set(suite, !whole.isLate && whole.failed.length === 0)
        }
        if (sound.get(suite)) break
      }
      const able = first.failed.filter((suite) => sound.get(suite))
      if (able.length === 0) continue
      // Runs the suites again: on a busy machine a suite that waits for other processes occasionally fails.
      const again = able.every(isPure) ? first : await whileBroken(copy, one, () => run(able, until, true))
      if (again.isLate) return late(able)
      if (again.failed.length > 0) return { name: 'caught', why: again.by }
      passed.push(...able)
    }
  }
}

function isPure(suite: string): boolean {
  return /^(?:src\/\w+\/domain|web)\//.test(suite)
}

function survived(suites: readonly string[]): Verdict {
  return { name: 'survived', why: `Not noticed by ${suites.join(', ')}.` }
}

function unreached(): Verdict {
  return { name: 'not judged', why: 'No suite that passes without it reaches the file.' }
}

function late(suites: readonly string[]): Verdict {
  const isOver = Date.now() >= END
  const slow = `It took longer than ${options.bound} s with ${suites.join(', ')}.`
  return { name: 'not judged', why: isOver ? `The ${options.minutes} minutes are over.` : slow }
}

async function whileBroken<T>(
  { folder }: CopiedTree,
  { path, start, end, text }: Chosen,
  then: () => Promise<T>,
): Promise<T> {
  const whole = readFileSync(join(folder, path), 'utf8')
  writeFileSync(join(folder, path), whole.slice(0, start) + text + whole.slice(end))
  try {
    return await then()
  } finally {
    writeFileSync(join(folder, path), whole)
  }
}

function told({ number, path, line, what, from, text }: Chosen, verdict = ''): string {
  const [before, after] = [from, text].map((code) => code.replace(/\s+/g, ' ').slice(0, 70))
  return `${String(number).padStart(3)}  ${verdict}${path}:${line}  ${what}: ${before} → ${after}`
}

function numberOf(name: 'seed' | 'count' | 'suites' | 'bound' | 'minutes'): number {
  const number = Number(options[name])
  if (!Number.isFinite(number)) throw new TypeError(`--${name} takes a number, not "${options[name]}".`)
  return number
}

/** Mulberry32 generator. */
function randomFrom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
