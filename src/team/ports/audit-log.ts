import type { AuditEntry, AuditFilter, KeptAuditEntry } from '../domain/audit-entry.ts'

/** Who did what, kept by the database: nobody changes an entry, and none younger than 30 days goes. */
export interface AuditLog {
  /** All of them or none. */
  write(entries: readonly AuditEntry[]): Promise<void>
  /** The newest first. `person` is who did it or whom it was done to. */
  read(filter: AuditFilter): Promise<readonly KeptAuditEntry[]>
  /** Deletes what is older than a time and older than 30 days, of one organisation where it is named; says how many. */
  trim(before: string, organisation?: string): Promise<number>
}
