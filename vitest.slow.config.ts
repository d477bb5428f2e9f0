import { defineConfig } from 'vitest/config'

// Suites that need a server, a browser or minutes. One at a time: they share two cores and fixed ports are not used.
export default defineConfig({
  test: { include: ['test/slow/**/*.test.ts'], testTimeout: 900_000, hookTimeout: 300_000, fileParallelism: false },
})
