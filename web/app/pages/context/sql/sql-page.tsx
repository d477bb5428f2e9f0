import { useQueries } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { call, type Calls } from '../../../api/call.ts'
import { useAnswer, useProject, queryKey } from '../../../api/queries.ts'
import { usePageTitle } from '../../../frame/page-title.ts'
import { Button } from '../../../kit/button.tsx'
import { CodeEditor } from '../../../kit/data/code-editor.tsx'
import type { CompleteCode } from '../../../kit/data/code-parts.ts'
import { FaultNote } from '../../../kit/fault-note.tsx'
import { Keys } from '../../../kit/keys.tsx'
import { Select } from '../../../kit/select.tsx'
import { Skeleton } from '../../../kit/skeleton.tsx'
import { useDraft } from '../../../kit/use-draft.ts'
import { completeSql, tablesNamed } from './complete-sql.ts'
import { QueryHistory, readHistory, remember } from './query-history.tsx'
import { SqlResult } from './sql-result.tsx'
import { useRunSql, type Statement } from './use-run-sql.ts'
import heading from '../heading.module.css'
import styles from './sql-page.module.css'

/** A statement above its rows, run through the gate. The URL contains the last statement. */
export const SqlPage = () => {
  usePageTitle('SQL')
  const project = useProject()
  const search = useSearch({ from: '/$project/context/sql' })
  const navigate = useNavigate()
  const { data: tables } = useAnswer('list_tables', { limit: 1_000 })
  const { data: sources } = useAnswer('source_list', {})
  const order = (name: string): number => sources?.sources.findIndex(({ key }) => key === `database/${name}`) ?? 0
  const databases = [...new Set(tables?.tables.map(({ database }) => database))].toSorted((a, b) => order(a) - order(b))
  // Each opened query has a separate draft, so that no other text replaces it.
  const draft = useDraft(`sql.${project}.${search.sql ?? ''}`, search.sql ?? '')
  const [chosen, setChosen] = useState<string>()
  // The statement of a link can run before the tables are loaded.
  const isKnown = (name: string): boolean => tables === undefined || databases.includes(name)
  const database = [chosen, search.db].find((name) => name !== undefined && isKnown(name)) ?? databases[0]
  const [earlier, setEarlier] = useState(() => readHistory(project))
  const complete = useCompleteSql(database, draft.text, tables?.tables ?? [])
  const query = useRunSql()
  const run = (statement: Statement): void => {
    setChosen(statement.database)
    setEarlier(remember(project, statement))
    query.mutate(statement)
    if (statement.sql !== search.sql || statement.database !== search.db)
      void navigate({
        to: '/$project/context/sql',
        params: { project },
        search: { sql: statement.sql, db: statement.database },
      })
  }
  const runTyped = (): void => {
    if (database !== undefined && draft.text.trim() !== '') run({ sql: draft.text, database })
  }
  return (
    <article className={styles.page}>
      <header className={styles.head}>
        <h2 className={heading.pane}>SQL</h2>
        <div className={styles.actions}>
          {databases.length > 0 && database !== undefined && (
            <Select
              label="Database"
              hideLabel
              value={database}
              options={databases.map((name) => ({ value: name, label: name }))}
              onChange={setChosen}
            />
          )}
          <Button
            look="primary"
            icon="play"
            busy={query.isPending}
            disabled={database === undefined || draft.text.trim() === ''}
            onClick={runTyped}
          >
            Run <Keys of="mod+enter" />
          </Button>
        </div>
      </header>
      <div className={styles.editor}>
        <CodeEditor
          label="SQL statement"
          language="sql"
          value={draft.text}
          onChange={draft.set}
          onSave={runTyped}
          complete={complete}
          takesFocus
          isFilling
        />
      </div>
      <div className={styles.result}>
        {query.isPending ? (
          <Skeleton rows={6} label="Running the statement" />
        ) : query.isError ? (
          <FaultNote fault={query.error} />
        ) : query.data !== undefined ? (
          <SqlResult statement={query.variables} answer={query.data} onRun={run} />
        ) : (
          <QueryHistory
            earlier={earlier}
            tables={tables?.tables.filter((one) => one.database === database) ?? []}
            onOpen={(statement) => {
              setChosen(statement.database)
              draft.set(statement.sql)
            }}
          />
        )}
      </div>
    </article>
  )
}

type Table = Calls['list_tables']['output']['tables'][number]

// Columns of more tables are not suggested; a statement rarely joins as many.
const MOST_TABLES = 8

/** Completes names of the database's tables, and the columns of tables that the statement names. */
function useCompleteSql(database: string | undefined, text: string, all: readonly Table[]): CompleteCode {
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
