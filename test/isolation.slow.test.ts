import { describeIsolation } from './isolation/isolation.suite.ts'
import { openNewDatabase } from './postgres/run-server.ts'

describeIsolation('PostgreSQL in process', openNewDatabase, {
  size: { organisations: 2, projects: 2, people: 2 },
  runs: 4,
  calls: 22,
  isThorough: false,
  mutatedTokens: 30,
})
