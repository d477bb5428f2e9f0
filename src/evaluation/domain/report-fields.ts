import { z } from 'zod'
import { MOST_KEPT } from './kept-run.ts'
import { VERDICTS } from './summary.ts'
import { CASE_KINDS } from './test-case.ts'
import { OUTCOMES, RUN_ENDS } from './test-run.ts'

/*
 * A run as data: what `ken test report --format json` writes, `ken test show` answers, and `--baseline` reads. A file of
 * that kind may come with a clone, so every list and text has a bound. Fields are added, never renamed; another meaning
 * would be another version.
 */

const text = (most: number) => z.string().max(most)
const list = <T extends z.ZodType>(of: T, most: number) => z.array(of).max(most)
const count = z.number().int().min(0)
const amount = z.number().min(0)
// Several times the length that is kept: marking secrets and escaping invisible characters lengthens texts.
const name = text(20_000)
const long = text(200_000)
const cell = z.union([text(5_000), z.number(), z.boolean(), z.null()])

const usageFields = z.strictObject({
  input: count.describe('Tokens.'),
  output: count,
  cached: count,
  reasoning: count,
  cost: amount.optional().describe('In US dollars, if the price is known.'),
})

export const tallyFields = z.strictObject({
  cases: count.describe('A case with two models counts twice.'),
  passed: count,
  failed: count,
  broken: count.describe('Cannot be run as they are.'),
  unfinished: count.describe('The run ended before the result was known.'),
  tries: count,
  not_run: count.describe('Tries that were planned and not made.'),
  pass_rate: z.number().nullable().describe('Cases that passed or failed.'),
  pass_at_1: z.number().nullable(),
  k: count.describe('The most tries that any case had.'),
  pass_at_k: z.number().nullable().describe('Probability that one of k attempts passes.'),
  pass_all_k: z.number().nullable().describe('How likely k tries all pass (pass^k).'),
  usage: usageFields,
  without_price: count.describe('Attempts with an unknown price.'),
  milliseconds: amount.describe('Total time of all attempts.'),
})

const namedTallies = list(tallyFields.extend({ name }), 10_000)

const differenceFields = z.strictObject({
  reason: name,
  columns: list(z.strictObject({ expected: name, found: name.nullable() }), MOST_KEPT.columns),
  cells: list(
    z.strictObject({ column: name, row: count, expected: cell.optional(), found: cell.optional() }),
    MOST_KEPT.cells,
  ),
  total: count.describe('How many cells differ.'),
  rows: list(
    z.strictObject({
      row: count.describe('From 1, of the expected table.'),
      expected: list(cell, MOST_KEPT.columns),
      found: list(cell, MOST_KEPT.columns),
      differs: list(count, MOST_KEPT.columns).describe('Places of the cells that differ, from 0.'),
    }),
    MOST_KEPT.rows,
  )
    .optional()
    .describe('The first rows that differ, whole, under the expected columns that were found.'),
  missing: count.describe('How many rows are missing.'),
  extra: count.describe('How many rows are too many.'),
  missing_rows: list(list(cell, MOST_KEPT.columns), MOST_KEPT.rows),
  extra_rows: list(list(cell, MOST_KEPT.columns), MOST_KEPT.rows),
})

const attemptFields = z.strictObject({
  attempt: z.number().int().min(1).max(1_000),
  hash: text(100),
  outcome: z.enum(OUTCOMES),
  at: text(40),
  milliseconds: amount,
  usage: usageFields,
  prompt: long,
  answer: long,
  checks: list(
    z.strictObject({
      expects: name,
      passed: z.boolean(),
      found: name.optional(),
      difference: differenceFields.optional(),
    }),
    MOST_KEPT.checks,
  ),
  calls: list(z.strictObject({ tool: name, input: name, failed: z.boolean(), result: name }), MOST_KEPT.calls),
})

export const caseFields = z.strictObject({
  case: name.describe('File and name: its id.'),
  name,
  file: name,
  kind: z.enum(CASE_KINDS),
  tags: list(text(200), 100),
  need: z.union([z.literal('all'), z.literal('any'), count]),
  model: name.describe('`-` where none is asked.'),
  verdict: z.enum(VERDICTS),
  passes: count,
  tries: count,
  usage: usageFields,
  milliseconds: amount,
  attempts: list(attemptFields, 1_000),
})

export const runFields = z.strictObject({
  id: text(100),
  started_at: text(40),
  ended_at: text(40).optional(),
  end: z.enum(RUN_ENDS).optional().describe('Missing while it runs, and after a crash.'),
  models: list(name, 100),
  runs: count,
  suite: text(100),
  planned: count,
  commit: text(100).optional(),
  ken: text(100).describe('The version that ran it.'),
  broken: list(z.strictObject({ file: name, line: count, name, fault: name }), MOST_KEPT.broken),
})

const standing = z.strictObject({ verdict: z.enum(VERDICTS), passes: count, tries: count })

const changes = list(
  z.strictObject({
    case: name,
    name,
    file: name,
    model: name,
    edited: z.boolean().describe('The case itself changed.'),
    was: standing.optional(),
    now: standing.optional(),
  }),
  20_000,
)

export const comparisonFields = z.strictObject({
  before: z.strictObject({
    id: text(100),
    started_at: text(40),
    commit: text(100).optional(),
    models: list(name, 100),
  }),
  regressions: changes,
  mended: changes,
  shifted: changes.describe('The same verdict by another part of the runs.'),
  added: changes,
  gone: changes,
  unchanged: count,
  was: tallyFields.describe('Cases in both runs.'),
  now: tallyFields,
})

/** Value of `generator` in every JSON report. */
export const REPORT_MARK = 'ken test'
export const REPORT_VERSION = 1

export const runReportFields = z.strictObject({
  generator: z.literal(REPORT_MARK),
  version: z.literal(REPORT_VERSION),
  run: runFields,
  total: tallyFields,
  kinds: namedTallies,
  tags: namedTallies,
  models: namedTallies,
  comparison: comparisonFields.optional(),
  cases: list(caseFields, 20_000),
})

export type RunReportData = z.output<typeof runReportFields>
