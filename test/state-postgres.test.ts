import { afterAll, beforeAll } from 'vitest'
import { migrate } from '../src/adapters/database/migrate.ts'
import { openPostgresAnalystState } from '../src/adapters/state/postgres/analyst-state.ts'
import { openPostgresState } from '../src/adapters/state/postgres/index.ts'
import type { SqlDatabase } from '../src/ports/sql-database.ts'
import { describeAnalystState } from './contract/analyst-state.contract.ts'
import { describeState } from './contract/state.contract.ts'
import { emptied } from './postgres/emptied.ts'
import { openPgliteDatabase } from './postgres/pglite-database.ts'

let database: SqlDatabase
beforeAll(async () => {
  database = await openPgliteDatabase()
  await migrate(database, { clock: { now: () => new Date('2026-05-01T10:00:00Z') } })
})
afterAll(() => database.close())

const ada = { project: 'shop', person: 'ada' }
let projects = 0

describeAnalystState('PGlite, of everybody', { open: async () => openPostgresAnalystState(await emptied(database), 'server') })
describeAnalystState('PGlite, of one person in one project', {
  open: async () => openPostgresAnalystState(await emptied(database), ada),
})
describeState('PGlite', { open: async () => openPostgresState(database, `project ${++projects}`) })
