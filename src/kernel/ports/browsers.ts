/** A browser signed in to the app. */
export interface LetInBrowser {
  /** An id, not a credential. */
  readonly id: string
  /** `Firefox 140 on Linux`; undefined if it is not recognised. */
  readonly name: string | undefined
  readonly enteredAt: Date
  readonly usedAt: Date
  /** True for the caller. */
  readonly isThis: boolean
}

/** Browsers with access to the running app; known only to that process. */
export interface Browsers {
  /** Most recently used first. Undefined if no app runs. */
  list(): Promise<readonly LetInBrowser[] | undefined>
  /** Signs them out and closes their subscriptions. Unknown ids are ignored. */
  end(ids: readonly string[]): Promise<void>
}
