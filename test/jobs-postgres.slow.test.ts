import { afterAll, beforeAll } from 'vitest'
import type { SqlDatabase } from '../src/kernel/ports/sql-database.ts'
import { openPostgresJobs } from '../src/team/jobs/postgres/index.ts'
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
