import { describeRemoteWarehouse } from './contract/remote-warehouse.contract.ts'
import { serveAthena } from './vendors/athena-server.ts'
import { serveBigquery } from './vendors/bigquery-server.ts'
import { serveClickhouse } from './vendors/clickhouse-server.ts'
import { serveTrino } from './vendors/trino-server.ts'

describeRemoteWarehouse('trino', { serve: serveTrino })
describeRemoteWarehouse('clickhouse', { serve: serveClickhouse })
describeRemoteWarehouse('athena', { serve: serveAthena })
describeRemoteWarehouse('bigquery', {
  serve: serveBigquery,
  knownGaps: { 'two columns of one name both stay': 'BigQuery refuses a result with two columns of one name.' },
})
