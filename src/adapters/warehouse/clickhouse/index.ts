import { z } from 'zod'
import type { Warehouse, WarehouseType } from '../../../ports/warehouse.ts'
import { backQuoted, connectTo, escapedLiteral, openRemoteWarehouse, type RemoteEngine } from '../remote-warehouse.ts'
import { readCatalogue } from './catalogue.ts'
import { openClickhouseDriver } from './driver.ts'

const connection = z.strictObject({
  url: z.url({ protocol: /^https?$/, hostname: /.*/ }).default('http://localhost:8123'),
  database: z.string().min(1).default('default'),
  user: z.string().min(1).default('default'),
  password: z.string().default(''),
})

export type ClickhouseConnection = z.output<typeof connection>

export const clickhouse: WarehouseType<ClickhouseConnection> = {
  type: 'clickhouse',
  connection,
  open: openClickhouseWarehouse,
}

async function openClickhouseWarehouse(given: ClickhouseConnection): Promise<Warehouse> {
  const engine = clickhouseEngine(given)
  const driver = await connectTo(`ClickHouse at ${new URL(given.url).host}`, engine.secrets, () =>
    openClickhouseDriver(given),
  )
  return openRemoteWarehouse(engine, driver)
}

/** A ClickHouse database is what others call a schema, so it stands for both. */
export const clickhouseEngine = ({ url, database, password }: ClickhouseConnection): RemoteEngine => ({
  dialect: 'clickhouse',
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
