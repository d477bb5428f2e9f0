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

const SUITE = {
  setupFiles: 'test/count-starts.ts',
  // A machine that is busy elsewhere is slow, not wrong.
  expect: { poll: { timeout: 30_000 } },
  testTimeout: 900_000,
  hookTimeout: 300_000,
  isolate: false,
}

/** Suites that need a server, a browser or many processes. */
export default defineConfig({
  test: {
    globalSetup: 'test/run-setup.ts',
    reporters: ['default', new TimesReporter('slow')],
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          ...SUITE,
          name: 'together',
          include: ['test/slow/**/*.test.ts', '{src,test,web}/**/*.slow.test.ts'],
          exclude: [...ALONE, '**/*.nightly.test.ts', '**/node_modules/**'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { ...SUITE, name: 'alone', include: ALONE, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
  },
})
