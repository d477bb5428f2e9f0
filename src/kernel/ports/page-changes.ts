/** One part of the change a call from a page would make, shown before a person confirms it. */
export interface PageChange {
  /** A setting, a file, a source, a field of the input. */
  readonly what: string
  /** The value now; undefined if there is none. */
  readonly before?: string | undefined
  /** The value afterwards; undefined if it is removed. */
  readonly after?: string | undefined
  /** In place of both, for a file: as `diff -u` prints it. */
  readonly diff?: string | undefined
}

/** A call from a page that runs when its code is typed there. */
export interface WaitingChange {
  readonly id: string
  /** The operation's title. */
  readonly title: string
  readonly operation: string
  /** The folder the call is about. */
  readonly folder: string
  readonly changes: readonly PageChange[]
  readonly code: string
  readonly expiresAt: Date
}

/** The calls from pages of the running app that wait for their code. */
export interface WaitingChanges {
  /** Oldest first. Undefined if no app runs. */
  list(): Promise<readonly WaitingChange[] | undefined>
}
