import type { Warehouse } from '../../../ports/warehouse.ts'
import { connectTo, openRemoteWarehouse, type RemoteEngine } from '../remote-warehouse.ts'
import { readCatalogue } from './catalogue.ts'
import { mssqlDialect } from './dialect.ts'
import { openMssqlDriver } from './driver.ts'
import type { MssqlConnection } from './index.ts'

export async function openMssqlWarehouse(given: MssqlConnection): Promise<Warehouse> {
  const engine = mssqlEngine(given)
  const driver = await connectTo(`the SQL Server database ${given.database}`, engine.secrets, () =>
    openMssqlDriver(given),
  )
  return openRemoteWarehouse(engine, driver)
}

export const mssqlEngine = ({ database, schema, password }: MssqlConnection): RemoteEngine => ({
  dialect: mssqlDialect,
  database,
  searchPath: [schema],
  secrets: [password],
  readCatalogue,
  historySql: (limit) => `
    SELECT TOP ${limit} t.text AS sql_text, sum(s.execution_count) AS times, max(s.last_execution_time) AS last_seen
    FROM sys.dm_exec_query_stats s CROSS APPLY sys.dm_exec_sql_text(s.sql_handle) t
    WHERE t.dbid = db_id() AND (ltrim(t.text) LIKE 'SELECT%' OR ltrim(t.text) LIKE 'WITH%') GROUP BY t.text ORDER BY times DESC`,
  quote: (identifier) => `[${identifier.replaceAll(']', ']]')}]`,
})
