import type { Warehouse } from '../../../ports/warehouse.ts'
import { connectTo, doubleQuoted, escapedLiteral, openRemoteWarehouse, type RemoteEngine } from '../remote-warehouse.ts'
import { readCatalogue } from './catalogue.ts'
import { snowflakeDialect } from './dialect.ts'
import { openSnowflakeDriver } from './driver.ts'
import type { SnowflakeConnection } from './index.ts'

export async function openSnowflakeWarehouse(given: SnowflakeConnection): Promise<Warehouse> {
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
  dialect: snowflakeDialect,
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
