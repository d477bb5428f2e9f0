/** A message of a conversation, without secrets. */
export interface TracedMessage {
  readonly role: 'user' | 'assistant'
  readonly text: string
  /** ISO time. */
  readonly at: string
}

/** Content that was added to an agent conversation, remembered so that it is not repeated. */
export interface SessionTrace {
  /** Keys of the decisions shown, oldest first. */
  readonly shown: readonly string[]
  /** When the opening page was last added, as an ISO time. */
  readonly openedAt: string | undefined
  /** The client that ran the hook, and the event that triggered it. */
  readonly opening?: { readonly client: string; readonly source: string } | undefined
  /** Set after a compaction: the page is added to the next prompt. */
  readonly isPageDue?: boolean
  /** The last messages, until the agent has been asked about an unrecorded decision. */
  readonly messages?: readonly TracedMessage[]
  /** Whether the agent was asked: it is asked at most once. */
  readonly isAsked?: boolean
}

/** Short-lived and disposable: losing it costs a repetition. Sessions not touched for seven days are forgotten. */
export interface SessionMemory {
  recall(session: string): Promise<SessionTrace>
  remember(session: string, trace: SessionTrace): Promise<void>
}
