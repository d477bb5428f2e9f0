import { databricksEngine } from '../src/context/warehouse/databricks/databricks-engine.ts'
import { openDatabricksDriver } from '../src/context/warehouse/databricks/driver.ts'
import type { DatabricksConnection } from '../src/context/warehouse/databricks/index.ts'
import { connectTo, openRemoteWarehouse } from '../src/context/warehouse/remote-warehouse.ts'
import { openSnowflakeDriver } from '../src/context/warehouse/snowflake/driver.ts'
import type { SnowflakeConnection } from '../src/context/warehouse/snowflake/index.ts'
import { snowflakeEngine } from '../src/context/warehouse/snowflake/snowflake-engine.ts'
import { describeRemoteWarehouse } from './contract/remote-warehouse.contract.ts'
import { serveDatabricks, type DatabricksServer } from './vendors/databricks-server.ts'
import { serveMssql } from './vendors/mssql-server.ts'
import { serveSnowflake, type SnowflakeServer } from './vendors/snowflake-server.ts'

describeRemoteWarehouse('snowflake', {
  serve: serveSnowflake,
  async open(connection, server) {
    const given = connection as unknown as SnowflakeConnection
    const { url } = server as SnowflakeServer
    const engine = snowflakeEngine(given)
    const driver = await connectTo(given.account, engine.secrets, () => openSnowflakeDriver(given, { accessUrl: url }))
    return openRemoteWarehouse(engine, driver)
  },
})

describeRemoteWarehouse('databricks', {
  serve: serveDatabricks,
  async open(connection, server) {
    const given = connection as unknown as DatabricksConnection
    const { port } = server as DatabricksServer
    const engine = databricksEngine(given)
    const driver = await connectTo(given.host, engine.secrets, () =>
      openDatabricksDriver(given, { port, checkServerCertificate: false }),
    )
    return openRemoteWarehouse(engine, driver)
  },
  knownGaps: { 'two columns of one name both stay': "Databricks' client gives every row as an object." },
})

describeRemoteWarehouse('mssql', {
  serve: serveMssql,
  knownGaps: {
    'a long decimal is not rounded': "SQL Server's client reads decimals as doubles and offers nothing else.",
  },
})
