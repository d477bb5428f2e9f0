/** One part of the change a call from a page would make, shown before a person confirms it. */
export interface PageChange {
  /** Name of a setting, a file, a source, or an input field. */
  readonly what: string
  /** Current value; undefined if there is none. */
  readonly before?: string | undefined
  /** New value; undefined if it is removed. */
  readonly after?: string | undefined
  /** For a file, in place of `before` and `after`: the change as `diff -u` prints it. */
  readonly diff?: string | undefined
}

/** Call from a page that runs once its code is typed on that page. */
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
