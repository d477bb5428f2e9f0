/**
 * The team's record as of the last sync: the common base when both sides have diverged. Kept with the crash state of a
 * record, never in it. Every change is atomic: after a crash it has happened or not.
 */
export interface TeamCopy {
  /** Undefined before the first sync. */
  state(): Promise<CopyState | undefined>
  /** File texts at that state, by path; unknown paths are left out. */
  texts(paths?: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Stores the next state before it is merged into the local record; replaces an earlier expectation. */
  expect(next: CopyChange): Promise<void>
  /** The last expected revision; undefined when there is none. */
  expected(): Promise<string | undefined>
  /** Makes the expected state the agreed one, once the record contains it. */
  agree(): Promise<void>
  /** Outcome of the last sync; undefined before the first. */
  outcome(): Promise<SyncOutcome | undefined>
  note(outcome: SyncOutcome): Promise<void>
  close(): Promise<void>
}

export interface CopyState {
  readonly revision: string
}

export interface CopyChange {
  readonly revision: string
  /** New texts; undefined if the file was deleted. */
  readonly texts: ReadonlyMap<string, string | undefined>
}

export interface SyncOutcome {
  readonly at: string
  /** Time of the last successful sync; undefined if none succeeded. */
  readonly doneAt: string | undefined
  /** Why the last sync failed, on one line. */
  readonly failure: string | undefined
}
