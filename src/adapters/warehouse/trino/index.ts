import { z } from 'zod'
import type { Warehouse, WarehouseType } from '../../../ports/warehouse.ts'
import { connectTo, doubleQuoted, literal, openRemoteWarehouse, type RemoteEngine } from '../remote-warehouse.ts'
import { readCatalogue } from './catalogue.ts'
import { openTrinoDriver } from './driver.ts'

const connection = z.strictObject({
  host: z.string().min(1),
  port: z.number().int().min(1).max(65535).default(8080),
  ssl: z.boolean().default(false),
  catalog: z.string().min(1),
  schema: z.string().min(1).default('default'),
  user: z.string().min(1).describe('With rights to read only.'),
  password: z.string().optional(),
})

export type TrinoConnection = z.output<typeof connection>

export const trino: WarehouseType<TrinoConnection> = { type: 'trino', connection, open: openTrinoWarehouse }

async function openTrinoWarehouse(given: TrinoConnection): Promise<Warehouse> {
  const engine = trinoEngine(given)
  const driver = await connectTo(`the Trino server ${given.host}`, engine.secrets, () => openTrinoDriver(given))
  return openRemoteWarehouse(engine, driver)
}

export const trinoEngine = ({ catalog, schema, password }: TrinoConnection): RemoteEngine => ({
  dialect: 'trino',
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
