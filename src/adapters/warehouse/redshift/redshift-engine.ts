import type { Warehouse } from '../../../ports/warehouse.ts'
import { connectTo, doubleQuoted, openRemoteWarehouse, type RemoteEngine } from '../remote-warehouse.ts'
import { readCatalogue } from './catalogue.ts'
import { redshiftDialect } from './dialect.ts'
import { openRedshiftDriver } from './driver.ts'
import type { RedshiftConnection } from './index.ts'

export async function openRedshiftWarehouse(given: RedshiftConnection): Promise<Warehouse> {
  const engine = redshiftEngine(given)
  const driver = await connectTo(`the Redshift database ${given.database}`, engine.secrets, () =>
    openRedshiftDriver(given),
  )
  return openRemoteWarehouse(engine, driver)
}

export const redshiftEngine = ({ database, schema, password }: RedshiftConnection): RemoteEngine => ({
  dialect: redshiftDialect,
  database,
  searchPath: [schema],
  secrets: [password],
  readCatalogue,
  historySql: (limit) => `
    SELECT query_text AS sql_text, count(*) AS times, max(start_time) AS last_seen FROM sys_query_history
    WHERE query_type = 'SELECT' AND status = 'success' AND database_name = current_database() AND start_time > dateadd(day, -30, getdate())
    GROUP BY query_text ORDER BY times DESC LIMIT ${limit}`,
  quote: doubleQuoted,
})
