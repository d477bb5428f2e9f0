import type { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { isPlainObject } from '../../kernel/domain/input/read-value.ts'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import type { TableDifference } from './comparison.ts'
import { REPORT_MARK, REPORT_VERSION, runReportFields, type RunReportData } from './report-fields.ts'
import { summariseRun, type RunSummary } from './summary.ts'
import type { TestAttempt, TestRun } from './test-run.ts'

/** In characters: 200 cases with long answers, tried ten times, are about 20 MB. */
export const MOST_REPORT = 64 * 1024 * 1024

/**
 * Reads a run from a file that `ken test report --format json` wrote. Trusts the outcome of each try and recomputes
 * everything derived from it. Throws `invalid_input` for anything else.
 */
export function readRunReport(file: string, text: string): RunSummary {
  if (text.length > MOST_REPORT) throw noReport(file, 'it is larger than 64 MB')
  const given = parsed(file, text)
  if (!isPlainObject(given) || given['generator'] !== REPORT_MARK) throw noReport(file, 'it says nothing of one')
  if (typeof given['version'] === 'number' && given['version'] > REPORT_VERSION)
    throw new AppError('invalid_input', `${visibleLine(file)} was written by a newer Ken.`, { hint: 'Update Ken.' })
  const read = runReportFields.safeParse(given)
  if (!read.success) throw noReport(file, faultOf(read.error.issues))
  const run = runOf(read.data.run)
  return summariseRun(
    run,
    read.data.cases.flatMap((one) => one.attempts.map((attempt) => attemptOf(run, one, attempt))),
  )
}

function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    throw noReport(file, 'it is no JSON')
  }
}

const runOf = (run: RunReportData['run']): TestRun => ({
  // The id is shown in messages.
  id: visibleLine(run.id),
  user: '',
  project: '',
  folder: '',
  startedAt: run.started_at,
  models: run.models,
  runs: run.runs,
  suite: run.suite,
  planned: run.planned,
  ...(run.commit !== undefined && { commit: run.commit }),
  version: run.ken,
  broken: run.broken,
  ...(run.end !== undefined && { end: { at: run.ended_at ?? run.started_at, reason: run.end } }),
})

type CaseData = RunReportData['cases'][number]
type AttemptData = CaseData['attempts'][number]

const attemptOf = (run: TestRun, one: CaseData, attempt: AttemptData): TestAttempt => ({
  run: run.id,
  case: one.case,
  hash: attempt.hash,
  name: one.name,
  file: one.file,
  kind: one.kind,
  tags: one.tags,
  need: one.need,
  model: one.model,
  attempt: attempt.attempt,
  outcome: attempt.outcome,
  checks: attempt.checks.map(({ expects, passed, found, difference }) => ({
    expects,
    passed,
    ...(found !== undefined && { found }),
    ...(difference !== undefined && { difference: differenceOf(difference) }),
  })),
  prompt: attempt.prompt,
  answer: attempt.answer,
  calls: attempt.calls,
  usage: usageOf(attempt.usage),
  milliseconds: attempt.milliseconds,
  at: attempt.at,
})

const usageOf = ({ cost, ...tokens }: AttemptData['usage']): TestAttempt['usage'] => ({
  ...tokens,
  ...(cost !== undefined && { cost }),
})

const differenceOf = ({
  missing_rows: missingRows,
  extra_rows: extraRows,
  ...one
}: NonNullable<AttemptData['checks'][number]['difference']>): TableDifference => ({
  ...(one as Omit<TableDifference, 'missingRows' | 'extraRows'>),
  missingRows,
  extraRows,
})

function faultOf(issues: readonly z.core.$ZodIssue[]): string {
  const [issue] = issues
  const where = visibleLine(issue!.path.map(String).join('.')).slice(0, 200)
  return where === '' ? issue!.message : `${where}: ${issue!.message}`
}

const noReport = (file: string, fault: string): AppError =>
  new AppError('invalid_input', `${visibleLine(file)} is not a run report: ${visibleLine(fault).slice(0, 300)}.`, {
    hint: `Write one with ${operationNamed('test_report')} and format json.`,
  })
