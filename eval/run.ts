/**
 * Measures all of Ken's published figures again and compares them with `eval/baselines/`: `npm run eval [-- --data
 * <folder>] [--no-data] [--only name,name] [--quick] [--slow] [--update]`. Prints one table. Exits with 1 if a figure
 * is worse than its baseline by more than its tolerance, is no longer measured, or a suite broke.
 */
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { plural } from '../src/kernel/domain/text.ts'
import { compareRows, readBaseline, writeBaseline, type Compared } from './baselines.ts'
import { runApart, type LeftOut, type Outcome } from './suite-process.ts'
import { EVERY_SET, toleranceOf, type Row, type Suite } from './suite.ts'
import { SUITES } from './suites.ts'
import { evalTable } from './table.ts'

const LONGEST_FIRST: readonly Suite['takes'][] = ['minutes', 'a while', 'seconds']

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    'no-data': { type: 'boolean', default: false },
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
    slow: { type: 'boolean', default: false },
    update: { type: 'boolean', default: false },
  },
})
const data = values['no-data'] ? undefined : dataFolder()
const chosen = choose()
const outcomes = await runAll(chosen)
const compared = outcomes.flatMap(compare)
console.log(`${evalTable(compared)}\n`)
const isAsBefore = tell()
if (values.update) update()
const isBroken = outcomes.some(({ failure }) => failure !== undefined)
process.exitCode = isBroken || (!isAsBefore && !values.update) ? 1 : 0

function dataFolder(): string | undefined {
  const folder = values.data ?? process.env['KEN_EVAL_DATA'] ?? join(import.meta.dirname, '../../shared/data')
  if (existsSync(folder)) return folder
  if (values.data !== undefined) fail(`there is no folder ${values.data}`)
  return undefined
}

function choose(): readonly Suite[] {
  const only = values.only?.split(',')
  const unknown = only?.filter((name) => !SUITES.some((suite) => suite.name === name)) ?? []
  if (unknown.length > 0)
    fail(`there is no suite ${unknown.join(', ')}; there are ${SUITES.map(({ name }) => name).join(', ')}`)
  const wanted = SUITES.filter(({ name, takes }) => {
    if (only !== undefined) return only.includes(name)
    return values.quick ? takes === 'seconds' : values.slow || takes !== 'minutes'
  })
  const without = wanted.filter(({ needs }) => needs === 'data' && data === undefined)
  if (without.length > 0)
    console.log(
      `No labelled data (--data or KEN_EVAL_DATA names its folder): without ${without.map(({ name }) => name).join(', ')}.`,
    )
  const later = SUITES.filter(
    ({ name, takes }) => only === undefined && takes !== 'seconds' && !wanted.some((one) => one.name === name),
  )
  if (later.length > 0)
    console.log(`Left to \`npm run eval -- --only <name>\` or --slow: ${later.map(({ name }) => name).join(', ')}.`)
  return wanted.filter((suite) => !without.includes(suite))
}

/** Runs as many suites at once as there are cores, at most four, long ones first: each measures results, never time. */
async function runAll(suites: readonly Suite[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const waiting = suites.toSorted((a, b) => LONGEST_FIRST.indexOf(a.takes) - LONGEST_FIRST.indexOf(b.takes))
  const work = async (): Promise<void> => {
    for (let suite = waiting.shift(); suite !== undefined; suite = waiting.shift()) {
      const outcome = await runApart(suite.name, { from: join(import.meta.dirname, 'suites.ts'), data })
      outcomes.push(outcome)
      console.error(
        `${outcome.suite}: ${outcome.failure === undefined ? `${outcome.figures.length} figures` : 'BROKEN'}, ${outcome.seconds.toFixed(0)} s`,
      )
    }
  }
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, work))
  return outcomes.sort((a, b) => place(a.suite) - place(b.suite))
}

function compare({ suite, figures, leftOut, failure }: Outcome): Compared[] {
  const baseline = readBaseline(suite)
  return compareRows(
    figures.map((figure) => ({ suite, ...figure })),
    // A broken suite is reported once, by its failure, not by missing figures.
    failure === undefined ? baseline.filter((row) => !isLeftOut(row, leftOut)) : [],
  )
}

function tell(): boolean {
  for (const { suite, leftOut } of outcomes)
    for (const { set, why } of leftOut) console.log(`${suite}, ${set}: left out, ${why}`)
  for (const { suite, failure } of outcomes) if (failure !== undefined) console.log(`${suite} is BROKEN: ${failure}`)
  const of = (standing: Compared['standing']): Compared[] => compared.filter((one) => one.standing === standing)
  const [worse, gone, fresh, better] = [of('worse'), of('gone'), of('new'), of('better')]
  for (const { row } of worse)
    console.log(`WORSE: ${row.suite}, ${row.set}, ${row.half}, ${row.measure} (allowed: ${toleranceOf(row)})`)
  for (const { row } of gone) console.log(`GONE: ${row.suite}, ${row.set}, ${row.half}, ${row.measure}`)
  if (fresh.length + better.length > 0)
    console.log(
      `${fresh.length} new and ${better.length} better than the baseline: \`npm run eval -- --update\` writes them, \`npm run docs\` puts them into the documents.`,
    )
  const broken = outcomes.filter(({ failure }) => failure !== undefined)
  console.log(
    `${plural(compared.length, 'figure')} of ${plural(outcomes.length, 'suite')}: ${worse.length} worse, ${gone.length} no longer measured, ${plural(broken.length, 'suite')} broken.`,
  )
  return worse.length + gone.length + broken.length === 0
}

/** Writes the new baselines. A broken suite keeps its baseline, and so does a set that could not be measured here. */
function update(): void {
  for (const { suite, figures, leftOut, failure } of outcomes) {
    if (failure !== undefined) continue
    const kept = readBaseline(suite).filter((row) => isLeftOut(row, leftOut))
    writeBaseline(suite, [...figures.map((figure) => ({ suite, ...figure })), ...kept])
  }
  console.log('The baselines are written.')
}

function isLeftOut({ set }: Row, leftOut: readonly LeftOut[]): boolean {
  return leftOut.some((one) => one.set === set || one.set === EVERY_SET)
}

function place(name: string): number {
  return SUITES.findIndex((suite) => suite.name === name)
}

function fail(message: string): never {
  console.error(message)
  process.exit(2)
}
