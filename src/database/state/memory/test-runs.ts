import {
  inRunOrder,
  keptAttempt,
  keptRun,
  MOST_DETAILED,
  MOST_RUNS,
  WITHOUT_DETAIL,
} from '../../../evaluation/domain/kept-run.ts'
import type { TestRun } from '../../../evaluation/domain/test-run.ts'
import type { TestRuns } from '../../../evaluation/ports/test-runs.ts'
import { noRun, taken } from '../missing.ts'
import { newestFirst, own, type StateTables } from './state-tables.ts'

export function testRunsOn(shelf: StateTables): TestRuns {
  const attemptsOf = (run: string) => shelf.attempts.get(run) ?? new Map()
  function known(id: string): TestRun {
    const run = shelf.runs.get(id)
    if (run === undefined) throw noRun(id)
    return run
  }
  function remove(id: string): void {
    shelf.runs.delete(id)
    shelf.attempts.delete(id)
  }
  const listed = (user: string, project: string): TestRun[] =>
    newestFirst(shelf.runs.values(), (run) => run.startedAt).filter(
      (run) => run.user === user && run.project === project,
    )
  return {
    async start(run) {
      if (shelf.runs.has(run.id)) throw taken('run', run.id)
      const before = listed(run.user, run.project)
      for (const old of before.slice(MOST_RUNS - 1)) remove(old.id)
      const attempts = attemptsOf(before[MOST_DETAILED - 1]?.id ?? '')
      for (const [key, attempt] of attempts) attempts.set(key, { ...attempt, ...WITHOUT_DETAIL })
      shelf.runs.set(run.id, own(keptRun(run)))
    },
    async add(attempt) {
      const kept = own(keptAttempt(attempt))
      known(kept.run)
      const attempts = attemptsOf(kept.run)
      shelf.attempts.set(kept.run, attempts)
      attempts.set(JSON.stringify([kept.case, kept.model, kept.attempt]), kept)
    },
    async end(id, end) {
      shelf.runs.set(id, { ...known(id), end: own(end) })
    },
    async reopen(id) {
      const { end: _gone, ...open } = known(id)
      shelf.runs.set(id, open)
    },
    async find(id, user) {
      const run = shelf.runs.get(id)
      return run?.user === user ? own(run) : undefined
    },
    list: async ({ user, project, limit }) => own(listed(user, project).slice(0, limit)),
    attempts: async (run, { brief = false } = {}) =>
      [...attemptsOf(run).values()]
        .map((attempt) => own({ ...attempt, ...(brief && WITHOUT_DETAIL) }))
        .toSorted(inRunOrder),
    async remove(id) {
      remove(id)
    },
  }
}
