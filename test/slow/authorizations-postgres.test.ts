import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPostgresAuthorizations } from '../../src/adapters/authorizations/postgres/index.ts'
import { openPostgresDatabase } from '../../src/adapters/database/postgres/index.ts'
import { migrate } from '../../src/adapters/database/schema/migrate.ts'
import type { SqlDatabase } from '../../src/ports/sql-database.ts'
import { describeAuthorizations } from '../contract/authorizations.contract.ts'
import { addPerson } from '../postgres/add-person.ts'
import { startPostgres, type PostgresServer } from './postgres-server.ts'

let server: PostgresServer
let database: SqlDatabase

beforeAll(async () => {
  server = await startPostgres()
  database = await openPostgresDatabase({
    url: server.url,
  })
  await migrate(database, { clock: { now: () => new Date() } })
})
afterAll(async () => {
  await database.close()
  await server.stop()
})

describeAuthorizations('a real PostgreSQL', async () => ({
  store: openPostgresAuthorizations(database),
  addPerson: () => addPerson(database),
}))

test('a tenant reads nothing of what people allowed', async () => {
  for (const table of ['grants', 'clients', 'codes', 'access_tokens', 'refresh_tokens', 'devices', 'tallies'])
    await expect(
      database.transaction({ project: 'p', person: 'q' }, (sql) => sql.query(`SELECT * FROM ken.oauth_${table}`)),
    ).rejects.toThrow(/permission denied/)
})
