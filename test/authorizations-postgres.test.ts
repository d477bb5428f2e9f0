import { afterAll, beforeAll } from 'vitest'
import { openPostgresAuthorizations } from '../src/adapters/authorizations/postgres/index.ts'
import { migrate } from '../src/adapters/database/migrate.ts'
import type { SqlDatabase } from '../src/ports/sql-database.ts'
import { describeAuthorizations } from './contract/authorizations.contract.ts'
import { addPerson } from './postgres/add-person.ts'
import { openPgliteDatabase } from './postgres/pglite-database.ts'

let database: SqlDatabase

beforeAll(async () => {
  database = await openPgliteDatabase()
  await migrate(database, { clock: { now: () => new Date() } })
})
afterAll(() => database.close())

describeAuthorizations('PostgreSQL in this process', async () => ({
  store: openPostgresAuthorizations(database),
  addPerson: () => addPerson(database),
}))
