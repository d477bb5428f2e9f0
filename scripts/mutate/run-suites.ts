import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { CopiedTree } from './copied-tree.ts'

export interface SuitesRun {
  /** The suites exceeded the time limit and were killed. */
  readonly isLate: boolean
  readonly failed: readonly string[]
  /** The first test that failed. */
  readonly by: string
  /** Duration of each suite that finished. */
  readonly seconds: ReadonlyMap<string, number>
}

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly startTime: number
    readonly endTime: number
    /** Why the whole suite failed, e.g. in its setup. */
    readonly message: string
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}

/** Runs suites in order in one process, until the first fails or each finishes. */
export async function runSuites(
  copy: CopiedTree,
  suites: readonly string[],
  { milliseconds, bail }: { readonly milliseconds: number; readonly bail: boolean },
): Promise<SuitesRun> {
  const report = join(copy.temporary, 'report.json')
  rmSync(report, { force: true })
  const code = await runVitest(copy, [...(bail ? ['--bail=1'] : []), `--outputFile=${report}`, ...suites], milliseconds)
  const { testResults }: Report = existsSync(report)
    ? (JSON.parse(readFileSync(report, 'utf8')) as Report)
    : { testResults: [] }
  const results = suites.flatMap((suite) => testResults.find(({ name }) => name.endsWith(`/${suite}`)) ?? [])
  const nameOf = ({ name }: { name: string }): string => suites.find((suite) => name.endsWith(`/${suite}`))!
  const failed = results.filter(({ status }) => status === 'failed')
  const test =
    failed[0]?.assertionResults.find(({ status }) => status === 'failed')?.fullName ?? failed[0]?.message.split('\n')[0]
  return {
    isLate: code === undefined,
    // A failure outside a test may come from any of the suites.
    failed: code === 0 || code === undefined ? [] : failed.length > 0 ? failed.map(nameOf) : suites,
    by: failed[0] === undefined ? 'outside of a test' : `${nameOf(failed[0])} ${test}`,
    seconds: new Map(
      code === 0 ? results.map((one) => [nameOf(one), (one.endTime - one.startTime) / 1000] as const) : [],
    ),
  }
}

/** The exit code; undefined on timeout. */
function runVitest(
  { folder, temporary }: CopiedTree,
  words: readonly string[],
  milliseconds: number,
): Promise<number | undefined> {
  const program = join(folder, 'node_modules/vitest/vitest.mjs')
  const always = ['run', '--config=scripts/mutate/vitest.config.ts', '--reporter=json']
  const child = spawn(process.execPath, [program, ...always, ...words], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    detached: true,
    env: { ...process.env, TMPDIR: temporary },
  })
  // Also kills the workers of the suites.
  const kill = (): void => {
    try {
      process.kill(-child.pid!, 'SIGKILL')
    } catch {
      // The process has already ended.
    }
  }
  process.prependOnceListener('exit', kill)
  return new Promise((settled, failed) => {
    let isOver = false
    const timer = setTimeout(() => {
      isOver = true
      kill()
    }, milliseconds)
    child.once('error', failed)
    child.once('exit', (code) => {
      clearTimeout(timer)
      process.off('exit', kill)
      settled(isOver ? undefined : (code ?? 1))
    })
  })
}
