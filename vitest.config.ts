import { defineConfig } from 'vitest/config'
import { TimesReporter } from './test/times-reporter.ts'

const PURE = ['src/*/domain/**/*.test.ts', 'web/**/*.test.ts']

const SUITE = {
  exclude: ['test/slow/**', '**/*.slow.test.ts', '**/*.nightly.test.ts', '**/node_modules/**'],
  setupFiles: 'test/count-starts.ts',
  // A machine that is busy elsewhere is slow, not wrong.
  expect: { poll: { timeout: 30_000 } },
  testTimeout: 60_000,
  hookTimeout: 60_000,
}

export default defineConfig({
  test: {
    globalSetup: 'test/run-setup.ts',
    reporters: ['default', new TimesReporter('fast')],
    // Many suites wait for processes of their own; with one worker on two cores half the machine would stand idle.
    maxWorkers: 2,
    projects: [
      // Nothing in these rooms keeps anything, so their files share a process.
      { extends: true, test: { ...SUITE, name: 'pure', include: PURE, isolate: false } },
      {
        extends: true,
        test: {
          ...SUITE,
          name: 'real',
          // Loading what a suite imports takes longer than most suites: it is loaded once for a worker.
          isolate: false,
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...SUITE.exclude, ...PURE],
        },
      },
    ],
  },
})
