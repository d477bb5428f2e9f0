import type { Statements } from '../../../kernel/system/sqlite-statements.ts'
import type { Head } from './head.ts'

/** The index file. Everything is synchronous, so no other caller of this process gets in between. */
export interface IndexDatabase extends Pick<Statements, 'rows' | 'run'> {
  readonly path: string
  /** Another number once the file was opened again: what was read before is void. */
  readonly incarnation: number
  head(): Head
  /** All of `work` or nothing, with the only right to write. What it does to the head is kept. */
  change<T>(work: (head: Head) => T): T
  /** Everything read inside is of one moment. */
  look<T>(work: () => T): T
  /**
   * Puts an empty index in the place of a damaged one, unless another process has; it is unfinished until its head says
   * otherwise.
   */
  renew(): void
  close(): void
}
