import { inTurn, type Queues } from '../../src/database/in-turn.ts'
import { scopeStatement } from '../../src/database/scoped.ts'
import type { SqlDatabase, SqlSession, SqlValue } from '../../src/kernel/ports/sql-database.ts'

/** PostgreSQL with pgvector in this process: one connection, so transactions run one after the other. */
export async function openPgliteDatabase(): Promise<SqlDatabase> {
  // Imported by a variable name, which the compiler does not resolve: only the nightly run has the packages.
  const [{ PGlite, types }, { vector }] = await Promise.all(
    ['@electric-sql/pglite', '@electric-sql/pglite-pgvector'].map((name) => import(name)),
  )
  const engine = await PGlite.create({
    extensions: { vector },
    parsers: { [types.INT8]: Number, [types.TIMESTAMPTZ]: (text: string) => new Date(text).toISOString() },
  })
  await engine.exec('CREATE EXTENSION vector')
  const queues: Queues = new Map()
  const transaction: SqlDatabase['transaction'] = (scope, work, { readOnly = false } = {}) =>
    engine.transaction(async (transaction: any) => {
      const session: SqlSession = {
        query: async <Row extends object>(text: string, values: readonly SqlValue[] = []) =>
          (await transaction.query(text, [...values])).rows as Row[],
      }
      if (readOnly) await session.query('SET TRANSACTION READ ONLY')
      if (scope !== 'server') await session.query(scopeStatement(scope))
      return work(session)
    })
  const batch: SqlDatabase['batch'] = (scope, statements) =>
    transaction(scope, async (sql) => {
      const rows: (readonly object[])[] = []
      for (const { text, values } of statements) rows.push(await sql.query(text, values))
      return rows
    })
  return {
    hasVectors: true,
    transaction,
    batch,
    withLock: (name, patience, work, look) =>
      inTurn(queues, { name, patience }, async () =>
        work(look === undefined ? [] : (await batch(look.scope, [look]))[0]!),
      ),
    async listen(channel, heard) {
      const stop = await engine.listen(channel, heard)
      return { close: () => stop() }
    },
    answers: async () => true,
    close: () => engine.close(),
  }
}
