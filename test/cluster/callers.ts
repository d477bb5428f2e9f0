import { setTimeout } from 'node:timers/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { NOT_SENT } from './front-door.ts'
import type { Protocol, WriteOutcome } from './ledger.ts'

/** Result of a call. `fault` is the kind of failure, one of few. */
export interface Called {
  readonly output?: Readonly<Record<string, unknown>>
  readonly fault?: string
  /** Outcome of the call if it is a write. */
  readonly outcome: WriteOutcome
}

export interface Caller {
  /** A REST call with a key is repeated with it until it is answered; MCP has no keys. */
  call(operation: string, input: Readonly<Record<string, unknown>>, key?: string): Promise<Called>
  close(): Promise<void>
}

// The server's wording if it cannot determine whether a change landed.
const DOUBT = /Check whether it exists/
const PATIENCE_MS = 60_000
const RETRIES = 6
const RETRY_MS = 500
const MAY_WORK_LATER = /^(?:cut|no replica|(?:500|502|503|429):)/

export const openCaller = (protocol: Protocol, url: string, token: string): Caller =>
  protocol === 'rest' ? restCaller(url, token) : mcpCaller(url, token)

function restCaller(url: string, token: string): Caller {
  const once: Caller['call'] = async (operation, input, key) => {
    try {
      const response = await fetch(`${url}/v1/${operation}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          ...(key !== undefined && { 'idempotency-key': key }),
        },
        body: JSON.stringify(input),
        signal: AbortSignal.timeout(PATIENCE_MS),
      })
      const text = await response.text()
      if (response.ok) return { output: JSON.parse(text) as Record<string, unknown>, outcome: 'landed' }
      return faultOf(response.status, text, response.headers.has(NOT_SENT))
    } catch (error) {
      return cut(error)
    }
  }
  return {
    async call(operation, input, key) {
      let called = await once(operation, input, key)
      let isUnknown = called.outcome === 'unknown'
      for (let tried = 1; key !== undefined && tried <= RETRIES && MAY_WORK_LATER.test(called.fault ?? ''); tried++) {
        await setTimeout(RETRY_MS * tried)
        called = await once(operation, input, key)
        isUnknown ||= called.outcome === 'unknown'
      }
      // A refusal does not say what became of an earlier try.
      return called.outcome === 'refused' && isUnknown ? { ...called, outcome: 'unknown' } : called
    },
    close: async () => undefined,
  }
}

/** Calls as agents do: in one session, reopened when it fails. */
function mcpCaller(url: string, token: string): Caller {
  let connected: Promise<Client> | undefined
  const connect = async (): Promise<Client> => {
    const client = new Client({ name: 'cluster', version: '1' })
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
        requestInit: { headers: { authorization: `Bearer ${token}` } },
      }),
    )
    return client
  }
  return {
    async call(operation, input) {
      let client: Client
      try {
        client = await (connected ??= connect())
      } catch (error) {
        connected = undefined
        return { fault: `connecting: ${kindOf(error)}`, outcome: 'refused' }
      }
      try {
        const result = await client.callTool({ name: operation, arguments: input }, { timeout: PATIENCE_MS })
        const text = JSON.stringify(result.content)
        if (result.isError === true)
          return { fault: `told: ${sentenceOf(text)}`, outcome: DOUBT.test(text) ? 'unknown' : 'refused' }
        return { output: result.structuredContent as Record<string, unknown>, outcome: 'landed' }
      } catch (error) {
        const status = statusOf(error)
        return status === undefined ? cut(error) : faultOf(status, String((error as Error).message), false)
      }
    },
    async close() {
      await connected?.then((client) => client.close()).catch(() => undefined)
    },
  }
}

const statusOf = (error: unknown): number | undefined => {
  const { data, code, message } = error as { data?: { status?: unknown }; code?: unknown; message?: string }
  const status = Number(data?.status ?? code ?? /\b([45]\d\d)\b/.exec(message ?? '')?.[1])
  return status >= 400 && status < 600 ? status : undefined
}

function faultOf(status: number, text: string, isNotSent: boolean): Called {
  if (isNotSent) return { fault: 'no replica', outcome: 'refused' }
  if (status === 502) return { fault: 'cut', outcome: 'unknown' }
  return {
    fault: `${status}: ${sentenceOf(text)}`,
    outcome: DOUBT.test(text) || status === 500 ? 'unknown' : 'refused',
  }
}

const cut = (error: unknown): Called => ({ fault: `cut: ${kindOf(error)}`, outcome: 'unknown' })

const kindOf = (error: unknown): string => {
  const { cause, code, name, message } = error as Error & { code?: unknown; cause?: { code?: unknown } }
  return String(cause?.code ?? code ?? name ?? message).slice(0, 60)
}

/** Strips the parts that differ from call to call. */
const sentenceOf = (text: string): string =>
  (/"(?:message|text)":"([^"]*)"/.exec(text)?.[1] ?? text).replace(/\d+/g, 'N').slice(0, 80)
