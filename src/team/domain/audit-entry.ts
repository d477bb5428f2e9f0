import type { ErrorCode } from '../../kernel/domain/errors.ts'
import type { Through } from './permission.ts'

/** An action by a person; never contains any contents. */
export interface AuditEntry {
  readonly at: string
  /** Empty if the organisation is unknown. */
  readonly organisation: string
  /** Id of the person; empty if no one was authenticated, or the server acted. */
  readonly person: string
  readonly through: Through | 'server'
  /** Id of the token, grant or session. */
  readonly held: string | undefined
  readonly operation: string
  readonly effect: 'read' | 'write'
  readonly project: string | undefined
  /** Id of the affected person, token, session, grant or invitation. */
  readonly subject: string | undefined
  readonly outcome: 'ok' | ErrorCode
  readonly surface: string
  /** Self-declared name of the caller's program. */
  readonly client: string | undefined
  /** The client address. */
  readonly source: string | undefined
}

/** `place` increases in write order; some numbers may be missing. */
export interface KeptAuditEntry extends AuditEntry {
  readonly place: number
}

export interface AuditFilter {
  readonly organisation?: string | undefined
  readonly person?: string | undefined
  readonly project?: string | undefined
  /** Id of a token, grant or session, or a program's self-declared name. */
  readonly agent?: string | undefined
  readonly operation?: string | undefined
  /** `ok`, an error code, or `failed` for everything but `ok`. */
  readonly outcome?: string | undefined
  /** Leaves out reads by pages of the app, which are most of the entries. */
  readonly without_page_reads?: boolean | undefined
  /** ISO times: inclusive start, exclusive end. */
  readonly since?: string | undefined
  readonly until?: string | undefined
  /** Only entries before this place: the end of the previous page. */
  readonly before?: number | undefined
  readonly limit: number
}
