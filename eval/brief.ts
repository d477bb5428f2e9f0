/**
 * Measures how much of the evidence a brief keeps: `npm run eval:brief [-- --data <folder>] [--quick | --every n]`.
 * Every question is run through the operation `brief` at budgets from 500 to 8,000 tokens; the peers, on the same lines
 * and at the same budget, are "newest first until full" and plain BM25 until full, which spend no tokens on source,
 * trust or heading. LoCoMo needs the folder of labelled sets and takes a while; `--quick` runs every tenth of its
 * questions, `--every n` every nth. Halves are by a hash of the question: weights were chosen on one, both are printed.
 * Exits with 1 if a brief keeps less than 1.3 times as much as newest first, or less than BM25, unless everything fits
 * the budget.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { BUDGETS, HALVES, type BriefRow, type System } from './brief/score.ts'
import { runConversations, runOpening, runOwnRecord } from './brief/suite.ts'
import type { Figure, SuiteOptions } from './suite.ts'

const LEAST_GAIN = 1.3

/** Figures for this repository's own record: a brief for a question, and the default brief without one. */
export async function briefFigures(): Promise<Figure[]> {
  return [...figuresOf(await runOwnRecord()), ...figuresOf(await runOpening())]
}

/** LoCoMo figures, for every tenth question. */
export async function publicBriefFigures({ data, leaveOut }: SuiteOptions): Promise<Figure[]> {
  const said: string[] = []
  const rows = await runConversations({ data, every: 10, say: (line) => said.push(line) })
  if (rows.length === 0) leaveOut('LoCoMo', said.join(' '))
  return figuresOf(rows)
}

function figuresOf(rows: readonly BriefRow[]): Figure[] {
  const hasHalves = (set: string): boolean => rows.some((row) => row.set === set && row.half === 'tuned')
  return rows
    .filter(({ system, half, set }) => system === 'brief' && (half !== 'all' || !hasHalves(set)))
    .map((row) => {
      const peer = rowOf(rows, row, 'newest first')
      return {
        set: row.set,
        half: row.half,
        measure: `evidence kept in ${row.budget} tokens`,
        value: row.kept,
        better: 'higher',
        ...(peer && { peer: { name: 'newest first', value: peer.kept } }),
      }
    })
}

const rowOf = (rows: readonly BriefRow[], { set, budget, half }: BriefRow, system: System): BriefRow | undefined =>
  rows.find((row) => row.set === set && row.budget === budget && row.half === half && row.system === system)

async function print(): Promise<boolean> {
  const { values } = parseArgs({
    options: { data: { type: 'string' }, quick: { type: 'boolean', default: false }, every: { type: 'string' } },
  })
  const named = values.data ?? process.env['KEN_EVAL_DATA'] ?? join(import.meta.dirname, '../../shared/data')
  const every = Number(values.every ?? (values.quick ? 10 : 1))
  const data = existsSync(named) ? named : undefined
  const own = await runOwnRecord()
  printTable('This repository’s own record', own)
  const opening = await runOpening()
  console.log('\nWithout a question: what of a working record stands in the brief\n')
  console.log(`| | ${BUDGETS.join(' | ')} |\n|---|${BUDGETS.map(() => '---|').join('')}`)
  for (const set of new Set(opening.map((row) => row.set)))
    console.log(
      `| ${set} | ${opening
        .filter((row) => row.set === set)
        .map((row) => share(row.kept))
        .join(' | ')} |`,
    )
  const talks = await runConversations({ data, every, say: (line) => console.error(line) })
  if (talks.length > 0) printTable(`LoCoMo${every === 1 ? '' : `, every ${every}th question`}`, talks)
  const faults = [...own, ...talks].flatMap((row) => faultOf(row, [...own, ...talks]))
  for (const fault of faults) console.log(`\n${fault}`)
  return faults.length === 0
}

function printTable(title: string, rows: readonly BriefRow[]): void {
  const questions = rows.find(({ half }) => half === 'all')?.questions ?? 0
  console.log(`\n${title}: ${questions} questions, the share of their evidence that is kept\n`)
  console.log(
    '| budget | brief | tuned half, kept back | per 1,000 tokens | newest first | times | BM25 | its halves |\n|---|---|---|---|---|---|---|---|',
  )
  for (const row of rows.filter(({ system, half }) => system === 'brief' && half === 'all')) {
    const halves = (system: System): string =>
      HALVES.map((half) => share(rowOf(rows, { ...row, half }, system)?.kept ?? 0)).join(', ')
    const newest = rowOf(rows, row, 'newest first')!.kept
    const cells = [
      row.budget.toLocaleString('en'),
      share(row.kept),
      halves('brief'),
      ((row.kept / row.tokens) * 1000).toFixed(3),
      share(newest),
      newest === 0 ? '–' : (row.kept / newest).toFixed(1),
      share(rowOf(rows, row, 'BM25')!.kept),
      halves('BM25'),
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
}

const share = (value: number): string => value.toFixed(3)

function faultOf(row: BriefRow, rows: readonly BriefRow[]): string[] {
  if (row.system !== 'brief') return []
  const newest = rowOf(rows, row, 'newest first')!.kept
  const plain = rowOf(rows, row, 'BM25')!.kept
  // If everything fits, no system can keep more.
  if (newest === 1 && row.kept === 1) return []
  const where = `${row.set}, ${row.half}, ${row.budget} tokens`
  return [
    ...(row.kept < LEAST_GAIN * newest ? [`${where}: less than ${LEAST_GAIN} times newest first.`] : []),
    ...(row.kept < plain ? [`${where}: less than plain BM25.`] : []),
  ]
}

if (import.meta.main) process.exitCode = (await print()) ? 0 : 1
