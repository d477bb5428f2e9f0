/**
 * The team's record as this machine last agreed with it: what both are compared with when they have gone apart. Kept
 * with the crash state of a record, never in it. Every change is one step: after a crash it has happened or not.
 */
export interface TeamCopy {
  /** Undefined before the first sync. */
  state(): Promise<CopyState | undefined>
  /** What files said then, by path; what is not known is left out. */
  texts(paths?: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Remembers what comes next, before it is joined with the record here; one that was expected before is dropped. */
  expect(next: CopyChange): Promise<void>
  /** The revision that was expected last; undefined when there is none. */
  expected(): Promise<string | undefined>
  /** The record holds what was expected: from now on that is what both agree on. */
  agree(): Promise<void>
  /** How the last sync went; undefined before the first. */
  outcome(): Promise<SyncOutcome | undefined>
  note(outcome: SyncOutcome): Promise<void>
  close(): Promise<void>
}

export interface CopyState {
  readonly revision: string
}

export interface CopyChange {
  readonly revision: string
  /** Texts that are new; undefined where the file is gone. */
  readonly texts: ReadonlyMap<string, string | undefined>
}

export interface SyncOutcome {
  readonly at: string
  /** When one last went well; undefined where none did. */
  readonly doneAt: string | undefined
  /** Why it did not go well, on one line. */
  readonly failure: string | undefined
}
