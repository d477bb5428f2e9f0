import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import fast from '../../vitest.config.ts'
import slow from '../../vitest.slow.config.ts'

/** Keeps the requested order, so that expensive suites run only if no cheap one has failed. */
class AsGiven extends BaseSequencer {
  override async sort(suites: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number =>
      process.argv.findIndex((word) => moduleId.endsWith(`/${word}`))
    return suites.toSorted((one, other) => place(one) - place(other))
  }
}

// A mutation that hangs must fail while others still have time; a suite that needs longer is skipped.
const PATIENCE = { testTimeout: 30_000, expect: { poll: { timeout: 10_000 } } }

// Ends this process group if the parent process was killed, possibly before this line.
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
