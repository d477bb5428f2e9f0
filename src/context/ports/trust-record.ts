import type { Granted } from '../domain/context-project/trust.ts'

export interface TrustedProject {
  /** Links are resolved. */
  readonly root: string
  /** When the user granted it. */
  readonly at: string
  readonly granted: Granted
}

/**
 * Context projects the user trusts, and their grants. It is in the user's home, so no file in a clone can change it.
 */
export interface TrustRecord {
  list(): readonly TrustedProject[]
  /** By the project's real path; undefined if it was never trusted. */
  find(root: string): TrustedProject | undefined
  /** Replaces the previous grant. */
  grant(project: TrustedProject): void
  /** Adds to the previous grant, so that concurrent additions do not lose each other. */
  extend(project: TrustedProject): void
  /** False if there was nothing to revoke. */
  revoke(root: string): boolean
}
