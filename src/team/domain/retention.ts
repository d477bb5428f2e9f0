/** Retention of an organisation's dispensable data, in days. */
export interface Retention {
  /** Retention of audit log entries; the database enforces at least 30. */
  readonly auditDays: number
  /** How long a deleted chat can be restored. */
  readonly deletedDays: number
  /** Unstarred chats are deleted after so long without activity; undefined keeps them. */
  readonly chatDays: number | undefined
}

export const USUAL_RETENTION: Retention = { auditDays: 365, deletedDays: 30, chatDays: undefined }

/** The same for all organisations: ended items are kept for a while so that people can see them. */
export const SERVER_RETENTION = { sessions: 30, tokens: 90, invitations: 30, jobs: 30 } as const

export const LEAST_AUDIT_DAYS = 30
/** The upkeep of chats deletes them after this, whatever the organisation's setting. */
export const MOST_DELETED_DAYS = 30
