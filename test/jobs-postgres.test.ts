import { afterAll, beforeAll } from 'vitest'
import { migrate } from '../src/adapters/database/schema/migrate.ts'
import { openPostgresJobs } from '../src/adapters/jobs/postgres/index.ts'
import type { SqlDatabase } from '../src/ports/sql-database.ts'
import { describeJobs } from './contract/jobs.contract.ts'
import { openPgliteDatabase } from './postgres/pglite-database.ts'

let database: SqlDatabase
beforeAll(async () => {
  database = await openPgliteDatabase()
  await migrate(database, { clock: { now: () => new Date() } })
})
afterAll(() => database?.close())

describeJobs('PostgreSQL in this process', async (clock) => {
  await database.transaction('server', (sql) => sql.query('TRUNCATE ken.jobs, ken.job_turns'))
  return openPostgresJobs(database, { clock, now: clock.now })
})
