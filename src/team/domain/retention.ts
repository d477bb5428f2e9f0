/** How long an organisation keeps what it could do without, in days. */
export interface Retention {
  /** Entries of the audit log; the database itself keeps them for 30. */
  readonly auditDays: number
  /** How long a deleted chat can be brought back. */
  readonly deletedDays: number
  /** Chats without a star that nobody went on with are deleted then; undefined keeps them. */
  readonly chatDays: number | undefined
}

export const USUAL_RETENTION: Retention = { auditDays: 365, deletedDays: 30, chatDays: undefined }

/** In the same days for everybody: what is over, and stays a while so that people can see that it was there. */
export const SERVER_RETENTION = { sessions: 30, tokens: 90, invitations: 30, jobs: 30 } as const

export const LEAST_AUDIT_DAYS = 30
/** The upkeep of chats takes what was deleted so long ago, whatever an organisation says. */
export const MOST_DELETED_DAYS = 30
