import type { SqlDatabase, SqlScope } from '../kernel/ports/sql-database.ts'
import type { Tracer } from '../kernel/ports/tracer.ts'

/** The same database, with transactions and locks as spans: records the number of statements, never their text. */
export const tracedDatabase = (database: SqlDatabase, tracer: Tracer): SqlDatabase => ({
  ...database,
  transaction: (scope, work, options) =>
    tracer.span(
      'transaction',
      { kind: 'client', facts: { 'db.system.name': 'postgresql', 'ken.scope': nameOf(scope) } },
      (more) => {
        let statements = 0
        return database
          .transaction(
            scope,
            (sql) =>
              work({
                query: (text, values) => {
                  statements += 1
                  return sql.query(text, values)
                },
              }),
            options,
          )
          .finally(() => more({ 'ken.statements': statements }))
      },
    ),
  batch: (scope, statements) =>
    tracer.span(
      'transaction',
      {
        kind: 'client',
        facts: { 'db.system.name': 'postgresql', 'ken.scope': nameOf(scope), 'ken.statements': statements.length },
      },
      () => database.batch(scope, statements),
    ),
  withLock: (name, patience, work, look) =>
    tracer.span('lock', { kind: 'client', facts: { 'db.system.name': 'postgresql' } }, () =>
      database.withLock(name, patience, work, look),
    ),
})

const nameOf = (scope: SqlScope): string => (scope === 'server' ? 'server' : 'project' in scope ? 'project' : 'person')
