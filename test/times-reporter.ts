import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { CACHE } from './run.ts'

const ROOT = resolve(import.meta.dirname, '..')

export interface SuiteTimes {
  readonly suite: string
  /** Milliseconds to load the file and its imports. */
  readonly load: number
  /** Milliseconds of its tests and hooks. */
  readonly run: number
  readonly tests: number
  /** Number of programs the suite started, by kind. */
  readonly started: Readonly<Record<string, number>>
}

export interface RunTimes {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly suites: readonly SuiteTimes[]
}

/** Writes how long each suite of a run took: for `npm run test:times`, and for the count that .ci/run ends with. */
export class TimesReporter implements Reporter {
  readonly #name: string

  constructor(name: string) {
    this.#name = name
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const count = (state: string): number => tests.filter((test) => test.result().state === state).length
    const times: RunTimes = {
      passed: count('passed'),
      failed: count('failed') + modules.filter((module) => module.errors().length > 0).length,
      skipped: count('skipped'),
      suites: modules.map(timesOf),
    }
    mkdirSync(CACHE, { recursive: true })
    writeFileSync(join(CACHE, `${this.#name}.json`), JSON.stringify(times))
  }
}

function timesOf(module: TestModule): SuiteTimes {
  const { collectDuration, duration } = module.diagnostic()
  const { started = {} } = module.meta() as { started?: Readonly<Record<string, number>> }
  return {
    suite: relative(ROOT, module.moduleId),
    load: Math.round(collectDuration),
    run: Math.round(duration),
    tests: [...module.children.allTests()].length,
    started,
  }
}
