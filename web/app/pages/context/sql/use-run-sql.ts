import { useMutation } from '@tanstack/react-query'
import type { ChartCell } from '../../../../../src/analyst/domain/chart/chart.ts'
import { call } from '../../../api/call.ts'
import { Fault } from '../../../api/fault.ts'
import { useProject } from '../../../api/queries.ts'
import { isOffered } from '../../../api/server.ts'

export interface Statement {
  readonly sql: string
  readonly database: string
}

export interface SqlAnswer {
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly rows: readonly (readonly ChartCell[])[]
  readonly rowCount: number
  /** Whether the result has more rows than these. */
  readonly isCut: boolean
  readonly queryId: string | undefined
  readonly milliseconds: number | undefined
  readonly notes: readonly string[]
}

/** Rows that the page holds; a file can have more. */
const MOST_ROWS = 100_000
// The limit of `execute_sql`; a team server does not offer a larger one.
const MOST_SERVED = 1_000

/** Runs a statement through the gate; a refusal is an error with its reason. */
export function useRunSql() {
  const project = useProject()
  return useMutation<SqlAnswer, Fault, Statement>({
    mutationFn: (statement) => (isOffered('run_sql') ? runHere(project, statement) : runServed(project, statement)),
  })
}

async function runHere(project: string, statement: Statement): Promise<SqlAnswer> {
  const answer = await call(project, 'run_sql', { ...statement, all: true, limit: MOST_ROWS })
  refuse(answer.refused)
  const { columns, rows, row_count, cut, query_id, milliseconds, notes } = answer
  return {
    columns,
    rows,
    rowCount: rows.length,
    isCut: cut || rows.length < row_count,
    queryId: query_id,
    milliseconds,
    notes,
  }
}

async function runServed(project: string, statement: Statement): Promise<SqlAnswer> {
  const answer = await call(project, 'execute_sql', { ...statement, limit: MOST_SERVED })
  refuse(answer.refused)
  const { columns, rows, shown, query_id, notes } = answer
  return {
    columns,
    rows,
    rowCount: rows.length,
    isCut: shown === 'part',
    queryId: query_id,
    milliseconds: undefined,
    notes,
  }
}

function refuse(refused: { readonly code: string; readonly reason: string; readonly hint: string } | undefined): void {
  if (refused === undefined) return
  const reason = /[.!?]$/.test(refused.reason) ? refused.reason : `${refused.reason}.`
  throw new Fault(refused.code, `Not run: ${reason}`, { hint: refused.hint, status: 200 })
}
