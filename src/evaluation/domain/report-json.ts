import type { z } from 'zod'
import type { CaseChange, RunComparison } from './compare-runs.ts'
import type { TableDifference } from './comparison.ts'
import {
  REPORT_MARK,
  REPORT_VERSION,
  type caseFields,
  type comparisonFields,
  type RunReportData,
  type tallyFields,
} from './report-fields.ts'
import type { RunReport } from './run-report.ts'
import type { CaseSummary, NamedTally, Tally } from './summary.ts'
import type { TestAttempt, TestRun } from './test-run.ts'

/** Report for programs, which can be read again as a baseline. It does not identify the machine. */
export const reportJson = (report: RunReport): string => `${JSON.stringify(reportData(report), undefined, 1)}\n`

function reportData({ summary, comparison }: RunReport): RunReportData {
  const named = (all: readonly NamedTally[]) => all.map((one) => ({ name: one.name, ...tallyData(one) }))
  return {
    generator: REPORT_MARK,
    version: REPORT_VERSION,
    run: runData(summary.run),
    total: tallyData(summary.total),
    kinds: named(summary.kinds),
    tags: named(summary.tags),
    models: named(summary.models),
    ...(comparison !== undefined && { comparison: comparisonData(comparison) }),
    cases: summary.cases.map(caseData),
  }
}

export const runData = (run: TestRun): RunReportData['run'] => ({
  id: run.id,
  started_at: run.startedAt,
  ...(run.end !== undefined && { ended_at: run.end.at, end: run.end.reason }),
  models: [...run.models],
  runs: run.runs,
  suite: run.suite,
  planned: run.planned,
  ...(run.commit !== undefined && { commit: run.commit }),
  ken: run.version,
  broken: run.broken.map((one) => ({ ...one })),
})

export const tallyData = (tally: Tally): z.output<typeof tallyFields> => ({
  cases: tally.cases,
  passed: tally.passed,
  failed: tally.failed,
  broken: tally.broken,
  unfinished: tally.unfinished,
  tries: tally.tries,
  not_run: tally.notRun,
  pass_rate: tally.passRate,
  pass_at_1: tally.passAt1,
  k: tally.k,
  pass_at_k: tally.passAtK,
  pass_all_k: tally.passAllK,
  usage: { ...tally.usage },
  without_price: tally.withoutPrice,
  milliseconds: tally.milliseconds,
})

export const comparisonData = (comparison: RunComparison): z.output<typeof comparisonFields> => {
  const { id, startedAt, commit, models } = comparison.before
  const told = (changes: readonly CaseChange[]) =>
    changes.map(({ was, now, ...one }) => ({
      ...one,
      ...(was && { was: { ...was } }),
      ...(now && { now: { ...now } }),
    }))
  return {
    before: { id, started_at: startedAt, ...(commit !== undefined && { commit }), models: [...models] },
    regressions: told(comparison.regressions),
    mended: told(comparison.mended),
    shifted: told(comparison.shifted),
    added: told(comparison.added),
    gone: told(comparison.gone),
    unchanged: comparison.unchanged,
    was: tallyData(comparison.was),
    now: tallyData(comparison.now),
  }
}

export const caseData = (one: CaseSummary): z.output<typeof caseFields> => ({
  case: one.case,
  name: one.name,
  file: one.file,
  kind: one.kind,
  tags: [...one.tags],
  need: one.need,
  model: one.model,
  verdict: one.verdict,
  passes: one.passes,
  tries: one.tries,
  usage: { ...one.usage },
  milliseconds: one.milliseconds,
  attempts: one.attempts.map(attemptData),
})

const attemptData = (one: TestAttempt): RunReportData['cases'][number]['attempts'][number] => ({
  attempt: one.attempt,
  hash: one.hash,
  outcome: one.outcome,
  at: one.at,
  milliseconds: one.milliseconds,
  usage: { ...one.usage },
  prompt: one.prompt,
  answer: one.answer,
  checks: one.checks.map(({ expects, passed, found, difference }) => ({
    expects,
    passed,
    ...(found !== undefined && { found }),
    ...(difference !== undefined && { difference: differenceData(difference) }),
  })),
  calls: one.calls.map(({ tool, input, failed, result }) => ({ tool, input, failed, result })),
})

type DifferenceData = NonNullable<RunReportData['cases'][number]['attempts'][number]['checks'][number]['difference']>
type CellData = DifferenceData['missing_rows'][number][number]

const differenceData = (one: TableDifference): DifferenceData => ({
  reason: one.reason,
  columns: one.columns.map((column) => ({ ...column })),
  // Kept attempts have no bigint.
  cells: one.cells.map(({ column, row, expected, found }) => ({
    column,
    row,
    expected: expected as CellData,
    found: found as CellData,
  })),
  total: one.total,
  ...(one.rows !== undefined && {
    rows: one.rows.map(({ row, expected, found, differs }) => ({
      row,
      expected: expected.map((value) => value as CellData),
      found: found.map((value) => value as CellData),
      differs: [...differs],
    })),
  }),
  missing: one.missing,
  extra: one.extra,
  missing_rows: one.missingRows.map((row) => row.map((cell) => cell as CellData)),
  extra_rows: one.extraRows.map((row) => row.map((cell) => cell as CellData)),
})
