import { z } from 'zod'
import type { Warehouse, WarehouseType } from '../../../ports/warehouse.ts'
import { connectTo, openRemoteWarehouse, type RemoteEngine } from '../remote-warehouse.ts'
import { readCatalogue } from './catalogue.ts'
import { openMssqlDriver } from './driver.ts'

const connection = z.strictObject({
  host: z.string().min(1),
  port: z.number().int().min(1).max(65535).default(1433),
  database: z.string().min(1),
  user: z.string().min(1).describe('With db_datareader only: SQL Server has no read-only session.'),
  password: z.string(),
  schema: z.string().min(1).default('dbo'),
  encrypt: z.boolean().default(true),
  trust_server_certificate: z.boolean().default(false),
})

export type MssqlConnection = z.output<typeof connection>

export const mssql: WarehouseType<MssqlConnection> = { type: 'mssql', connection, open: openMssqlWarehouse }

async function openMssqlWarehouse(given: MssqlConnection): Promise<Warehouse> {
  const engine = mssqlEngine(given)
  const driver = await connectTo(`the SQL Server database ${given.database}`, engine.secrets, () =>
    openMssqlDriver(given),
  )
  return openRemoteWarehouse(engine, driver)
}

export const mssqlEngine = ({ database, schema, password }: MssqlConnection): RemoteEngine => ({
  dialect: 'mssql',
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
