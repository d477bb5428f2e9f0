/** One tool call as recorded in a session log. */
export interface ToolCall {
  readonly name: string
  /**
   * Null if the log has no outcome, e.g. after an interruption. A shell command with an exit code other than 0 failed,
   * whatever status the client recorded: `exitCodeOf` finds the code in the text of a result.
   */
  readonly ok: boolean | null
  /** The user refused the call, so it never ran; `ok` is false. */
  readonly refused?: true
  /** Summary of the call. Set it only with `callDetail(input)`, which bounds and redacts. */
  readonly detail?: string
}

export interface UserTurn {
  readonly role: 'user'
  readonly text: string
  readonly at: string
  /** Typed while the agent was still working. */
  readonly queued?: true
  readonly aborted?: true
  readonly images?: number
  readonly files?: readonly string[]
}

export interface AssistantTurn {
  readonly role: 'assistant'
  /** All text up to the next human text, joined by blank lines. */
  readonly text: string
  /** Time of the first text. */
  readonly at: string
  readonly tools: readonly ToolCall[]
  readonly aborted?: true
}

export type Turn = UserTurn | AssistantTurn

/** The client's summary in place of a conversation that had become too long. */
export interface CompactionSummary {
  readonly at: string
  readonly text: string
}

export type SessionKind = 'main' | 'fork' | 'subagent'

export type TitleSource =
  | 'custom-title'
  | 'ai-title'
  | 'summary'
  | 'agent-meta'
  | 'session_index'
  | 'session'
  | 'first-prompt'

/** One conversation of one agent, from the agent's log. (client, id) identifies it; all times are ISO 8601 in UTC. */
export interface HarvestedSession {
  readonly client: string
  readonly id: string
  readonly kind: SessionKind
  /** The session from which a fork was made, or the session that started a sub-agent. */
  readonly parentId: string | null
  /** Source files, relative to the client's root. */
  readonly files: readonly string[]
  /** The project's root as recorded, never guessed from a folder name. */
  readonly projectDir: string | null
  /** sha256 of the project's root, if the client recorded only that. */
  readonly projectHash: string | null
  /** The directory the agent ran in. */
  readonly directory: string | null
  readonly repo: string | null
  readonly gitBranch: string | null
  readonly clientVersion: string | null
  readonly title: string | null
  readonly titleFrom: TitleSource | null
  readonly startedAt: string
  readonly endedAt: string
  readonly archived: boolean
  readonly turns: readonly Turn[]
  /** Turns the user rewound, rolled back or reverted. */
  readonly abandonedTurns: readonly Turn[]
  readonly compactionSummaries: readonly CompactionSummary[]
  /** Unreadable lines in the middle of the log. */
  readonly badLines: number
  /** True if the log ends in an incomplete line. */
  readonly partialTail: boolean
}

/** Any time a client writes (ISO text or milliseconds) as ISO 8601 in UTC; undefined when it is not a time. */
export function isoTime(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  if (value === '') return undefined
  const date = new Date(value)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
