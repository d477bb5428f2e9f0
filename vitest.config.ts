import { defineConfig } from 'vitest/config'

const PURE = ['src/core/**/*.test.ts', 'web/**/*.test.ts']

const SUITE = {
  exclude: ['test/slow/**', '**/*.slow.test.ts', '**/*.nightly.test.ts', '**/node_modules/**'],
  // A machine that is busy elsewhere is slow, not wrong.
  expect: { poll: { timeout: 30_000 } },
  testTimeout: 60_000,
  hookTimeout: 60_000,
}

export default defineConfig({
  test: {
    // For the count that .ci/run ends with.
    reporters: process.env['CI']
      ? ['default', ['json', { outputFile: 'node_modules/.cache/ken/fast.json' }]]
      : ['default'],
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
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...SUITE.exclude, ...PURE],
        },
      },
    ],
  },
})
