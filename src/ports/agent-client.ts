import type { Usage } from '../core/chat/chat.ts'
import type { StopSignal } from '../core/sql/query.ts'

export interface ClientRequest {
  /** What it must know before it answers; the client's own instructions stay. */
  readonly system: string
  readonly prompt: string
  /** Where it runs. */
  readonly folder: string
  /** The command that starts Ken's MCP server for this chat, and what its environment needs. */
  readonly server: { readonly command: readonly string[]; readonly environment: Readonly<Record<string, string>> }
  /** The names of the tools of that server that it may use; it gets no tool of its own that writes or runs anything. */
  readonly tools: readonly string[]
  /** Goes on with a session of the client's. */
  readonly session?: string
  readonly maxSteps: number
  readonly signal: StopSignal
}

export type ClientEvent =
  | { readonly type: 'session'; readonly session: string; readonly model?: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** The name is Ken's own, without what the client puts before it. */
  | { readonly type: 'call'; readonly id: string; readonly name: string; readonly input: unknown }
  | { readonly type: 'result'; readonly id: string; readonly text: string; readonly failed: boolean }
  | { readonly type: 'end'; readonly reason: 'stop' | 'length'; readonly usage: Usage }

/**
 * A coding agent that is installed on this machine, run without its screen: it has a model of its own where Ken has
 * none. Every client passes test/contract/agent-client.contract.ts.
 */
export interface AgentClient {
  /** `agent:claude-code`. */
  readonly id: string
  /** Why it cannot be asked here, e.g. not installed, with what to do; undefined where it can. */
  problem(): Promise<string | undefined>
  /**
   * The last event is `end`. Throws `unavailable` with one line when the client fails or is not there, and `stopped`
   * once the client and all that it started are gone.
   */
  ask(request: ClientRequest): AsyncIterable<ClientEvent>
}
