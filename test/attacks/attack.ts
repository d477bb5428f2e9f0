import { spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ERROR_TABLE } from '../../src/kernel/domain/errors.ts'
import { OPERATIONS } from '../../src/operations/all.ts'
import type { LookAnswer } from './look-worker.ts'
import type { Looker } from './looker.ts'
import type { HostileClone, Look, Machine } from './stage.ts'
import { watch } from './watch.ts'

/** The calls of a user who only reads: every read operation, with its first example. */
export const READS: readonly (readonly [operation: string, input: object])[] = OPERATIONS.filter(
  ({ effect }) => effect === 'read',
).map(({ name, examples }) => [name, examples[0]?.input ?? {}])

/** Read commands: the ones that run git, and the ones that a client starts with every session and prompt. */
const COMMANDS: readonly (readonly string[])[] = [
  ['guard'],
  ['drift'],
  ['pull-request', '--base', 'HEAD'],
  ['hook', 'session-start'],
  ['hook', 'prompt'],
]

/** Milliseconds within which everything answers, on an idle machine. */
const LATEST_MS = 10_000

export interface Attack {
  readonly machine: Machine
  readonly looker: Looker
  /** Path of the `ken` program; without it only operations are run. */
  readonly ken?: string | undefined
  /** Slowdown of this machine compared with an idle one. */
  readonly load: number
}

export interface Outcome {
  /** Violations, one per line; empty if the clone had no effect. */
  readonly faults: readonly string[]
  /** Answers that were too late, one per line; meaningless on a busy machine. */
  readonly late: readonly string[]
  readonly calls: number
  readonly slowestMs: number
  readonly outputs: readonly string[]
}

/** Builds a clone, reads it from its root and from the folder it was planted in, and reports its effects. */
export async function attack({ machine, looker, ken, load }: Attack, clone: HostileClone): Promise<Outcome> {
  const { root, look } = machine.build(clone)
  try {
    mkdirSync(dirname(root), { recursive: true })
    const before = watch(machine, root)
    const environment: Readonly<Record<string, string>> = {
      ...machine.environment,
      PATH: look.path ?? machine.environment['PATH']!,
    }
    const found: Found = { faults: [], late: [], outputs: [], slowestMs: 0, calls: 0 }
    for (const cwd of placesOf(root, look)) {
      for (const [operation, input] of [...READS, ...(cwd === root ? (look.calls ?? []) : [])]) {
        const answer = await looker.look({ cwd, operation, input, environment }, LATEST_MS * 3 * load)
        take(found, operation, answer, load)
      }
    }
    const cwd = placesOf(root, look).at(-1)!
    if (ken !== undefined)
      await Promise.all(
        COMMANDS.map(async (words) => {
          take(found, `ken ${words.join(' ')}`, await runKen(ken, words, { cwd, environment, load }), load)
        }),
      )
    if (look.says !== undefined && !found.outputs.some((text) => look.says!.test(text)))
      found.faults.push(`no answer says ${look.says}`)
    return { ...found, faults: [...found.faults, ...before.faults(found.outputs)] }
  } finally {
    machine.remove(root)
  }
}

interface Found {
  readonly faults: string[]
  readonly late: string[]
  readonly outputs: string[]
  calls: number
  slowestMs: number
}

const placesOf = (root: string, { from }: Look): readonly string[] =>
  from === undefined || !existsSync(join(root, from)) ? [root] : [root, join(root, from)]

const KNOWN_EXITS = new Set<number>([
  0,
  1,
  ...Object.entries(ERROR_TABLE).flatMap(([code, { exit }]) => (code === 'internal' ? [] : [exit])),
])

// eslint-disable-next-line no-control-regex -- these are what a terminal obeys
const ACTS_ON_TERMINAL = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/

function take(found: Found, call: string, answer: LookAnswer | undefined, load: number): void {
  found.calls++
  if (answer === undefined) return void found.faults.push(`${call} gave no answer`)
  found.outputs.push(answer.text)
  found.slowestMs = Math.max(found.slowestMs, answer.ms)
  if (answer.fault !== undefined) found.faults.push(`${call} failed inside Ken: ${answer.fault}`)
  if (answer.ms > LATEST_MS * load) found.late.push(`${call} took ${Math.round(answer.ms / 1000)} s`)
  if (!KNOWN_EXITS.has(answer.status)) found.faults.push(`${call} ended with ${answer.status}`)
  if (/^\s+at .+:\d+:\d+\)?$/m.test(answer.text)) found.faults.push(`${call} printed a stack: ${answer.text}`)
  const acting = ACTS_ON_TERMINAL.exec(answer.text)
  if (acting !== null)
    found.faults.push(
      `${call} answered with \\x${acting[0].charCodeAt(0).toString(16)}: ${JSON.stringify(answer.text.slice(Math.max(0, acting.index - 80), acting.index + 80))}`,
    )
}

interface Running {
  readonly cwd: string
  readonly environment: Readonly<Record<string, string>>
  readonly load: number
}

async function runKen(
  ken: string,
  words: readonly string[],
  { cwd, environment, load }: Running,
): Promise<LookAnswer | undefined> {
  const started = performance.now()
  const { promise, resolve } = Promise.withResolvers<number | null>()
  const child = spawn(process.execPath, [ken, ...words], {
    cwd,
    env: environment,
    timeout: Math.ceil(LATEST_MS * 3 * load),
    killSignal: 'SIGKILL',
  })
  const output: string[] = []
  for (const from of [child.stdout, child.stderr])
    from.setEncoding('utf8').on('data', (text: string) => output.push(text))
  child.stdin
    .on('error', () => {})
    .end(JSON.stringify({ cwd, session_id: 's', prompt: 'Which database do we use for orders?' }))
  child.on('close', resolve)
  const status = await promise
  return status === null ? undefined : { status, text: output.join(''), ms: performance.now() - started }
}
