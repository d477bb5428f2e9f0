import type { ErrorCode } from '../../kernel/domain/errors.ts'
import type { Through } from './permission.ts'

/** That somebody did something: never a word of what was said or answered. */
export interface AuditEntry {
  readonly at: string
  /** Empty where it is not known whose it was. */
  readonly organisation: string
  /** By id; empty where nobody proved to be anybody, or the server itself did it. */
  readonly person: string
  readonly through: Through | 'server'
  /** Id of the token, grant or session. */
  readonly held: string | undefined
  readonly operation: string
  readonly effect: 'read' | 'write'
  readonly project: string | undefined
  /** Id of the person, token, session, grant or invitation that it was done to. */
  readonly subject: string | undefined
  readonly outcome: 'ok' | ErrorCode
  readonly surface: string
  /** What the program of the caller calls itself. */
  readonly client: string | undefined
  /** The address it came from. */
  readonly source: string | undefined
}

/** `place` counts up in the order in which entries were written; some numbers may be missing. */
export interface KeptAuditEntry extends AuditEntry {
  readonly place: number
}

export interface AuditFilter {
  readonly organisation?: string | undefined
  readonly person?: string | undefined
  readonly project?: string | undefined
  /** Id of a token, grant or session, or what a program called itself. */
  readonly agent?: string | undefined
  readonly operation?: string | undefined
  readonly outcome?: string | undefined
  /** ISO times: from the first on, before the second. */
  readonly since?: string | undefined
  readonly until?: string | undefined
  /** Only what stands before this place: where a page ended. */
  readonly before?: number | undefined
  readonly limit: number
}
