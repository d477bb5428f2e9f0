import { defineConfig } from 'vitest/config'

// Suites that need a server, a browser or minutes. One at a time: they share two cores and fixed ports are not used.
export default defineConfig({
  test: {
    // For the count that .ci/run ends with.
    reporters: process.env['CI']
      ? ['default', ['json', { outputFile: 'node_modules/.cache/ken/slow.json' }]]
      : ['default'],
    include: ['test/slow/**/*.test.ts', 'test/**/*.slow.test.ts', 'src/**/*.slow.test.ts'],
    exclude: ['**/*.nightly.test.ts', '**/node_modules/**'],
    // A machine that is busy elsewhere is slow, not wrong.
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 900_000,
    hookTimeout: 300_000,
    fileParallelism: false,
  },
})
