import type { Client } from '@modelcontextprotocol/client'
import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { stopped } from '../../kernel/domain/stop.ts'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import { guardedFetch, showsPrivate } from '../../kernel/system/guarded-fetch.ts'
import { networkCause } from '../../kernel/system/network-cause.ts'
import type { ServerPlace } from '../domain/tool-server/server-config.ts'
import { openCommandTransport, type CommandTransport } from './command-transport.ts'

/** Limits of a server in milliseconds and bytes. */
export interface Patience {
  /** Time until the server is ready: `npx` may have to download the package first. */
  readonly start: number
  readonly list: number
  readonly call: number
  /** Bytes of one answer. */
  readonly answer: number
}

export const PATIENCE: Patience = { start: 30_000, list: 15_000, call: 60_000, answer: 4 * 1024 * 1024 }

export interface Connection {
  /** False once it has ended, for any reason. */
  isOpen(): boolean
  /** Every tool as the server lists it, unchecked. */
  list(signal: AbortSignal): Promise<readonly unknown[]>
  /** Result as received, unchecked. */
  call(tool: string, input: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown>
  close(): Promise<void>
}

export interface ConnectParts {
  readonly name: string
  readonly place: ServerPlace
  readonly folder: string
  /** Part of the user's environment that every program gets. */
  readonly environment: Readonly<Record<string, string>>
  readonly patience: Patience
}

// Lists are paged; an endless one is not followed.
const MOST_PAGES = 20

/** Offers a server nothing: no files, no model, no prompts to the user. */
export async function connect(parts: ConnectParts): Promise<Connection> {
  const { name, patience } = parts
  const { Client } = await import('@modelcontextprotocol/client')
  const client = new Client({ name: 'ken', version: '1' }, { capabilities: {} })
  const transport = await transportOf(parts)
  let isOpen = true
  Object.assign(client, { onclose: () => (isOpen = false) })
  const fail = (error: unknown, what: string, signal?: AbortSignal): AppError => {
    if (signal?.aborted === true) return stopped()
    const ended = 'ended' in transport && !isTimeout(error) ? transport.ended : undefined
    return failure(name, what, ended ?? whyOf(error))
  }
  try {
    await client.connect(transport, { timeout: patience.start, maxTotalTimeout: patience.start })
  } catch (error) {
    await transport.close().catch(() => {})
    throw fail(error, 'cannot be used')
  }
  // A timed-out request is only cancelled by a message, which a hanging server never reads.
  const ask = async <T>(work: () => Promise<T>, what: string, signal: AbortSignal): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      const told = fail(error, what, signal)
      if (isTimeout(error)) await client.close().catch(() => {})
      throw told
    }
  }
  return {
    isOpen: () => isOpen,
    list: (signal) => ask(() => listAll(client, patience, signal), 'does not list its tools', signal),
    call: (tool, input, signal) =>
      ask(
        () =>
          client.request({ method: 'tools/call', params: { name: tool, arguments: input } }, anything, {
            signal,
            timeout: patience.call,
            maxTotalTimeout: patience.call,
          }),
        'did not answer',
        signal,
      ),
    close: () => client.close(),
  }
}

async function transportOf(
  parts: ConnectParts,
): Promise<
  CommandTransport | InstanceType<typeof import('@modelcontextprotocol/client').StreamableHTTPClientTransport>
> {
  const { name, place, folder, environment, patience } = parts
  if (place.kind === 'command')
    return openCommandTransport({ ...place, env: { ...environment, ...place.env }, folder, most: patience.answer })
  if (!/^https?:\/\//i.test(place.url) || !URL.canParse(place.url))
    throw new AppError('invalid_input', `MCP server ${name}: "url" must use http or https.`, {
      hint: 'E.g. "https://mcp.example.com/mcp".',
    })
  const odd = Object.keys(place.headers).find((field) => !SENDABLE.test(place.headers[field]!))
  if (odd !== undefined)
    throw new AppError('invalid_input', `MCP server ${name}: header ${odd} contains invalid characters.`, {
      hint: 'Check the variable that fills it for line breaks and non-Latin characters.',
    })
  const url = new URL(place.url)
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
  const isPrivate = place.isPrivate || showsPrivate(url.hostname)
  return new StreamableHTTPClientTransport(url, {
    fetch: guardedFetch({ origin: url.origin, isPrivate, most: patience.answer }),
    requestInit: { headers: place.headers, redirect: 'error' },
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1_000,
      maxReconnectionDelay: 1_000,
      reconnectionDelayGrowFactor: 1,
    },
  })
}

/** Checked here, because `fetch` quotes the value in its error. */
const SENDABLE = /^[\t\x20-\x7e\x80-\xff]*$/

/**
 * Accepts any object, because Ken parses results itself. The SDK's schemas would also compile the schemas that a server
 * sends, and a pattern in one can take for ever.
 */
const anything = z.looseObject({})

async function listAll(client: Client, patience: Patience, signal: AbortSignal): Promise<readonly unknown[]> {
  const all: unknown[] = []
  let cursor: unknown
  for (let page = 0; page < MOST_PAGES; page++) {
    const params = typeof cursor === 'string' ? { cursor } : {}
    const answer = await client.request({ method: 'tools/list', params }, anything, {
      signal,
      timeout: patience.list,
      maxTotalTimeout: patience.list,
    })
    if (Array.isArray(answer['tools'])) all.push(...(answer['tools'] as unknown[]))
    cursor = answer['nextCursor']
    if (typeof cursor !== 'string' || cursor === '') break
  }
  return all
}

const isTimeout = (error: unknown): boolean => (error as { readonly code?: unknown }).code === 'REQUEST_TIMEOUT'

/** The server's own message is cut and its hidden characters are made visible, because it may contain anything. */
function whyOf(error: unknown): string {
  if (isTimeout(error)) return 'it does not answer in time'
  const cause = networkCause(error)
  return visibleLine(cause).slice(0, 200) || 'it gives no reason'
}

const failure = (name: string, what: string, why: string): AppError =>
  new AppError('unavailable', `MCP server ${name} ${what}: ${why.replace(/\.$/, '')}.`, {
    hint: `Try it with \`ken mcps test ${name}\`.`,
  })
