import { WITHOUT_DETAIL } from '../../evaluation/domain/kept-run.ts'
import type { BrokenCase, TestAttempt, TestRun } from '../../evaluation/domain/test-run.ts'
import { given, givenJson, json, parsed, type Row } from './given.ts'

export const runOf = (row: Row): TestRun => ({
  id: String(row['id']),
  user: String(row['user']),
  project: String(row['project']),
  folder: String(row['folder']),
  startedAt: String(row['started_at']),
  models: parsed<string[]>(row['models']),
  runs: Number(row['runs']),
  suite: String(row['suite']),
  planned: Number(row['planned']),
  ...given('commit', row['commit_id']),
  version: String(row['version']),
  broken: parsed<BrokenCase[]>(row['broken']),
  ...givenJson<'end', NonNullable<TestRun['end']>>('end', row['ending']),
})

/** Columns of a run after its user and project, in the order in which both databases insert them. */
export const runColumns = (run: TestRun) =>
  [
    run.folder,
    run.startedAt,
    JSON.stringify(run.models),
    run.runs,
    run.suite,
    run.planned,
    run.commit ?? null,
    run.version,
    JSON.stringify(run.broken),
    json(run.end),
  ] as const

/** Detail fields are empty if the row has none. */
export const attemptOf = ({ facts, detail }: Row): TestAttempt => ({
  ...parsed<TestAttempt>(facts),
  ...(detail === undefined ? WITHOUT_DETAIL : parsed<typeof WITHOUT_DETAIL>(detail)),
})
