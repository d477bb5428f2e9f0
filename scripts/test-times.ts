// Prints the slowest suites of the last run: `npm run test:times [-- fast|slow|nightly] [-- --count 20]`.
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { RunTimes } from '../test/times-reporter.ts'

const CACHE = resolve(import.meta.dirname, '../node_modules/.cache/ken')
const { values, positionals } = parseArgs({
  options: { count: { type: 'string', default: '20' } },
  allowPositionals: true,
})
const runs = positionals.length > 0 ? positionals : ['fast', 'slow', 'nightly']
const known = runs.filter((name) => existsSync(join(CACHE, `${name}.json`)))
if (known.length === 0) console.log('No run has left its times yet. Run `npm test` or `npm run test:slow` first.')

for (const name of known) {
  const { suites, passed, failed, skipped } = JSON.parse(readFileSync(join(CACHE, `${name}.json`), 'utf8')) as RunTimes
  const sum = (of: 'load' | 'run') => (suites.reduce((total, one) => total + one[of], 0) / 1000).toFixed(0)
  console.log(
    `\n${name}: ${suites.length} suites, ${passed} passed, ${failed} failed, ${skipped} skipped; ${sum('load')} s loading, ${sum('run')} s running, added up over the workers\n`,
  )
  console.log('   run s  load s  tests  suite, and the programs it starts')
  const dearest = suites.toSorted((one, other) => other.run + other.load - one.run - one.load)
  for (const { suite, load, run, tests, started } of dearest.slice(0, Number(values.count))) {
    const programs = Object.entries(started).map(([kind, times]) => `${times} ${kind}`)
    const [ran, loaded] = [run, load].map((ms) => (ms / 1000).toFixed(1))
    console.log(
      `${ran!.padStart(8)}${loaded!.padStart(8)}${String(tests).padStart(7)}  ${suite}${programs.length > 0 ? ` (${programs.join(', ')})` : ''}`,
    )
  }
}
