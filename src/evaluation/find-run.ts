import { AppError } from '../kernel/domain/errors.ts'
import { operationNamed } from '../kernel/domain/named-operation.ts'
import { visibleLine } from '../kernel/domain/trust/visible.ts'
import { MOST_RUNS } from './domain/kept-run.ts'
import type { TestRun } from './domain/test-run.ts'
import type { TestRuns } from './ports/test-runs.ts'

/** Owner of the runs. */
export type RunsHere = Pick<TestRun, 'user' | 'project'>

/** Run by name: `last` for the project's newest run, an id, or the beginning of an id. */
export async function findRun(runs: Pick<TestRuns, 'list'>, name: string, here: RunsHere): Promise<TestRun> {
  const all = await runs.list({ ...here, limit: MOST_RUNS })
  const wanted = name.trim().toUpperCase()
  if (wanted === 'LAST') {
    if (all[0] !== undefined) return all[0]
    throw new AppError('not_found', 'No tests were run here yet.', {
      hint: `Run them with ${operationNamed('test_run')}.`,
    })
  }
  const exact = all.find(({ id }) => id.toUpperCase() === wanted)
  if (exact !== undefined) return exact
  const found = wanted === '' ? [] : all.filter(({ id }) => id.toUpperCase().startsWith(wanted))
  if (found.length > 1)
    throw new AppError('invalid_input', `Several runs start with ${visibleLine(name)}.`, {
      hint: `Use more of the id: ${found
        .slice(0, 3)
        .map(({ id }) => id)
        .join(', ')}.`,
    })
  if (found[0] === undefined)
    throw new AppError('not_found', `No run "${visibleLine(name).slice(0, 100)}" in this project.`, {
      hint: `List runs with ${operationNamed('test_runs')}.`,
    })
  return found[0]
}
