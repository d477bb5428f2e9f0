import { openPostgresAuthorizations } from '../../src/adapters/authorizations/postgres/index.ts'
import { systemClock } from '../../src/adapters/clock/system/index.ts'
import { migrate } from '../../src/adapters/database/schema/migrate.ts'
import { openInvitations } from '../../src/adapters/people/postgres/invitations.ts'
import { openPeople } from '../../src/adapters/people/postgres/people.ts'
import { openTeamProjects } from '../../src/adapters/people/postgres/team-projects.ts'
import { openTokens } from '../../src/adapters/people/postgres/tokens.ts'
import { openAttemptLimits } from '../../src/adapters/sign-in/postgres/attempt-limits.ts'
import { openBrowserSessions } from '../../src/adapters/sign-in/postgres/browser-sessions.ts'
import { openOneTimeSecrets } from '../../src/adapters/sign-in/postgres/one-time-secrets.ts'
import { openPasskeyShelf } from '../../src/adapters/sign-in/postgres/passkey-shelf.ts'
import { openSignInCodes } from '../../src/adapters/sign-in/postgres/sign-in-codes.ts'
import type { SqlDatabase } from '../../src/ports/sql-database.ts'
import type { TeamPorts } from '../contract/team-subject.ts'

export async function openTeamPorts(database: SqlDatabase): Promise<TeamPorts> {
  await migrate(database, { clock: systemClock })
  return {
    people: openPeople(database),
    invitations: openInvitations(database),
    projects: openTeamProjects(database),
    tokens: openTokens(database),
    sessions: openBrowserSessions(database),
    codes: openSignInCodes(database),
    limits: openAttemptLimits(database),
    secrets: openOneTimeSecrets(database),
    passkeys: openPasskeyShelf(database),
    authorizations: openPostgresAuthorizations(database).authorizations,
  }
}
