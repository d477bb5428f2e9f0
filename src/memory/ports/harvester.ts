import type { HarvestedSession } from '../domain/session/session.ts'

/**
 * `empty`: no text that is not reported elsewhere. `damaged`: cannot be parsed as it is now. `unreadable`: the system
 * or the client blocks access. `unsupported`: a format Ken does not know yet.
 */
export type SkipReason = 'empty' | 'damaged' | 'unreadable' | 'unsupported'

export type HarvestEvent =
  /** A whole session, to replace any earlier copy of the same (client, id). */
  | { readonly kind: 'session'; readonly session: HarvestedSession }
  /**
   * An item that was skipped on purpose or could not be read; reported, never guessed. `path` is relative to the root.
   * An `empty` one names its session, since an earlier copy of it is no longer valid.
   */
  | {
      readonly kind: 'skipped'
      readonly path: string
      readonly why: SkipReason
      readonly reason: string
      readonly session?: string
    }
  /** Position to resume from. The last event, exactly once. */
  | { readonly kind: 'cursor'; readonly cursor: string }

/**
 * Reads the sessions that one coding agent keeps on disk. Every adapter passes test/contract/harvester.contract.ts.
 * Originals are opened read-only and never changed or locked. The same cursor returns the same events; reading again
 * from the last cursor yields only the cursor unless something was written since. An incomplete last line is not read
 * until it is complete.
 */
export interface Harvester {
  /** The client's name in paths and frontmatter, e.g. `claude-code`. */
  readonly client: string
  /**
   * Existing folders under `home` that this client may use. A client that keeps its logs in the repository it works in
   * uses only those of `repositories`, which the person registered: any other folder may have come with a clone.
   */
  roots(home: string, repositories?: readonly string[]): Promise<readonly string[]>
  /**
   * Everything that changed below `root` since `cursor`; reads everything if the cursor is undefined, has another
   * version or was marked by `rereadCursor`.
   */
  read(root: string, cursor: string | undefined): AsyncIterable<HarvestEvent>
}
