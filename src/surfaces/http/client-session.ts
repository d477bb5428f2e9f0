import { randomUUID } from 'node:crypto'
import type { Implementation } from '@modelcontextprotocol/server'
import { cleanOriginText } from '../../kernel/domain/origin.ts'

export const SESSION_HEADER = 'mcp-session-id'
// Far above the length of two names; a longer one is not ours.
const LONGEST = 1_000

/**
 * The session id of a client, which names itself once on connecting and sends the id with every later request. The id
 * contains the name, so that the server stores nothing and a restart loses nothing.
 */
export function sessionIdFor({ name, version }: Implementation): string {
  const said = JSON.stringify([cleanOriginText(name), cleanOriginText(version)])
  return `${randomUUID()}.${Buffer.from(said).toString('base64url')}`
}

/** The client named in a session id: its own claim from when it connected. */
export function clientOfSession(id: string | null): Implementation | undefined {
  if (id === null || id.length > LONGEST) return undefined
  try {
    const said: unknown = JSON.parse(Buffer.from(id.slice(id.indexOf('.') + 1), 'base64url').toString('utf8'))
    const [name, version] = Array.isArray(said) ? (said as unknown[]) : []
    return typeof name === 'string' && typeof version === 'string' ? { name, version } : undefined
  } catch {
    return undefined
  }
}
