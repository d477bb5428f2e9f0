import { defineConfig } from 'vitest/config'
import { TimesReporter } from './test/times-reporter.ts'

/** Suites that take many minutes, and those that need vendor packages: `.ci/nightly` runs them. */
export default defineConfig({
  test: {
    globalSetup: ['test/run-setup.ts', 'scripts/link-vendors.ts'],
    setupFiles: 'test/count-starts.ts',
    reporters: ['default', new TimesReporter('nightly')],
    include: ['{src,test,web}/**/*.nightly.test.ts'],
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 1_800_000,
    hookTimeout: 300_000,
    fileParallelism: false,
  },
})
