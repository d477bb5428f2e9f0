import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import fast from '../../vitest.config.ts'
import slow from '../../vitest.slow.config.ts'

/** In the order that was asked for, so that what is dear only runs where nothing cheap has failed. */
class AsGiven extends BaseSequencer {
  override async sort(suites: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number =>
      process.argv.findIndex((word) => moduleId.endsWith(`/${word}`))
    return suites.toSorted((one, other) => place(one) - place(other))
  }
}

// What a mutation keeps waiting forever must fail while others still have time; a suite that needs longer is left out.
const PATIENCE = { testTimeout: 30_000, expect: { poll: { timeout: 10_000 } } }

// Whoever started this was killed, maybe before this line.
const end = (): boolean => process.kill(-process.pid, 'SIGKILL')
if (process.connected === false) end()
process.once('disconnect', end)

/** Quick and slow suites in one run. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    sequence: { sequencer: AsGiven },
    globalSetup: 'test/run-setup.ts',
    projects: [...fast.test!.projects!, ...slow.test!.projects!].map((project) => {
      const { test, ...rest } = project as { test: object }
      return { ...rest, test: { ...test, ...PATIENCE } }
    }),
  },
})
