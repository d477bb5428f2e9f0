import type { Warehouse } from '../../../ports/warehouse.ts'
import { connectTo, doubleQuoted, openRemoteWarehouse, type RemoteEngine } from '../remote-warehouse.ts'
import { readCatalogue } from './catalogue.ts'
import { athenaDialect } from './dialect.ts'
import { openAthenaDriver } from './driver.ts'
import type { AthenaConnection } from './index.ts'

export async function openAthenaWarehouse(given: AthenaConnection): Promise<Warehouse> {
  const engine = athenaEngine(given)
  const driver = await connectTo(`Athena in ${given.region}`, engine.secrets, () => openAthenaDriver(given))
  return openRemoteWarehouse(engine, driver)
}

export const athenaEngine = ({
  catalog,
  database,
  access_key_id,
  secret_access_key,
  session_token,
}: AthenaConnection): RemoteEngine => ({
  dialect: athenaDialect,
  database: catalog,
  searchPath: [database],
  secrets: [access_key_id, secret_access_key, session_token],
  readCatalogue: (rows) => readCatalogue(rows, database),
  historySql: () => undefined,
  quote: doubleQuoted,
})
