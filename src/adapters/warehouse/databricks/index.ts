import { z } from 'zod'
import type { Warehouse, WarehouseType } from '../../../ports/warehouse.ts'
import { backQuoted, connectTo, openRemoteWarehouse, type RemoteEngine } from '../remote-warehouse.ts'
import { readCatalogue } from './catalogue.ts'
import { openDatabricksDriver } from './driver.ts'

const connection = z.strictObject({
  host: z.string().min(1).describe('dbc-….cloud.databricks.com'),
  http_path: z.string().min(1).describe('/sql/1.0/warehouses/…'),
  token: z.string().min(1).describe('Of a principal with SELECT only: Databricks has no read-only session.'),
  catalog: z.string().min(1),
  schema: z.string().min(1).default('default'),
})

export type DatabricksConnection = z.output<typeof connection>

export const databricks: WarehouseType<DatabricksConnection> = {
  type: 'databricks',
  connection,
  open: openDatabricksWarehouse,
}

async function openDatabricksWarehouse(given: DatabricksConnection): Promise<Warehouse> {
  const engine = databricksEngine(given)
  const driver = await connectTo(`the Databricks workspace ${given.host}`, engine.secrets, () =>
    openDatabricksDriver(given),
  )
  return openRemoteWarehouse(engine, driver)
}

export const databricksEngine = ({ catalog, schema, token }: DatabricksConnection): RemoteEngine => ({
  dialect: 'databricks',
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
