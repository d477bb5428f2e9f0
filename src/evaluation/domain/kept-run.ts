import { keptText } from '../../analyst/domain/chat/kept-sizes.ts'
import type { Cell } from '../../context/domain/sql/query.ts'
import { redactSecrets } from '../../kernel/domain/secrets/redact.ts'
import type { TableDifference } from './comparison.ts'
import type { TestAttempt, TestCheck, TestRun } from './test-run.ts'

/** Limit per user and project; a new run replaces the oldest. */
export const MOST_RUNS = 200

/** Older runs only keep the outcome of each try: 200 cases with their answers and calls are about 1 MB per run. */
export const MOST_DETAILED = 50

/** Size limits of a stored attempt: enough to see why it failed. In characters, or entries of a list. */
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

/** Run as every backend stores it. */
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

/** Attempt as every backend stores it: without secrets, cut, and with values that JSON can represent. */
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

/** Fields emptied in an attempt if only its outcome is requested. */
export const WITHOUT_DETAIL: Pick<TestAttempt, 'checks' | 'prompt' | 'answer' | 'calls'> = {
  checks: [],
  prompt: '',
  answer: '',
  calls: [],
}

/** By case, then model, then attempt; texts by code units, so that every backend agrees. */
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

/** A missing cell stays missing; a value that JSON cannot represent becomes text. */
function keptCell(cell: Cell): Cell {
  if (typeof cell === 'string') return cutTo(cell, MOST_KEPT.cell)
  if (typeof cell === 'bigint') return cutTo(String(cell), MOST_KEPT.cell)
  if (typeof cell === 'number' && !Number.isFinite(cell)) return String(cell)
  return Object.is(cell, -0) ? 0 : cell
}

// Maximum length of a secret, in characters.
const BEYOND = 4_000

/** A partial secret would not be recognised, so secrets are removed before the text is cut. */
function cutTo(given: string, most: number): string {
  const { text } = redactSecrets(given.slice(0, most + BEYOND))
  return keptText(text.length > most ? `${text.slice(0, most - 1)}…` : text)
}
