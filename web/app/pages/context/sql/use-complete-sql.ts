import { useQueries } from '@tanstack/react-query'
import { call, type Calls } from '../../../api/call.ts'
import { queryKey, useProject } from '../../../api/queries.ts'
import type { CompleteCode } from '../../../kit/data/code-parts.ts'
import { completeSql, tablesNamed } from './complete-sql.ts'

type Table = Calls['list_tables']['output']['tables'][number]

// Columns of more tables are not suggested; a statement rarely joins as many.
const MOST_TABLES = 8

/** Completes names of the database's tables, and the columns of tables that the statement names. */
export function useCompleteSql(database: string | undefined, text: string, all: readonly Table[]): CompleteCode {
  const project = useProject()
  const tables = all.filter((one) => one.database === database)
  const named = tablesNamed(
    text,
    tables.map(({ table }) => table),
  ).slice(0, MOST_TABLES)
  const facts = useQueries({
    queries: named.map((table) => {
      const input = { database: database ?? '', table }
      return {
        queryKey: queryKey(project, 'table_facts', input),
        queryFn: ({ signal }: { signal: AbortSignal }) => call(project, 'table_facts', input, signal),
      }
    }),
  })
  const columns = facts.flatMap(({ data }) =>
    (data?.columns ?? []).map(({ name, type }) => ({ name, type, table: data!.table })),
  )
  return (typed, at) => completeSql({ text: typed, at }, { tables, columns })
}
