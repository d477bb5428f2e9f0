import { defineConfig } from 'vitest/config'
import { TimesReporter } from './test/times-reporter.ts'

/** Suites that measure memory or time, or take every core for themselves: one after the other, after all others. */
const ALONE = [
  'test/bombs.slow.test.ts',
  'test/engine-bounds.slow.test.ts',
  'test/hook-load.slow.test.ts',
  'test/slow/cluster.test.ts',
  'test/slow/failover.test.ts',
  'test/slow/rolling-upgrade.test.ts',
  'test/soak.slow.test.ts',
]

const BROWSERS = ['test/slow/**/*.browser.test.ts']

const SUITE = {
  setupFiles: 'test/count-starts.ts',
  // A machine that is busy elsewhere is slow, not wrong.
  expect: { poll: { timeout: 30_000 } },
  testTimeout: 900_000,
  hookTimeout: 300_000,
}

/** Suites that need a server, a browser or many processes. */
export default defineConfig({
  test: {
    globalSetup: 'test/run-setup.ts',
    reporters: ['default', new TimesReporter('slow')],
    // Suites wait for programs, servers and pages more than they compute.
    maxWorkers: 4,
    projects: [
      {
        extends: true,
        test: {
          ...SUITE,
          // A process for each file: to start a program costs a process ten times as much once it has grown to a gigabyte.
          name: 'processes',
          include: ['test/slow/**/*.test.ts', '{src,test,web}/**/*.slow.test.ts'],
          exclude: [...ALONE, ...BROWSERS, '**/*.nightly.test.ts', '**/node_modules/**'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          ...SUITE,
          // The files of a worker share its browser.
          name: 'browsers',
          include: BROWSERS,
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: { ...SUITE, name: 'alone', include: ALONE, maxWorkers: 1, sequence: { groupOrder: 2 } },
      },
    ],
  },
})
