import { afterAll, beforeAll } from 'vitest'
import { openPostgresDatabase } from '../../src/database/postgres/index.ts'
import { describeIsolation } from '../isolation/isolation.suite.ts'
import { newDatabase, type OwnDatabase } from '../postgres/run-server.ts'

let postgres: OwnDatabase
beforeAll(async () => {
  postgres = await newDatabase()
})
afterAll(() => postgres.stop())

const open = () => openPostgresDatabase({ url: postgres.url })

describeIsolation('a real server', open, {
  size: { organisations: 4, projects: 4, people: 6 },
  runs: 25,
  calls: 44,
  isThorough: true,
  mutatedTokens: 3_000,
})
