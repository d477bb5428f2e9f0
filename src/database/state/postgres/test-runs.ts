import {
  inRunOrder,
  keptAttempt,
  keptRun,
  MOST_DETAILED,
  MOST_RUNS,
  WITHOUT_DETAIL,
} from '../../../evaluation/domain/kept-run.ts'
import type { TestRuns } from '../../../evaluation/ports/test-runs.ts'
import { sha256 } from '../../../kernel/domain/sha256.ts'
import { noRun, taken } from '../missing.ts'
import { attemptOf, runColumns, runOf } from '../test-run-rows.ts'
import { inLine, type ScopedRows } from './scoped-rows.ts'

const NEWEST_FIRST = 'WHERE person = $1 AND project = $2 ORDER BY started_at DESC, place DESC'

export function testRunsIn(rows: ScopedRows): TestRuns {
  const ending = async (id: string, end: string | null): Promise<void> => {
    const [row] = await rows.ask('UPDATE ken.test_runs SET ending = $2 WHERE id = $1 RETURNING 1', id, end)
    if (row === undefined) throw noRun(id)
  }
  return {
    start: (given) =>
      rows.within(async (ask) => {
        const run = keptRun(given)
        const whose = [run.user, run.project] as const
        await inLine(ask, 'test runs', ...whose)
        const [added] = await ask(
          // Each new run moves one more run past the limits.
          `WITH older AS (
             DELETE FROM ken.test_runs WHERE person = $1 AND project = $2 AND id IN (
               SELECT id FROM ken.test_runs ${NEWEST_FIRST} OFFSET ${MOST_RUNS - 1})),
           old AS (
             UPDATE ken.test_attempts SET detail = $14 WHERE person = $1 AND project = $2 AND run = (
               SELECT id FROM ken.test_runs ${NEWEST_FIRST} OFFSET ${MOST_DETAILED - 1} LIMIT 1))
           INSERT INTO ken.test_runs (person, project, id, folder, started_at, models, runs, suite, planned, commit_id,
             version, broken, ending) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
           ON CONFLICT DO NOTHING RETURNING 1`,
          ...whose,
          run.id,
          ...runColumns(run),
          JSON.stringify(WITHOUT_DETAIL),
        )
        if (added === undefined) throw taken('run', run.id)
      }),
    async add(given) {
      const attempt = keptAttempt(given)
      const { checks, prompt, answer, calls, ...facts } = attempt
      const [added] = await rows.ask(
        `INSERT INTO ken.test_attempts (run, project, person, key, facts, detail)
         SELECT id, project, person, $2::text, $3::text, $4::text FROM ken.test_runs WHERE id = $1
         ON CONFLICT (run, project, person, key) DO UPDATE SET facts = excluded.facts, detail = excluded.detail
         RETURNING 1`,
        attempt.run,
        sha256(JSON.stringify([attempt.case, attempt.model, attempt.attempt])),
        JSON.stringify(facts),
        JSON.stringify({ checks, prompt, answer, calls }),
      )
      if (added === undefined) throw noRun(attempt.run)
    },
    end: (id, end) => ending(id, JSON.stringify(end)),
    reopen: (id) => ending(id, null),
    async find(id, user) {
      const [row] = await rows.ask(
        'SELECT *, person AS "user" FROM ken.test_runs WHERE id = $1 AND person = $2',
        id,
        user,
      )
      return row && runOf(row)
    },
    list: async ({ user, project, limit }) =>
      (
        await rows.ask(`SELECT *, person AS "user" FROM ken.test_runs ${NEWEST_FIRST} LIMIT $3`, user, project, limit)
      ).map(runOf),
    attempts: async (run, { brief = false } = {}) =>
      (await rows.ask(`SELECT facts${brief ? '' : ', detail'} FROM ken.test_attempts WHERE run = $1`, run))
        .map(attemptOf)
        .toSorted(inRunOrder),
    async remove(id) {
      await rows.ask('DELETE FROM ken.test_runs WHERE id = $1', id)
    },
  }
}
