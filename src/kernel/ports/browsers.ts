/** A browser signed in to the app. */
export interface LetInBrowser {
  /** An id, not a credential. */
  readonly id: string
  /** Readable name, e.g. `Firefox 140 on Linux`; undefined if the browser is not recognised. */
  readonly name: string | undefined
  readonly enteredAt: Date
  readonly usedAt: Date
  /** Whether this is the caller's browser. */
  readonly isThis: boolean
}

/** Browsers that are signed in to the app of this home. */
export interface Browsers {
  /** Most recently used first. Undefined if no app runs and no browser is kept for the next one. */
  list(): Promise<readonly LetInBrowser[] | undefined>
  /** Signs browsers out and closes their subscriptions. Unknown ids are ignored. */
  end(ids: readonly string[]): Promise<void>
}
