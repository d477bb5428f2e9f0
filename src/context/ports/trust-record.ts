import type { Granted } from '../domain/context-project/trust.ts'

export interface TrustedProject {
  /** Links followed. */
  readonly root: string
  /** When the user said so. */
  readonly at: string
  readonly granted: Granted
}

/**
 * Which context projects the user trusts, and with what. It lies in the user's home: nothing that comes with a clone
 * can change it.
 */
export interface TrustRecord {
  list(): readonly TrustedProject[]
  /** By the real path of the project; undefined when it was never trusted. */
  find(root: string): TrustedProject | undefined
  /** Takes the place of what was granted before. */
  grant(project: TrustedProject): void
  /** Adds to what was granted before, so that two who add at once lose nothing of each other. */
  extend(project: TrustedProject): void
  /** False when there was nothing to take back. */
  revoke(root: string): boolean
}
