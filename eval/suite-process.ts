import { fork } from 'node:child_process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Figure, Suite } from './suite.ts'

export interface Outcome {
  readonly suite: string
  readonly figures: readonly Figure[]
  readonly leftOut: readonly LeftOut[]
  /** Why there are no figures. */
  readonly failure: string | undefined
  readonly seconds: number
}

export interface LeftOut {
  readonly set: string
  readonly why: string
}

type Told = { figures: readonly Figure[] } | { leftOut: LeftOut } | { failure: string }

export interface Apart {
  /** The file that exports SUITES. */
  readonly from: string
  readonly data: string | undefined
  /** Timeout in milliseconds. */
  readonly most?: number
}

/** Runs a suite in a separate process: a suite that crashes, hangs or exits does not affect the others. */
export async function runApart(suite: string, { from, data, most = 30 * 60_000 }: Apart): Promise<Outcome> {
  const started = performance.now()
  const leftOut: LeftOut[] = []
  let figures: readonly Figure[] | undefined
  let failure: string | undefined
  let said = ''
  const child = fork(fileURLToPath(import.meta.url), [from, suite, ...(data === undefined ? [] : [data])], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => (said = `${said}${String(chunk)}`.slice(-2_000)))
  child.on('message', (told: Told) => {
    if ('leftOut' in told) leftOut.push(told.leftOut)
    else if ('failure' in told) failure = told.failure
    else figures = told.figures
  })
  const clock = setTimeout(() => {
    failure = `no end after ${Math.round(most / 60_000)} minutes`
    child.kill('SIGKILL')
  }, most)
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((done) =>
    child.on('close', (...ended) => done(ended)),
  )
  clearTimeout(clock)
  if (figures === undefined) failure ??= `its process ended with ${signal ?? code}: ${said.trim().slice(-300)}`
  return {
    suite,
    figures: failure === undefined ? (figures ?? []) : [],
    leftOut,
    failure,
    seconds: (performance.now() - started) / 1_000,
  }
}

if (import.meta.main) {
  const [, , from = '', name, data] = process.argv
  const tell = (told: Told): void => void process.send!(told)
  try {
    const { SUITES } = (await import(pathToFileURL(from).href)) as { SUITES: readonly Suite[] }
    const suite = SUITES.find((one) => one.name === name)
    if (suite === undefined) throw new Error(`there is no suite ${name}`)
    let isLess = false
    const leaveOut = (set: string, why: string): void => {
      isLess = true
      tell({ leftOut: { set, why } })
    }
    const figures = await suite.run({ data, leaveOut })
    if (figures.length === 0 && !isLess) throw new Error('it measured nothing')
    tell({ figures })
  } catch (error) {
    tell({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
  process.disconnect()
}
