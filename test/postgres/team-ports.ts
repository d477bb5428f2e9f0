import { migrate } from '../../src/database/schema/migrate.ts'
import type { SqlDatabase } from '../../src/kernel/ports/sql-database.ts'
import { systemClock } from '../../src/kernel/system/clock.ts'
import { openPostgresAuthorizations } from '../../src/team/authorizations/postgres/index.ts'
import { openInvitations } from '../../src/team/people/invitations.ts'
import { openPeople } from '../../src/team/people/people.ts'
import { openTeamProjects } from '../../src/team/people/team-projects.ts'
import { openTokens } from '../../src/team/people/tokens.ts'
import { openAttemptLimits } from '../../src/team/sign-in/attempt-limits.ts'
import { openBrowserSessions } from '../../src/team/sign-in/browser-sessions.ts'
import { openOneTimeSecrets } from '../../src/team/sign-in/one-time-secrets.ts'
import { openPasskeyStore } from '../../src/team/sign-in/passkey-store.ts'
import { openSignInCodes } from '../../src/team/sign-in/sign-in-codes.ts'
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
    passkeys: openPasskeyStore(database),
    authorizations: openPostgresAuthorizations(database).authorizations,
  }
}
