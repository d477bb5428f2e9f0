import type { Usage } from '../../kernel/domain/model-usage.ts'
import type { StopSignal } from '../../kernel/domain/stop.ts'

export interface ClientRequest {
  /** What it must know before it answers. */
  readonly system: string
  readonly prompt: string
  /**
   * The command that starts Ken's MCP server for this chat, and what its environment has besides Ken's own. The client
   * itself sees none of that environment.
   */
  readonly server: { readonly command: readonly string[]; readonly environment: Readonly<Record<string, string>> }
  /** The names of the tools of that server that it may use; it gets no tool of its own that writes or runs anything. */
  readonly tools: readonly string[]
  /** Goes on with a session of the client's. */
  readonly session?: string
  /** Times that its model may be asked. */
  readonly maxSteps: number
  /** Taken in and given out, and in US dollars: as far as the client tells them while it runs. */
  readonly maxTokens?: number
  readonly maxCost?: number
  readonly signal: StopSignal
}

export type ClientEvent =
  | { readonly type: 'session'; readonly session: string; readonly model?: string }
  /** What it says, as it says it. */
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** The name is Ken's own, without what the client puts before it. */
  | { readonly type: 'call'; readonly id: string; readonly name: string; readonly input: unknown }
  | { readonly type: 'result'; readonly id: string; readonly text: string; readonly failed: boolean }
  /** `length`: its model said as much as it may. `reached`: it was ended there by a limit of the request. */
  | {
      readonly type: 'end'
      readonly reason: 'stop' | 'length'
      readonly reached?: 'steps' | 'tokens' | 'cost'
      readonly usage: Usage
    }

/**
 * A coding agent that is installed on this machine, run without its screen: it has a model of its own where Ken has
 * none. It runs in a folder of Ken's own, never in that of a project, whose files could tell it what to do. Every client
 * passes test/contract/agent-client.contract.ts.
 */
export interface AgentClient {
  /** As the setting names it, e.g. `agent:claude-code`. */
  readonly id: string
  /** Why it cannot be asked here, e.g. not installed, with what to do; undefined where it can. Asks no network. */
  problem(): Promise<string | undefined>
  /**
   * The last event is `end`. Takes secrets out of the prompt before the client gets it. Throws `unavailable` with one
   * line when the client fails, falls silent or is not there; `not_found` when the session to go on with is gone; and
   * `stopped` by the signal. In every case the client and all that it started are gone by then.
   */
  ask(request: ClientRequest): AsyncIterable<ClientEvent>
}
