import { enveloped } from '../../kernel/domain/trust/envelope.ts'
import type { Client, HookEvent } from './client.ts'
import { CLIENTS, type ClientName } from './clients.ts'

/** The output in the client's format; empty for an unknown client. */
export function hookOutput(
  context: string,
  shape: { client: string; eventName: string; input: Readonly<Record<string, unknown>> },
): string {
  const client = CLIENTS[shape.client as ClientName] as Client | undefined
  return client?.hookOutput(context, shape.eventName, shape.input) ?? ''
}

export function isCompaction(client: string, input: Readonly<Record<string, unknown>>): boolean {
  return (CLIENTS[client as ClientName] as Client | undefined)?.isCompaction?.(input) ?? true
}

/**
 * Whether this client does not pass start output to the model, so that the first prompt must contain the project's
 * state.
 */
export function startsUnheard(client: string): boolean {
  const known = CLIENTS[client as ClientName] as Client | undefined
  return known !== undefined && known.events['session-start'] === undefined
}

/** The output of a `stop` hook that makes the agent answer the question; empty if the client has none. */
export const stopOutput = (question: string, client: string): string =>
  (CLIENTS[client as ClientName] as Client | undefined)?.stopOutput?.(question) ?? ''

export const asksAtStop = (client: string): boolean =>
  (CLIENTS[client as ClientName] as Client | undefined)?.stopOutput !== undefined

/** A notice from Ken about a record, inside the tag that a harvest drops. */
export const noticeContext = (
  notice: string,
  state: 'absent' | 'disconnected' | 'merged' | 'late',
  event: HookEvent = 'session-start',
): string => enveloped(`Ken: ${notice}`, { origin: 'record', trust: 'approved' }, { event, state })
