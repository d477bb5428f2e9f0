/**
 * Which sessions were read or returned in an answer, and when. Disposable: losing some of it costs an eviction that
 * falls on the wrong one.
 */
export interface UseLog {
  /** Says that sessions were of use now, by the id in the names of their files; costs the caller no write. */
  note(fileIds: Iterable<string>): void
  /** Milliseconds of the last use of each; what this process has not written yet is among them. */
  lastUsed(): Promise<ReadonlyMap<string, number>>
  /** Forgets all but these, so that the log stays small. */
  keepOnly(fileIds: ReadonlySet<string>): Promise<void>
  /** Writes down what was said since. */
  close(): void
}
