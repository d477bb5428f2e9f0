import { resolve } from 'node:path'

export const CACHE = resolve(import.meta.dirname, '../node_modules/.cache/ken')

/** What the suites of one run share: a folder named after the process that runs them. */
export const RUN = resolve(CACHE, `run-${process.env['KEN_TEST_RUN'] ?? process.pid}`)
