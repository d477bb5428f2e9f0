import { z } from 'zod'
import type { Warehouse, WarehouseType } from '../../../ports/warehouse.ts'
import { connectTo, doubleQuoted, escapedLiteral, openRemoteWarehouse, type RemoteEngine } from '../remote-warehouse.ts'
import { readCatalogue } from './catalogue.ts'
import { openSnowflakeDriver } from './driver.ts'

const connection = z.strictObject({
  account: z.string().min(1).describe('organisation-account, as in the address before .snowflakecomputing.com'),
  user: z.string().min(1),
  password: z.string().optional(),
  private_key_path: z.string().optional(),
  private_key_passphrase: z.string().optional(),
  authenticator: z
    .enum([
      'SNOWFLAKE',
      'SNOWFLAKE_JWT',
      'EXTERNALBROWSER',
      'OAUTH',
      'USERNAME_PASSWORD_MFA',
      'PROGRAMMATIC_ACCESS_TOKEN',
    ])
    .optional(),
  token: z.string().optional().describe('For OAUTH and PROGRAMMATIC_ACCESS_TOKEN.'),
  database: z.string().min(1),
  schema: z.string().min(1).default('PUBLIC'),
  warehouse: z.string().optional(),
  role: z.string().optional().describe('Give it SELECT only: Snowflake has no read-only session.'),
})

export type SnowflakeConnection = z.output<typeof connection>

export const snowflake: WarehouseType<SnowflakeConnection> = {
  type: 'snowflake',
  connection,
  open: openSnowflakeWarehouse,
}

async function openSnowflakeWarehouse(given: SnowflakeConnection): Promise<Warehouse> {
  const engine = snowflakeEngine(given)
  const driver = await connectTo(`the Snowflake account ${given.account}`, engine.secrets, () =>
    openSnowflakeDriver(given),
  )
  return openRemoteWarehouse(engine, driver)
}

export const snowflakeEngine = ({
  database,
  schema,
  password,
  token,
  private_key_passphrase,
}: SnowflakeConnection): RemoteEngine => ({
  dialect: 'snowflake',
  database,
  searchPath: [schema],
  secrets: [password, token, private_key_passphrase],
  readCatalogue: (rows) => readCatalogue(rows, doubleQuoted(database)),
  historySql: (limit) => `
    SELECT QUERY_TEXT AS sql_text, count(*) AS times, max(START_TIME) AS last_seen FROM SNOWFLAKE.ACCOUNT_USAGE.QUERY_HISTORY
    WHERE QUERY_TYPE = 'SELECT' AND EXECUTION_STATUS = 'SUCCESS' AND DATABASE_NAME = ${escapedLiteral(database)} AND START_TIME > dateadd(day,
      -30, current_timestamp())
    GROUP BY QUERY_TEXT ORDER BY times DESC LIMIT ${limit}`,
  quote: doubleQuoted,
})
