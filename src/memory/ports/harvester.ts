import type { HarvestedSession } from '../domain/session/session.ts'

/**
 * `empty`: nothing was said in it that is not told elsewhere. `damaged`: cannot be understood as it is now.
 * `unreadable`: the system or the client keeps us from it. `unsupported`: written in a way Ken does not know yet.
 */
export type SkipReason = 'empty' | 'damaged' | 'unreadable' | 'unsupported'

export type HarvestEvent =
  /** A whole session, to replace any earlier copy of the same (client, id). */
  | { readonly kind: 'session'; readonly session: HarvestedSession }
  /**
   * Something that was skipped on purpose or could not be read; reported, never guessed. `path` is relative to the
   * root. An empty one names its session, since an earlier copy of it no longer holds.
   */
  | {
      readonly kind: 'skipped'
      readonly path: string
      readonly why: SkipReason
      readonly reason: string
      readonly session?: string
    }
  /** Where to go on next time. Comes last, exactly once. */
  | { readonly kind: 'cursor'; readonly cursor: string }

/**
 * Reads the sessions one coding agent keeps on disk. Every adapter passes test/contract/harvester.contract.ts.
 * Originals are opened read-only and never changed or locked. The same cursor gives the same events; reading again from
 * the last cursor yields only the cursor unless something was written since. A half-written last line waits for its
 * end.
 */
export interface Harvester {
  /** The client's name in paths and frontmatter, e.g. `claude-code`. */
  readonly client: string
  /**
   * The folders under `home` that this client may use and that exist now. A client that keeps its logs in the
   * repository it works in has no others than those of `repositories`, which the person registered: what lies in any
   * other folder may have come with a clone.
   */
  roots(home: string, repositories?: readonly string[]): Promise<readonly string[]>
  /**
   * Everything that changed below `root` since `cursor`; undefined, a cursor of another version or one that
   * `rereadCursor` marked reads all.
   */
  read(root: string, cursor: string | undefined): AsyncIterable<HarvestEvent>
}
