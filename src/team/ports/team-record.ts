/**
 * The record that a team shares, as a machine asks for it. A revision names a whole state: it is the hash of the one
 * journal line that all others are held by; null while nothing is there. A file's revision is the SHA-256 of its text.
 * Every back end passes test/contract/team-record.contract.ts.
 */
export interface TeamRecord {
  /**
   * Files that changed since a revision, or all, by path; a page at a time. A revision that is not known throws
   * `not_found`.
   */
  manifest(ask: PageAsk): Promise<ManifestPage>
  /** Texts by path and hash. What no longer says that is left out. */
  texts(wanted: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, string>>
  /** Journal lines that a revision does not stand on, or all, oldest first; a page at a time, as the manifest. */
  lines(ask: PageAsk): Promise<LinesPage>
  /**
   * Lands all of it or nothing. What came already, because the answer was lost, is answered as `landed` again. Where
   * the team has gone on, or a file is not what the push was made on, nothing lands and `conflict` tells what is there
   * now. Files and journal that contradict each other throw `invalid_input`.
   */
  push(push: TeamPush): Promise<PushAnswer>
}

export interface PageAsk {
  readonly since?: string | undefined
  /** The `next` of the page before. */
  readonly from?: string | undefined
}

export interface ManifestPage {
  readonly revision: string | null
  /** The hash is null where the file is gone. */
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
  /** The revision that the team has once it has landed: the hash of the pusher's last journal line. */
  readonly id: string
  /** The revision it was made on. */
  readonly base: string | null
  readonly files: readonly PushedFile[]
  /** Every line that `base` does not stand on, oldest first. */
  readonly lines: readonly string[]
}

export interface PushedFile {
  readonly path: string
  /** The hash it was made on; null where there was none. */
  readonly before: string | null
  /** Undefined when the file goes. */
  readonly text: string | undefined
}

export type PushAnswer =
  | { readonly status: 'landed'; readonly revision: string }
  | {
      readonly status: 'conflict'
      readonly revision: string | null
      /** What the files of the push say by now. */
      readonly files: readonly { readonly path: string; readonly sha256: string | null }[]
    }
