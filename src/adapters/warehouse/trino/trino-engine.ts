import type { Warehouse } from '../../../ports/warehouse.ts'
import { connectTo, doubleQuoted, literal, openRemoteWarehouse, type RemoteEngine } from '../remote-warehouse.ts'
import { readCatalogue } from './catalogue.ts'
import { trinoDialect } from './dialect.ts'
import { openTrinoDriver } from './driver.ts'
import type { TrinoConnection } from './index.ts'

export async function openTrinoWarehouse(given: TrinoConnection): Promise<Warehouse> {
  const engine = trinoEngine(given)
  const driver = await connectTo(`the Trino server ${given.host}`, engine.secrets, () => openTrinoDriver(given))
  return openRemoteWarehouse(engine, driver)
}

export const trinoEngine = ({ catalog, schema, password }: TrinoConnection): RemoteEngine => ({
  dialect: trinoDialect,
  database: catalog,
  searchPath: [schema],
  secrets: [password],
  readCatalogue: (rows) => readCatalogue(rows, catalog),
  // The coordinator remembers only what ran of late.
  historySql: (limit) => `
    SELECT query AS sql_text, count(*) AS times, max(created) AS last_seen FROM system.runtime.queries
    WHERE state = 'FINISHED' AND regexp_like(query, '(?i)^\\s*(select|with)') AND query NOT LIKE ${literal('%information_schema%')}
    GROUP BY query ORDER BY times DESC LIMIT ${limit}`,
  quote: doubleQuoted,
})
