import type { AgentClientName } from '../../src/kernel/domain/agent-client-name.ts'

/** Behaviour of a client stand-in. */
export interface Plan {
  readonly client: AgentClientName
  /** File in which the client records how it was started. */
  readonly seen: string
  /** Its output, piece by piece. */
  readonly prints: readonly string[]
  readonly complains?: string
  readonly code?: number
  /** How the run ends if not by a normal exit: hangs, kills itself, or prints endlessly. */
  readonly ends?: 'hang' | 'killed' | 'flood'
  /** Whether it skips starting Ken's server. */
  readonly withoutServer?: boolean
  /** Commands that it answers immediately. */
  readonly short?: Readonly<Record<string, { readonly prints: string; readonly code: number }>>
}

export interface Seen {
  readonly words: readonly string[]
  readonly input: string
  readonly environment: Readonly<Record<string, string>>
  readonly folder: string
  /** The files passed to it, by name. */
  readonly files: Readonly<Record<string, string>>
  /** Its process and the processes it started. */
  readonly pids: number[]
}
