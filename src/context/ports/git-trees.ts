import type { StopSignal } from '../../kernel/domain/stop.ts'
import type { GitPlace } from '../domain/context-project/git-place.ts'

export interface TreeFile {
  /** With forward slashes; a plain path below the requested folder. */
  readonly path: string
  readonly bytes: Uint8Array
}

export interface GitTree {
  readonly commit: string
  readonly files: readonly TreeFile[]
  /** Links, submodules and files with secrets, each with the reason why it was skipped. */
  readonly left: readonly { readonly path: string; readonly why: string }[]
}

/**
 * Files of untrusted repositories. Runs nothing from them, writes only to a temporary folder, and limits time, bytes
 * and files.
 */
export interface GitTrees {
  /**
   * Throws `forbidden` for an address that this server does not contact, and `unavailable` for a private IP address or
   * localhost that its operator did not name. Sends and resolves nothing.
   */
  assertAllowed(address: string): void
  /**
   * Tip of a branch; `same` if that is `known`. The credential is only sent to the host of the address, and never
   * appears in an error. Throws `forbidden`, `not_found` without the branch or folder, `invalid_input` for exceeded
   * bounds, with `details.commit`, and `details.path` if it concerns one file, and `unavailable`.
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
