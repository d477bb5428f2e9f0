import type { Usage } from '../../kernel/domain/model-usage.ts'
import type { StopSignal } from '../../kernel/domain/stop.ts'

export interface ClientRequest {
  readonly system: string
  readonly prompt: string
  /**
   * The command that starts Ken's MCP server for this chat, and its environment besides Ken's own. The client itself
   * sees none of that environment.
   */
  readonly server: { readonly command: readonly string[]; readonly environment: Readonly<Record<string, string>> }
  /** Names of that server's tools that the client may use; it gets no built-in tool that writes or runs anything. */
  readonly tools: readonly string[]
  /** Client session to resume. */
  readonly session?: string
  /** Maximum number of model requests. */
  readonly maxSteps: number
  /** Limits on tokens (input and output) and US dollars, as far as the client reports them while it runs. */
  readonly maxTokens?: number
  readonly maxCost?: number
  readonly signal: StopSignal
}

export type ClientEvent =
  | { readonly type: 'session'; readonly session: string; readonly model?: string }
  /** Output of the client, streamed. */
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** Ken's own tool name, without the client's prefix. */
  | { readonly type: 'call'; readonly id: string; readonly name: string; readonly input: unknown }
  | { readonly type: 'result'; readonly id: string; readonly text: string; readonly failed: boolean }
  /** `length`: the model reached its output limit. `reached`: the limit of the request that ended the run. */
  | {
      readonly type: 'end'
      readonly reason: 'stop' | 'length'
      readonly reached?: 'steps' | 'tokens' | 'cost'
      readonly usage: Usage
    }

/**
 * A coding agent installed on this machine, run headless: it brings its own model if Ken has none. It runs in one of
 * Ken's folders, never in a project's, whose files could instruct it. Every client passes
 * test/contract/agent-client.contract.ts.
 */
export interface AgentClient {
  /** Name in settings, e.g. `agent:claude-code`. */
  readonly id: string
  /**
   * Returns why the client is unavailable here (e.g. not installed) and the next step; undefined if available. Does not
   * use the network.
   */
  problem(): Promise<string | undefined>
  /**
   * Yields the events of one run; the last is `end`. Redacts secrets from the prompt before the client gets it. Throws
   * `unavailable` with one line if the client fails, stops responding or is missing; `not_found` if the session to
   * resume is gone; and `stopped` by the signal. In every case the client and all its child processes have ended by
   * then.
   */
  ask(request: ClientRequest): AsyncIterable<ClientEvent>
}
