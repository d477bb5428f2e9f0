/** A browser that the app let in. */
export interface LetInBrowser {
  /** Names it and lets nobody in. */
  readonly id: string
  /** `Firefox 140 on Linux`; undefined where it is none that is known. */
  readonly name: string | undefined
  readonly enteredAt: Date
  readonly usedAt: Date
  /** The one that asks. */
  readonly isThis: boolean
}

/** Who may use the pages of the app that runs; only that process knows. */
export interface Browsers {
  /** The one that was used last first. Undefined where no app runs. */
  list(): Promise<readonly LetInBrowser[] | undefined>
  /** From now on they are refused, and what they listen to is cut off. An id that is not known is passed over. */
  end(ids: readonly string[]): Promise<void>
}
