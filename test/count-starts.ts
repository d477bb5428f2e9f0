import diagnostics from 'node:diagnostics_channel'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { afterAll, beforeAll, beforeEach } from 'vitest'

/*
 * Counts the programs that a suite starts, for `npm run test:times`.
 */

type Started = Record<string, number>
const counted = globalThis as typeof globalThis & { kenStarted?: Started }

if (counted.kenStarted === undefined) {
  counted.kenStarted = {}
  diagnostics.subscribe('child_process', (message) => {
    const { spawnfile = '', spawnargs = [] } = (message as { process: { spawnfile?: string; spawnargs?: string[] } })
      .process
    count(spawnfile, spawnargs)
  })
  // Synchronous starts are not published on the channel.
  const children = createRequire(import.meta.url)('node:child_process') as Record<
    string,
    (...all: unknown[]) => unknown
  >
  for (const name of ['spawnSync', 'execFileSync']) {
    const original = children[name]!
    children[name] = (...all) => {
      count(String(all[0]), Array.isArray(all[1]) ? all[1].map(String) : [])
      return original(...all)
    }
  }
  syncBuiltinESMExports()
}

function count(file: string, words: readonly string[]): void {
  const told = `${file} ${words.join(' ')}`
  const kind = ['ken.js', 'postgres', 'chrom', 'git', 'mariadb'].find((one) => told.includes(one)) ?? 'other'
  const started = counted.kenStarted!
  started[kind] = (started[kind] ?? 0) + 1
}

let file: { readonly meta: object } | undefined

beforeAll(() => {
  counted.kenStarted = {}
})
beforeEach(({ task }) => {
  file = task.file
})
afterAll(() => {
  if (file !== undefined) Object.assign(file.meta, { started: counted.kenStarted })
})
