import type { StopSignal } from '../../kernel/domain/stop.ts'
import type { GitPlace } from '../domain/context-project/git-place.ts'

export interface TreeFile {
  /** With forward slashes; a plain path below the folder that was asked for. */
  readonly path: string
  readonly bytes: Uint8Array
}

export interface GitTree {
  readonly commit: string
  readonly files: readonly TreeFile[]
  /** Links, submodules and files with secrets, each with the reason why it was not taken. */
  readonly left: readonly { readonly path: string; readonly why: string }[]
}

/**
 * Files of repositories that may be anybody's. Nothing of one is run, nothing of it is written but below a folder that
 * is gone afterwards, and what it may take of time, bytes and files is bounded.
 */
export interface GitTrees {
  /** Throws `forbidden` for an address that this server asks nobody at. Nothing is sent. */
  assertAllowed(address: string): void
  /**
   * The tip of a branch; `same` where that is `known`. The credential is shown to the host of the address alone, and
   * never stands in an error. Throws `forbidden`, `not_found` without the branch or folder, `invalid_input` for what is
   * out of bounds, with `details.commit`, and `details.path` where one file is meant, and `unavailable`.
   */
  fetch(
    place: GitPlace,
    how: {
      readonly credential?: string | undefined
      readonly known?: string | undefined
      readonly signal?: StopSignal | undefined
    },
  ): Promise<GitTree | 'same'>
}
