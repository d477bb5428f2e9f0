import { afterAll } from 'vitest'
import { describePeople } from './contract/people.contract.ts'
import { describeSignIn } from './contract/sign-in.contract.ts'
import { describeTeamProjects } from './contract/team-projects.contract.ts'
import type { TeamPorts } from './contract/team-subject.ts'
import { describeTokens } from './contract/tokens.contract.ts'
import { openNewDatabase } from './postgres/run-server.ts'
import { openTeamPorts } from './postgres/team-ports.ts'

const NAME = 'PostgreSQL'
const database = await openNewDatabase()
let ports: Promise<TeamPorts> | undefined
const open = (): Promise<TeamPorts> => (ports ??= openTeamPorts(database))
afterAll(() => database.close())

describePeople(NAME, open)
describeTeamProjects(NAME, open)
describeTokens(NAME, open)
describeSignIn(NAME, open)
