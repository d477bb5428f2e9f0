import type { Warehouse } from '../../../ports/warehouse.ts'
import { backQuoted, connectTo, escapedLiteral, openRemoteWarehouse, type RemoteEngine } from '../remote-warehouse.ts'
import { readCatalogue } from './catalogue.ts'
import { clickhouseDialect } from './dialect.ts'
import { openClickhouseDriver } from './driver.ts'
import type { ClickhouseConnection } from './index.ts'

export async function openClickhouseWarehouse(given: ClickhouseConnection): Promise<Warehouse> {
  const engine = clickhouseEngine(given)
  const driver = await connectTo(`ClickHouse at ${new URL(given.url).host}`, engine.secrets, () =>
    openClickhouseDriver(given),
  )
  return openRemoteWarehouse(engine, driver)
}

/** A ClickHouse database is what others call a schema, so it stands for both. */
export const clickhouseEngine = ({ url, database, password }: ClickhouseConnection): RemoteEngine => ({
  dialect: clickhouseDialect,
  database,
  searchPath: [database],
  secrets: [password, new URL(url).password],
  readCatalogue: (rows) => readCatalogue(rows, escapedLiteral(database)),
  historySql: (limit) => `
    SELECT query AS sql_text, count() AS times, max(event_time) AS last_seen FROM system.query_log
    WHERE type = 'QueryFinish' AND query_kind = 'Select' AND current_database = ${escapedLiteral(database)} AND event_date > today() - 30
    GROUP BY query ORDER BY times DESC LIMIT ${limit}`,
  quote: backQuoted,
})
