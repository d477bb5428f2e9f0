/** What was put into one conversation of an agent, so that it is not told twice. */
export interface SessionTrace {
  /** Keys of the decisions shown, oldest first. */
  readonly shown: readonly string[]
  /** When the opening page was last given, as an ISO time. */
  readonly openedAt: string | undefined
  /** Whose hook gave it, and on which occasion. */
  readonly opening?: { readonly client: string; readonly source: string } | undefined
  /** The conversation was cut down since: the page is given with the next prompt. */
  readonly isPageDue?: boolean
}

/** Short-lived and disposable: losing it costs a repetition. Sessions not touched for seven days are forgotten. */
export interface SessionMemory {
  recall(session: string): Promise<SessionTrace>
  remember(session: string, trace: SessionTrace): Promise<void>
}
