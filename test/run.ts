import { resolve } from 'node:path'

export const CACHE = resolve(import.meta.dirname, '../node_modules/.cache/ken')

/** Folder shared by the suites of one run, named after the process that runs them. */
export const RUN = resolve(CACHE, `run-${process.env['KEN_TEST_RUN'] ?? process.pid}`)
