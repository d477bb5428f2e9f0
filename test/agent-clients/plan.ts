import type { AgentClientName } from '../../src/kernel/domain/agent-client-name.ts'

/** What a stand-in for a client does. */
export interface Plan {
  readonly client: AgentClientName
  /** Where it writes down how it was started. */
  readonly seen: string
  /** What it prints, piece by piece. */
  readonly prints: readonly string[]
  readonly complains?: string
  readonly code?: number
  /** Otherwise it ends by itself: it stays, kills itself, or prints without an end. */
  readonly ends?: 'hang' | 'killed' | 'flood'
  /** It does not start Ken's server. */
  readonly withoutServer?: boolean
  /** Commands that it answers at once. */
  readonly short?: Readonly<Record<string, { readonly prints: string; readonly code: number }>>
}

export interface Seen {
  readonly words: readonly string[]
  readonly input: string
  readonly environment: Readonly<Record<string, string>>
  readonly folder: string
  /** The files it was told of, by name. */
  readonly files: Readonly<Record<string, string>>
  /** Itself and what it started. */
  readonly pids: number[]
}
