import { z } from 'zod'
import type { Warehouse, WarehouseType } from '../../../ports/warehouse.ts'
import { connectTo, doubleQuoted, openRemoteWarehouse, type RemoteEngine } from '../remote-warehouse.ts'
import { readCatalogue } from './catalogue.ts'
import { openAthenaDriver } from './driver.ts'

const connection = z.strictObject({
  region: z.string().min(1),
  database: z.string().min(1),
  catalog: z.string().min(1).default('AwsDataCatalog'),
  workgroup: z.string().min(1).default('primary'),
  output_location: z
    .string()
    .startsWith('s3://')
    .optional()
    .describe('Where Athena puts results, unless the workgroup says.'),
  access_key_id: z
    .string()
    .optional()
    .describe('Without keys the usual AWS chain is used: environment, profile, role.'),
  secret_access_key: z.string().optional(),
  session_token: z.string().optional(),
})

export type AthenaConnection = z.output<typeof connection>

export const athena: WarehouseType<AthenaConnection> = { type: 'athena', connection, open: openAthenaWarehouse }

async function openAthenaWarehouse(given: AthenaConnection): Promise<Warehouse> {
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
  dialect: 'athena',
  database: catalog,
  searchPath: [database],
  secrets: [access_key_id, secret_access_key, session_token],
  readCatalogue: (rows) => readCatalogue(rows, database),
  historySql: () => undefined,
  quote: doubleQuoted,
})
