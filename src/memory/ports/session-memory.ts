/** What was put into one conversation of an agent, so that it is not repeated. */
export interface SessionTrace {
  /** Keys of the decisions shown, oldest first. */
  readonly shown: readonly string[]
  /** When the opening page was last given, as an ISO time. */
  readonly openedAt: string | undefined
  /** The hook's client, and the occasion. */
  readonly opening?: { readonly client: string; readonly source: string } | undefined
  /** Set after a compaction: the page is given with the next prompt. */
  readonly isPageDue?: boolean
}

/** Short-lived and disposable: losing it costs a repetition. Sessions not touched for seven days are forgotten. */
export interface SessionMemory {
  recall(session: string): Promise<SessionTrace>
  remember(session: string, trace: SessionTrace): Promise<void>
}
