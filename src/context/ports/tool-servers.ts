import type { StopSignal } from '../../kernel/domain/stop.ts'
import type { ServerAnswer } from '../domain/tool-server/server-answer.ts'
import type { ServerPlace } from '../domain/tool-server/server-config.ts'
import type { ServerTool } from '../domain/tool-server/server-tool.ts'

/** Server that a context project configures. */
export interface ToolServer {
  readonly name: string
  /** Program or address, without secrets. */
  readonly where: string
  /** `untrusted`: it reaches resources that the user did not allow; `faulty`: its configuration is invalid. */
  readonly state: 'allowed' | 'untrusted' | 'faulty' | 'off'
  readonly problem?: string
  readonly hint?: string
}

/** Tools that the usable servers offer now. */
export interface OfferedTools {
  readonly tools: readonly ServerTool[]
  /** Servers that offer nothing, or less than they list, each with the reason. */
  readonly problems: readonly { readonly server: string; readonly problem: string; readonly hint?: string }[]
}

/**
 * Third-party tools, from the servers that a context project configures. None of their output is trusted. Each server
 * is started, or connected to, when its tools are first requested, only while the user trusts exactly its reach, and
 * restarted if it has ended.
 */
export interface ToolServers {
  /** All configured servers. Starts nothing. */
  servers(): readonly ToolServer[]
  /** Limited to `server` if given. A failing server does not affect the others. */
  tools(signal: StopSignal, server?: string): Promise<OfferedTools>
  /**
   * Throws `forbidden` without trust, `conflict` if the tool changed since it was offered, `unavailable` for a server
   * that ends, hangs or returns too much, and `stopped` if the signal stops it.
   */
  call(tool: ServerTool, input: unknown, signal: StopSignal): Promise<ServerAnswer>
  /** Ends every server with its child processes. */
  close(): Promise<void>
}

/** Parameters for opening one server. */
export interface ServerOpening extends Pick<ToolServer, 'name' | 'where'> {
  /** Disabled in the file. */
  readonly off: boolean
  /**
   * Its place with references resolved. Throws `forbidden` without trust, `invalid_input` for an invalid configuration.
   * Trust and files are checked again each time.
   */
  admit(): ServerPlace
}
