import { afterAll, beforeAll } from 'vitest'
import { migrate } from '../src/adapters/database/schema/migrate.ts'
import { openPostgresStores, type PostgresStores } from '../src/adapters/store/postgres/index.ts'
import type { SqlDatabase } from '../src/ports/sql-database.ts'
import { stepClock } from './contract/step-clock.ts'
import { describeStore } from './contract/store.contract.ts'
import { openPgliteDatabase } from './postgres/pglite-database.ts'
import { plantRecord } from './postgres/planted-record.ts'

let database: SqlDatabase
const opened: PostgresStores[] = []
beforeAll(async () => {
  database = await openPgliteDatabase()
  await migrate(database, { clock: stepClock() })
})
afterAll(async () => {
  await Promise.all(opened.map((stores) => stores.close()))
  await database.close()
})

describeStore('PostgreSQL in this process', {
  keepsEveryState: true,
  async open(files, options) {
    const stores = await openPostgresStores({ database, clock: stepClock(), ...options })
    opened.push(stores)
    return stores.open(await plantRecord(database, files))
  },
})
