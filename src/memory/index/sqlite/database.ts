import type { Statements } from '../../../kernel/system/sqlite-statements.ts'
import type { Head } from './head.ts'

/** The index file. Everything is synchronous, so no other caller in this process can interleave. */
export interface IndexDatabase extends Pick<Statements, 'rows' | 'run'> {
  /** Must be called within `look` or `change`, which detect damage in rows that are only read later. */
  readonly each: Statements['each']
  readonly path: string
  /** Changes when the file is opened again: earlier reads are then invalid. */
  readonly incarnation: number
  head(): Head
  /** Runs all of `work` or nothing, with the write lock. Its changes to the head are saved. */
  change<T>(work: (head: Head) => T): T
  /** Runs `work` on a consistent snapshot. */
  look<T>(work: () => T): T
  /**
   * Replaces a damaged index with an empty one, unless another process already did. The new index is unfinished until
   * its head is marked finished.
   */
  renew(): void
  close(): void
}
