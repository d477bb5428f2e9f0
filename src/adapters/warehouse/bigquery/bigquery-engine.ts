import type { Warehouse } from '../../../ports/warehouse.ts'
import { backQuoted, connectTo, openRemoteWarehouse, type RemoteEngine } from '../remote-warehouse.ts'
import { readCatalogue } from './catalogue.ts'
import { bigqueryDialect } from './dialect.ts'
import { openBigqueryDriver } from './driver.ts'
import type { BigqueryConnection } from './index.ts'

export async function openBigqueryWarehouse(given: BigqueryConnection): Promise<Warehouse> {
  const engine = bigqueryEngine(given)
  const driver = await connectTo(`the BigQuery project ${given.project}`, engine.secrets, () =>
    openBigqueryDriver(given),
  )
  return openRemoteWarehouse(engine, driver)
}

export function bigqueryEngine({ project, dataset, location, credentials_json }: BigqueryConnection): RemoteEngine {
  const region = `${backQuoted(project)}.${backQuoted(`region-${location.toLowerCase()}`)}.INFORMATION_SCHEMA`
  return {
    dialect: bigqueryDialect,
    database: project,
    searchPath: dataset === undefined ? [] : [dataset],
    secrets: [credentials_json, ...privateKeysOf(credentials_json)],
    readCatalogue: (rows) => readCatalogue(rows, { region, dataset }),
    historySql: (limit) => `
      SELECT query AS sql_text, COUNT(*) AS times, MAX(creation_time) AS last_seen FROM ${region}.JOBS
      WHERE statement_type = 'SELECT' AND state = 'DONE' AND error_result IS NULL AND creation_time > TIMESTAMP_SUB(CURRENT_TIMESTAMP(),
        INTERVAL 30 DAY)
      GROUP BY query ORDER BY times DESC LIMIT ${limit}`,
    quote: backQuoted,
  }
}

function privateKeysOf(credentials: string | undefined): readonly string[] {
  const { private_key, private_key_id } = JSON.parse(credentials ?? '{}') as {
    private_key?: string
    private_key_id?: string
  }
  return [private_key, private_key_id].filter((key) => key !== undefined)
}
