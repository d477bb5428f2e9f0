import type { AuditEntry, AuditFilter, KeptAuditEntry } from '../domain/audit-entry.ts'

/** Audit log kept by the database: entries are immutable, and no entry younger than 30 days is deleted. */
export interface AuditLog {
  /** Atomic: all entries are written or none. */
  write(entries: readonly AuditEntry[]): Promise<void>
  /** Newest first. `person` matches the actor or the subject. */
  read(filter: AuditFilter): Promise<readonly KeptAuditEntry[]>
  /** Deletes entries older than a time and older than 30 days, of one organisation if named; returns the count. */
  trim(before: string, organisation?: string): Promise<number>
}
