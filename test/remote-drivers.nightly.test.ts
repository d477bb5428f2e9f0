import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe } from 'vitest'
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

describe('a user with a read-only profile cannot change settings', () =>
  describeRemoteWarehouse('clickhouse', { serve: (answer) => serveClickhouse(answer, true) }))

describe('keys of a profile', () =>
  describeRemoteWarehouse('athena', {
    async serve(answer) {
      const server = await serveAthena(answer)
      const folder = mkdtempSync(join(tmpdir(), 'ken-aws-'))
      const file = join(folder, 'credentials')
      const { access_key_id, secret_access_key, ...place } = server.connection
      const keys = (name: string, id: unknown): string =>
        `[${name}]\naws_access_key_id = ${id}\naws_secret_access_key = ${secret_access_key}\n`
      writeFileSync(file, `${keys('reader', access_key_id)}${keys('stranger', 'AKIASTRANGER')}`)
      process.env['AWS_SHARED_CREDENTIALS_FILE'] = file
      return {
        ...server,
        connection: { ...place, profile: 'reader' },
        wrongConnection: { ...place, profile: 'stranger' },
        async close() {
          delete process.env['AWS_SHARED_CREDENTIALS_FILE']
          rmSync(folder, { recursive: true, force: true })
          await server.close()
        },
      }
    },
  }))
