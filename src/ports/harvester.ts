import type { HarvestedSession } from '../core/session/session.ts'

export type HarvestEvent =
  /** A whole session, to replace any earlier copy of the same (client, id). */
  | { readonly kind: 'session'; readonly session: HarvestedSession }
  /** Something that was skipped on purpose or could not be read; reported, never guessed. */
  | { readonly kind: 'skipped'; readonly path: string; readonly reason: string }
  /** Where to go on next time. Comes last, exactly once. */
  | { readonly kind: 'cursor'; readonly cursor: string }

/**
 * Reads the sessions one coding agent keeps on disk. Every adapter passes test/contract/harvester.contract.ts.
 * Originals are opened read-only and never changed or locked. The same cursor gives the same events; reading again from
 * the last cursor yields no session unless something was written since. A half-written last line waits for its end.
 */
export interface Harvester {
  /** The client's name in paths and frontmatter: `claude-code`, `codex`, `opencode`, `gemini`. */
  readonly client: string
  /** The folders under `home` that this client may use and that exist now. */
  roots(home: string): Promise<readonly string[]>
  /** Everything that changed below `root` since `cursor`; undefined reads all. */
  read(root: string, cursor: string | undefined): AsyncIterable<HarvestEvent>
}
