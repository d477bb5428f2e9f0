import type { StopSignal } from '../../kernel/domain/stop.ts'
import type { ServerAnswer } from '../domain/tool-server/server-answer.ts'
import type { ServerPlace } from '../domain/tool-server/server-config.ts'
import type { ServerTool } from '../domain/tool-server/server-tool.ts'

/** A server that a context project names. */
export interface ToolServer {
  readonly name: string
  /** The program or the address, without secrets. */
  readonly where: string
  /** `untrusted`: it reaches what the user did not allow; `faulty`: it cannot be used as it is written. */
  readonly state: 'allowed' | 'untrusted' | 'faulty' | 'off'
  readonly problem?: string
  readonly hint?: string
}

/** What the servers that may be used offer now. */
export interface OfferedTools {
  readonly tools: readonly ServerTool[]
  /** Servers that offer nothing, or less than they list, each with the reason. */
  readonly problems: readonly { readonly server: string; readonly problem: string; readonly hint?: string }[]
}

/**
 * Tools of others, from the servers that a context project names. Nothing of them is believed. Each server is started,
 * or connected to, when its tools are first asked for, only while the user trusts exactly what it reaches, and again
 * where it has ended since.
 */
export interface ToolServers {
  /** Starts nothing. */
  servers(): readonly ToolServer[]
  /** Of one server where it is named. One that fails does not keep the others from answering. */
  tools(signal: StopSignal, server?: string): Promise<OfferedTools>
  /**
   * Throws `forbidden` without trust, `conflict` when the tool is no longer what it was when it was offered, and
   * `unavailable` for a server that ends, hangs or answers too much; throws `stopped` when the signal stops it.
   */
  call(tool: ServerTool, input: unknown, signal: StopSignal): Promise<ServerAnswer>
  /** Ends every server with all that it started. */
  close(): Promise<void>
}

/** What is needed to open one server. */
export interface ServerOpening extends Pick<ToolServer, 'name' | 'where'> {
  /** Switched off in the file. */
  readonly off: boolean
  /**
   * Where it is, references filled. Throws `forbidden` without trust, `invalid_input` for what cannot be used as it is
   * written. Trust and files are looked at anew each time.
   */
  admit(): ServerPlace
}
