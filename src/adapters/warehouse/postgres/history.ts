import type { Sql } from 'postgres'
import { OWN_MARK } from '../../../core/sources/own-statement.ts'
import type { PastQuery } from '../../../ports/warehouse.ts'
import { DECLARE } from './query.ts'

/** From pg_stat_statements, where that extension is installed and may be read. It keeps no time per statement. */
export async function readHistory(sql: Sql, limit: number): Promise<readonly PastQuery[]> {
  const [extension] = await sql<{ schema: string }[]>`
    SELECT quote_ident(n.nspname) AS schema FROM pg_extension e JOIN pg_namespace n
      ON n.oid = e.extnamespace WHERE e.extname = 'pg_stat_statements'`
  if (!extension) return []
  try {
    const rows = await sql.begin('read only', (transaction) =>
      transaction.unsafe(`
        SELECT q.query, sum(q.calls)::float8 AS calls
        FROM (SELECT replace(s.query, '${DECLARE}', '') AS query, s.calls FROM ${extension.schema}.pg_stat_statements s
          JOIN pg_database d ON d.oid = s.dbid WHERE d.datname = current_database()) q
        WHERE q.query ~* '^\\s*(select|with)\\M.*\\mfrom\\M' AND strpos(q.query, '${OWN_MARK}') = 0
          AND q.query !~* '\\mpg_(catalog|class|stat_statements|namespace|type)\\M'
        GROUP BY q.query ORDER BY 2 DESC, 1 LIMIT ${Math.trunc(limit)}`),
    )
    return rows.map((row) => ({ sql: String(row['query']), times: Number(row['calls']), lastSeen: undefined }))
  } catch {
    // The extension exists but the server was not started with its library, or the role may not read it.
    return []
  }
}
