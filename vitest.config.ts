import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // For the count that .ci/run ends with.
    reporters: process.env['CI']
      ? ['default', ['json', { outputFile: 'node_modules/.cache/ken/fast.json' }]]
      : ['default'],
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'web/**/*.test.ts'],
    exclude: ['test/slow/**', '**/*.slow.test.ts', '**/node_modules/**'],
    // Many suites wait for processes of their own; with one worker on two cores half the machine would stand idle.
    maxWorkers: 2,
    // A machine that is busy elsewhere is slow, not wrong.
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
