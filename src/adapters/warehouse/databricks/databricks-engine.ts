import type { Warehouse } from '../../../ports/warehouse.ts'
import { backQuoted, connectTo, openRemoteWarehouse, type RemoteEngine } from '../remote-warehouse.ts'
import { readCatalogue } from './catalogue.ts'
import { databricksDialect } from './dialect.ts'
import { openDatabricksDriver } from './driver.ts'
import type { DatabricksConnection } from './index.ts'

export async function openDatabricksWarehouse(given: DatabricksConnection): Promise<Warehouse> {
  const engine = databricksEngine(given)
  const driver = await connectTo(`the Databricks workspace ${given.host}`, engine.secrets, () =>
    openDatabricksDriver(given),
  )
  return openRemoteWarehouse(engine, driver)
}

export const databricksEngine = ({ catalog, schema, token }: DatabricksConnection): RemoteEngine => ({
  dialect: databricksDialect,
  database: catalog,
  searchPath: [schema],
  secrets: [token],
  readCatalogue: (rows) => readCatalogue(rows, backQuoted(catalog)),
  historySql: (limit) => `
    SELECT statement_text AS sql_text, count(*) AS times, max(start_time) AS last_seen FROM system.query.history
    WHERE statement_type = 'SELECT' AND execution_status = 'FINISHED' AND start_time > current_timestamp() - INTERVAL 30 DAYS
    GROUP BY statement_text ORDER BY times DESC LIMIT ${limit}`,
  quote: backQuoted,
})
