import { keptText } from '../../analyst/domain/chat/kept-sizes.ts'
import type { Cell } from '../../context/domain/sql/query.ts'
import { redactSecrets } from '../../kernel/domain/secrets/redact.ts'
import type { TableDifference } from './comparison.ts'
import type { TestAttempt, TestCheck, TestRun } from './test-run.ts'

/** Of one user and project; when another begins, the oldest make room for it. */
export const MOST_RUNS = 200

/** Of older ones only how each try came out is kept: 200 cases with their answers and calls are about 1 MB a run. */
export const MOST_DETAILED = 50

/** What is kept of an attempt: enough to see why it failed. In characters, or how many of a list. */
export const MOST_KEPT = {
  text: 20_000,
  checks: 200,
  check: 2_000,
  differences: 5,
  cells: 50,
  rows: 10,
  columns: 40,
  cell: 200,
  calls: 100,
  call: 2_000,
  broken: 1_000,
} as const

/** A run as every back end keeps it. */
export const keptRun = (run: TestRun): TestRun => ({
  ...run,
  models: run.models.map(keptText),
  broken: run.broken.slice(0, MOST_KEPT.broken).map(({ file, line, name, fault }) => ({
    file: cutTo(file, MOST_KEPT.check),
    line,
    name: cutTo(name, MOST_KEPT.check),
    fault: cutTo(fault, MOST_KEPT.check),
  })),
})

/** An attempt as every back end keeps it: without secrets, cut, and of values that JSON can say. */
export const keptAttempt = (attempt: TestAttempt): TestAttempt => {
  let differences = 0
  const kept = (check: TestCheck): TestCheck => ({
    expects: cutTo(check.expects, MOST_KEPT.check),
    passed: check.passed,
    ...(check.found !== undefined && { found: cutTo(check.found, MOST_KEPT.check) }),
    ...(check.difference !== undefined &&
      ++differences <= MOST_KEPT.differences && { difference: keptDifference(check.difference) }),
  })
  return {
    ...attempt,
    case: keptText(attempt.case),
    name: keptText(attempt.name),
    file: keptText(attempt.file),
    tags: attempt.tags.map((tag) => cutTo(tag, MOST_KEPT.check)),
    model: keptText(attempt.model),
    checks: attempt.checks.slice(0, MOST_KEPT.checks).map(kept),
    prompt: cutTo(attempt.prompt, MOST_KEPT.text),
    answer: cutTo(attempt.answer, MOST_KEPT.text),
    calls: attempt.calls.slice(0, MOST_KEPT.calls).map(({ tool, input, failed, result }) => ({
      tool: cutTo(tool, MOST_KEPT.cell),
      input: cutTo(input, MOST_KEPT.call),
      failed,
      result: cutTo(result, MOST_KEPT.call),
    })),
  }
}

/** What is left out of an attempt where only its outcome is wanted. */
export const WITHOUT_DETAIL: Pick<TestAttempt, 'checks' | 'prompt' | 'answer' | 'calls'> = {
  checks: [],
  prompt: '',
  answer: '',
  calls: [],
}

/** By case, then model, then attempt; texts by their code units, so that every back end says the same. */
export const inRunOrder = (a: TestAttempt, b: TestAttempt): number =>
  compared(a.case, b.case) || compared(a.model, b.model) || a.attempt - b.attempt

const compared = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function keptDifference(difference: TableDifference): TableDifference {
  const { reason, columns, cells, total, rows: pairs, missing, extra, missingRows, extraRows } = difference
  const name = (text: string): string => cutTo(text, MOST_KEPT.cell)
  const rowOf = (row: readonly Cell[]) => row.slice(0, MOST_KEPT.columns).map(keptCell)
  const rows = (all: readonly (readonly Cell[])[]) => all.slice(0, MOST_KEPT.rows).map(rowOf)
  return {
    reason: cutTo(reason, MOST_KEPT.check),
    columns: columns.slice(0, MOST_KEPT.columns).map(({ expected, found }) => ({
      expected: name(expected),
      found: found === null ? null : name(found),
    })),
    cells: cells.slice(0, MOST_KEPT.cells).map(({ column, row, expected, found }) => ({
      column: name(column),
      row,
      expected: keptCell(expected),
      found: keptCell(found),
    })),
    total,
    ...(pairs !== undefined && {
      rows: pairs.slice(0, MOST_KEPT.rows).map(({ row, expected, found, differs }) => ({
        row,
        expected: rowOf(expected),
        found: rowOf(found),
        differs: differs.filter((at) => at < MOST_KEPT.columns),
      })),
    }),
    missing,
    extra,
    missingRows: rows(missingRows),
    extraRows: rows(extraRows),
  }
}

/** A cell that is not there stays so; what JSON cannot say is its text. */
function keptCell(cell: Cell): Cell {
  if (typeof cell === 'string') return cutTo(cell, MOST_KEPT.cell)
  if (typeof cell === 'bigint') return cutTo(String(cell), MOST_KEPT.cell)
  if (typeof cell === 'number' && !Number.isFinite(cell)) return String(cell)
  return Object.is(cell, -0) ? 0 : cell
}

// As long as a secret may be.
const BEYOND = 4_000

/** Half a secret would not be known for one any more, so they go before it is cut. */
function cutTo(given: string, most: number): string {
  const { text } = redactSecrets(given.slice(0, most + BEYOND))
  return keptText(text.length > most ? `${text.slice(0, most - 1)}…` : text)
}
