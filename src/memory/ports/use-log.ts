/**
 * Which sessions were read or returned in an answer, and when. Disposable: a loss may only cause the wrong session to
 * be evicted.
 */
export interface UseLog {
  /** Records that sessions were used now, by the id in their file names; the caller does not wait for a write. */
  note(fileIds: Iterable<string>): void
  /** Last use of each session in Unix milliseconds, including uses this process has not written yet. */
  lastUsed(): Promise<ReadonlyMap<string, number>>
  /** Removes all other sessions, so that the log stays small. */
  keepOnly(fileIds: ReadonlySet<string>): Promise<void>
  /** Writes the uses not yet written. */
  close(): void
}
