import { afterAll, beforeAll } from 'vitest'
import { openPostgresDatabase } from '../../src/adapters/database/postgres/index.ts'
import type { SqlDatabase } from '../../src/ports/sql-database.ts'
import { describePeople } from '../contract/people.contract.ts'
import { describeSignIn } from '../contract/sign-in.contract.ts'
import { describeTeamProjects } from '../contract/team-projects.contract.ts'
import type { TeamPorts } from '../contract/team-subject.ts'
import { describeTokens } from '../contract/tokens.contract.ts'
import { openTeamPorts } from '../postgres/team-ports.ts'
import { startPostgres, type PostgresServer } from './postgres-server.ts'

const NAME = 'a real PostgreSQL'
let server: PostgresServer
let database: SqlDatabase
let ports: Promise<TeamPorts> | undefined
const open = (): Promise<TeamPorts> => (ports ??= openTeamPorts(database))

beforeAll(async () => {
  server = await startPostgres()
  database = await openPostgresDatabase({
    url: server.url,
  })
})
afterAll(async () => {
  await database.close()
  await server.stop()
})

describePeople(NAME, open)
describeTeamProjects(NAME, open)
describeTokens(NAME, open)
describeSignIn(NAME, open)
