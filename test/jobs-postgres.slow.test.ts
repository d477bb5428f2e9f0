import { afterAll, beforeAll } from 'vitest'
import { openPostgresJobs } from '../src/adapters/jobs/postgres/index.ts'
import type { SqlDatabase } from '../src/ports/sql-database.ts'
import { describeJobs } from './contract/jobs.contract.ts'
import { openNewDatabase } from './postgres/run-server.ts'

let database: SqlDatabase
beforeAll(async () => {
  database = await openNewDatabase()
})
afterAll(() => database?.close())

describeJobs('PostgreSQL', async (clock) => {
  await database.transaction('server', (sql) => sql.query('TRUNCATE ken.jobs, ken.job_turns'))
  return openPostgresJobs(database, { clock, now: clock.now })
})
