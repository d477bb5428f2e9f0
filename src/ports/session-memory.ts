/** What was put into one conversation of an agent, so that it is not told twice. */
export interface SessionTrace {
  /** Keys of the decisions shown, oldest first. */
  readonly shown: readonly string[]
  /** When the opening page was last given, as an ISO time. */
  readonly openedAt: string | undefined
}

/** Short-lived and disposable: losing it costs a repetition. Sessions not touched for seven days are forgotten. */
export interface SessionMemory {
  recall(session: string): Promise<SessionTrace>
  remember(session: string, trace: SessionTrace): Promise<void>
}
