import { afterAll } from 'vitest'
import { describePeople } from './contract/people.contract.ts'
import { describeSignIn } from './contract/sign-in.contract.ts'
import { describeTeamProjects } from './contract/team-projects.contract.ts'
import type { TeamPorts } from './contract/team-subject.ts'
import { describeTokens } from './contract/tokens.contract.ts'
import { openPgliteDatabase } from './postgres/pglite-database.ts'
import { openTeamPorts } from './postgres/team-ports.ts'

const NAME = 'PostgreSQL in this process'
const database = await openPgliteDatabase()
let ports: Promise<TeamPorts> | undefined
const open = (): Promise<TeamPorts> => (ports ??= openTeamPorts(database))
afterAll(() => database.close())

describePeople(NAME, open)
describeTeamProjects(NAME, open)
describeTokens(NAME, open)
describeSignIn(NAME, open)
