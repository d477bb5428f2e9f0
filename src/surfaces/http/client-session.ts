import { randomUUID } from 'node:crypto'
import type { Implementation } from '@modelcontextprotocol/server'
import { cleanOriginText } from '../../kernel/domain/origin.ts'

export const SESSION_HEADER = 'mcp-session-id'
// Far above what two names make; a longer one is none of ours.
const LONGEST = 1_000

/**
 * The session id of a client that names itself once, when it connects, and sends the id with every request after that.
 * The id carries the name, so that the server keeps nothing and a restart of it loses nothing.
 */
export function sessionIdFor({ name, version }: Implementation): string {
  const said = JSON.stringify([cleanOriginText(name), cleanOriginText(version)])
  return `${randomUUID()}.${Buffer.from(said).toString('base64url')}`
}

/** Who a session id says is calling: its own word, as it was when it connected. */
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
