import { describeIsolation } from './isolation/isolation.suite.ts'
import { openPgliteDatabase } from './postgres/pglite-database.ts'

describeIsolation('PostgreSQL in process', openPgliteDatabase, {
  size: { organisations: 2, projects: 2, people: 2 },
  runs: 4,
  calls: 22,
  isThorough: false,
  mutatedTokens: 30,
})
