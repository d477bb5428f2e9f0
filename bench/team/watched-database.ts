import type { SqlDatabase, SqlScope, SqlSession, SqlValue } from '../../src/kernel/ports/sql-database.ts'

export interface Statement {
  readonly text: string
  readonly values: readonly SqlValue[]
  readonly scope: SqlScope
}

/** Wraps a database and reports every statement sent to it. */
export function watchDatabase(database: SqlDatabase, saw: (statement: Statement) => void): SqlDatabase {
  return {
    ...database,
    transaction: (scope, work) =>
      database.transaction(scope, (sql) =>
        work({
          query: <Row extends object>(text: string, values: readonly SqlValue[] = []) => {
            saw({ text, values, scope })
            return sql.query<Row>(text, values)
          },
        }),
      ),
    batch: (scope, statements) => {
      for (const { text, values = [] } of statements) saw({ text, values, scope })
      return database.batch(scope, statements)
    },
  }
}

/** Returns the query plan of a reading statement, with the buffers it touched. */
export function explain(database: SqlDatabase, { text, values, scope }: Statement): Promise<string> {
  const plan = async (sql: SqlSession) =>
    sql.query<{ 'QUERY PLAN': string }>(`EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, SUMMARY OFF) ${text}`, values)
  return database.transaction(scope, plan).then((rows) => rows.map((row) => row['QUERY PLAN']).join('\n'))
}
