/**
 * The record that a team shares, as a machine requests it. A revision identifies a whole state: it is the hash of the
 * journal line that builds on all others; null while the record is empty. A file's revision is the SHA-256 of its text.
 * Every back end passes test/contract/team-record.contract.ts.
 */
export interface TeamRecord {
  /**
   * Files that changed since a revision, or all, by path; one page at a time. An unknown revision throws `not_found`.
   */
  manifest(ask: PageAsk): Promise<ManifestPage>
  /** Texts by path and hash. Files whose hash has changed are left out. */
  texts(wanted: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, string>>
  /** Journal lines that a revision does not include, or all, oldest first; one page at a time, like the manifest. */
  lines(ask: PageAsk): Promise<LinesPage>
  /**
   * Atomic. A push that already landed, sent again because the answer was lost, returns `landed` again. If the team's
   * record has moved on, or a file differs from the push's base, nothing lands and `conflict` returns the current
   * state. Throws `invalid_input` if files and journal contradict each other.
   */
  push(push: TeamPush): Promise<PushAnswer>
}

export interface PageAsk {
  readonly since?: string | undefined
  /** The `next` of the previous page. */
  readonly from?: string | undefined
}

export interface ManifestPage {
  readonly revision: string | null
  /** The hash is null if the file was deleted. */
  readonly files: readonly { readonly path: string; readonly sha256: string | null }[]
  /** Undefined on the last page. */
  readonly next?: string | undefined
}

export interface LinesPage {
  readonly revision: string | null
  readonly lines: readonly string[]
  readonly next?: string | undefined
}

export interface TeamPush {
  /** The team's revision once the push has landed: the hash of the pusher's last journal line. */
  readonly id: string
  /** The revision it is based on. */
  readonly base: string | null
  readonly files: readonly PushedFile[]
  /** Every line that `base` does not include, oldest first. */
  readonly lines: readonly string[]
}

export interface PushedFile {
  readonly path: string
  /** The hash it is based on; null if the file did not exist. */
  readonly before: string | null
  /** Undefined if the file is deleted. */
  readonly text: string | undefined
}

export type PushAnswer =
  | { readonly status: 'landed'; readonly revision: string }
  | {
      readonly status: 'conflict'
      readonly revision: string | null
      /** The current hashes of the pushed files. */
      readonly files: readonly { readonly path: string; readonly sha256: string | null }[]
    }
