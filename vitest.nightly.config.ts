import { defineConfig } from 'vitest/config'

// Suites that need the packages of test/vendors, which `npm run vendors` installs.
export default defineConfig({
  test: {
    // Those who read src as it is must not find the links afterwards.
    globalSetup: 'scripts/link-vendors.ts',
    include: ['{src,test}/**/*.nightly.test.ts'],
    // A machine that is busy elsewhere is slow, not wrong.
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 900_000,
    hookTimeout: 300_000,
    fileParallelism: false,
  },
})
