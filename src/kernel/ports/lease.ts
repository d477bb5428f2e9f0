/**
 * The right to bring something up to date, held by one process at a time. The system releases it when its process dies.
 */
export interface Lease {
  /** Returns the release function; undefined while another process holds the lease. */
  tryTake(): (() => void) | undefined
  close(): void
}
