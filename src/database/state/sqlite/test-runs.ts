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
import { attemptOf, runColumns, runOf } from '../test-run-rows.ts'
import type { Row, Tables } from './tables.ts'

const NEWEST_FIRST = 'WHERE user = ? AND project = ? ORDER BY started_at DESC, place DESC LIMIT ?'

export function testRunsIn(tables: Tables): TestRuns {
  function remove(id: string): void {
    tables.run('DELETE FROM test_attempt WHERE run = ?', id)
    tables.run('DELETE FROM test_run WHERE id = ?', id)
  }
  const ending = (id: string, end: string | null): Promise<void> =>
    tables.write(() => {
      if (tables.run('UPDATE test_run SET ending = ? WHERE id = ?', end, id) === 0) throw noRun(id)
    })
  return {
    start: (run) =>
      tables.write(() => {
        if (tables.one('SELECT 1 FROM test_run WHERE id = ?', run.id) !== undefined) throw taken('run', run.id)
        const old = (from: number, most: number): Row[] =>
          tables.all(`SELECT id FROM test_run ${NEWEST_FIRST} OFFSET ?`, run.user, run.project, most, from)
        for (const { id } of old(MOST_RUNS - 1, -1)) remove(String(id))
        // Each new run moves one more run past the limits.
        for (const { id } of old(MOST_DETAILED - 1, 1))
          tables.run('UPDATE test_attempt SET detail = ? WHERE run = ?', JSON.stringify(WITHOUT_DETAIL), id!)
        insertRun(tables, keptRun(run))
      }),
    add(given) {
      const attempt = keptAttempt(given)
      const { checks, prompt, answer, calls, ...facts } = attempt
      return tables.write(() => {
        if (tables.one('SELECT 1 FROM test_run WHERE id = ?', attempt.run) === undefined) throw noRun(attempt.run)
        tables.run(
          `INSERT INTO test_attempt (run, test, model, attempt, facts, detail) VALUES (?, ?, ?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET facts = excluded.facts, detail = excluded.detail`,
          attempt.run,
          attempt.case,
          attempt.model,
          attempt.attempt,
          JSON.stringify(facts),
          JSON.stringify({ checks, prompt, answer, calls }),
        )
      })
    },
    end: (id, end) => ending(id, JSON.stringify(end)),
    reopen: (id) => ending(id, null),
    async find(id, user) {
      const row = tables.one('SELECT * FROM test_run WHERE id = ? AND user = ?', id, user)
      return row && runOf(row)
    },
    list: async ({ user, project, limit }) =>
      tables.all(`SELECT * FROM test_run ${NEWEST_FIRST}`, user, project, limit).map(runOf),
    attempts: async (run, { brief = false } = {}) =>
      tables
        .all(`SELECT facts${brief ? '' : ', detail'} FROM test_attempt WHERE run = ?`, run)
        .map(attemptOf)
        .toSorted(inRunOrder),
    remove: (id) => tables.write(() => remove(id)),
  }
}

const insertRun = (tables: Tables, run: TestRun): number =>
  tables.run(
    `INSERT INTO test_run (id, user, project, folder, started_at, models, runs, suite, planned, commit_id, version,
     broken, ending) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    run.id,
    run.user,
    run.project,
    ...runColumns(run),
  )
