import type { Random } from '../../kernel/ports/random.ts'
import type { Caller } from '../domain/may.ts'
import type { AuditLog } from './audit-log.ts'
import type { Authorizations } from './authorizations.ts'
import type { Mailer } from './mailer.ts'
import type { Invitations, People } from './people.ts'
import type { RetentionRules } from './retention.ts'
import type { AttemptLimits, BrowserSessions } from './sign-in.ts'
import type { TeamContexts } from './team-contexts.ts'
import type { TeamProjects } from './team-projects.ts'
import type { Tokens } from './tokens.ts'
import type { Webhooks, WebhookSender } from './webhooks.ts'

/** Manages people, projects and access on a team server, on behalf of one caller. */
export interface TeamDesk {
  readonly caller: Caller & {
    /** The caller's browser session. */
    readonly session?: string
  }
  /** The origin under which people reach the server. */
  readonly publicUrl: string
  readonly people: People
  readonly invitations: Invitations
  readonly projects: TeamProjects
  readonly contexts: TeamContexts
  readonly webhooks: Webhooks
  readonly webhookSender: WebhookSender
  readonly tokens: Tokens
  readonly sessions: BrowserSessions
  readonly limits: AttemptLimits
  readonly authorizations: Authorizations
  readonly chance: Random
  readonly auditLog: Pick<AuditLog, 'read'>
  readonly retention: RetentionRules
  /** Number of rows of a project, by table, that contain one of the texts; personal rows are not read. */
  mentions(project: string, texts: readonly string[]): Promise<readonly { table: string; rows: number }[]>
  /** Records in the audit log the ids of the people or things that this call affects. */
  concerns(id: string): void
  /** Domains whose addresses the server's identity provider vouches for. */
  readonly vouched: readonly string[]
  /** Undefined if the server sends no mail. */
  readonly mailer: Mailer | undefined
}
