import { defineConfig } from 'vitest/config'
import { TimesReporter } from './test/times-reporter.ts'

const PURE = ['src/*/domain/**/*.test.ts', 'web/**/*.test.ts']

const SUITE = {
  exclude: ['test/slow/**', '**/*.slow.test.ts', '**/*.nightly.test.ts', '**/node_modules/**'],
  setupFiles: 'test/count-starts.ts',
  // Generous, because a busy machine is slow.
  expect: { poll: { timeout: 30_000 } },
  testTimeout: 60_000,
  hookTimeout: 60_000,
}

export default defineConfig({
  test: {
    globalSetup: 'test/run-setup.ts',
    reporters: ['default', new TimesReporter('fast')],
    // Many suites wait for their own processes; with one worker on two cores half the machine would be idle.
    maxWorkers: 2,
    projects: [
      // Code in these rooms has no state, so their test files share a process.
      { extends: true, test: { ...SUITE, name: 'pure', include: PURE, isolate: false } },
      {
        extends: true,
        test: {
          ...SUITE,
          name: 'real',
          // Loading a suite's imports takes longer than most suites, so they are loaded once per worker.
          isolate: false,
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...SUITE.exclude, ...PURE],
        },
      },
    ],
  },
})
