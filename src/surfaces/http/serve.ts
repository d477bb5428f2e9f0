import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash, randomBytes, timingSafeEqual, randomUUID } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { type McpServer, createMcpHandler } from '@modelcontextprotocol/server'
import type { Implementation } from '@modelcontextprotocol/server'
import { AppError } from '../../kernel/domain/errors.ts'
import { cleanOriginText } from '../../kernel/domain/origin.ts'
import { isOffered } from '../../operations/registry-entry.ts'
import { buildMcpServer, type McpOptions } from '../mcp/server.ts'
import { buildHttpApp } from './app.ts'
import { listen, type Listening, type Patience } from './listen.ts'
import { LARGEST_BODY, placeNamed } from './operation-routes.ts'

export interface HttpServer extends Listening {
  readonly tokenPath: string
}

/** Listens only on the loopback address. The token is created once, readable only by the owner. */
export async function serveHttp(
  options: Omit<McpOptions, 'surface'> & {
    port: number
    tokenPath: string
    patience?: Partial<Patience>
    heartbeat?: number
  },
): Promise<HttpServer> {
  const token = openToken(options.tokenPath)
  const app = buildHttpApp({
    operations: options.operations.filter((operation) => isOffered(operation, options.toolsets)),
    version: options.version,
    context: (named, surface) => options.context({ surface }, named),
    ...(options.trace && { trace: options.trace }),
    ...(options.heartbeat !== undefined && { heartbeat: options.heartbeat }),
    programs: {
      accepts: (given) => timingSafeEqual(digest(given), digest(token())),
      mcp: mcpOverHttp(options),
    },
  })
  const listening = await listen(app.fetch, options.port, options.patience)
  return { ...listening, tokenPath: options.tokenPath }
}

/** Every request gets a separate server; a client that named itself on connecting is recognised by its session id. */
export function mcpOverHttp(options: Omit<McpOptions, 'surface'>): (request: Request) => Promise<Response> {
  const serving = new AsyncLocalStorage<{ server?: McpServer }>()
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const caller = clientOfSession(requestInfo?.headers.get(SESSION_HEADER) ?? null)
      const server = buildMcpServer({
        ...options,
        surface: 'mcp-http',
        ...(requestInfo && {
          named: placeNamed(requestInfo),
          userAgent: requestInfo.headers.get('user-agent') ?? undefined,
        }),
        ...(caller && { caller }),
      })
      const made = serving.getStore()
      if (made) made.server = server
      return server
    },
    { maxRequestBodySize: LARGEST_BODY },
  )
  return async (request) => {
    const made: { server?: McpServer } = {}
    const response = await serving.run(made, () => handler.fetch(request))
    const client = made.server?.server.getClientVersion()
    // Newer clients send the method in a header and their name in every request.
    if (client === undefined || request.headers.has('mcp-method') || request.headers.has(SESSION_HEADER))
      return response
    const headers = new Headers(response.headers)
    headers.set(SESSION_HEADER, sessionIdFor(client))
    return new Response(response.body, { status: response.status, headers })
  }
}

/** Read again when the file changes, so that a rotated token also stops working in a running server. */
function openToken(path: string): () => string {
  const stampOf = (): string => {
    const found = statSync(path, { throwIfNoEntry: false })
    return found === undefined ? '' : `${found.ino} ${found.mtimeMs} ${found.size}`
  }
  let token = readToken(path)
  let stamp = stampOf()
  return () => {
    if (stampOf() === stamp) return token
    token = readToken(path)
    stamp = stampOf()
    return token
  }
}

function readToken(path: string): string {
  if (existsSync(path)) {
    const known = readFileSync(path, 'utf8').trim()
    // An empty token would match every request with an empty one.
    if (known.length < 16)
      throw new AppError('damaged', `No token found in ${path}.`, {
        hint: 'Delete it; the next start creates a new one.',
      })
    chmodSync(path, 0o600)
    return known
  }
  const token = `ken_${randomBytes(32).toString('base64url')}`
  writeFileSync(path, `${token}\n`, { mode: 0o600, flag: 'wx' })
  return token
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

const SESSION_HEADER = 'mcp-session-id'
// Far above the length of two names; a longer id is not ours.
const LONGEST = 1_000

/**
 * The session id of a client, which names itself once on connecting and sends the id with every later request. The id
 * contains the name, so that the server stores nothing and a restart loses nothing.
 */
function sessionIdFor({ name, version }: Implementation): string {
  const said = JSON.stringify([cleanOriginText(name), cleanOriginText(version)])
  return `${randomUUID()}.${Buffer.from(said).toString('base64url')}`
}

/** The client named in a session id, as it claimed on connecting. */
function clientOfSession(id: string | null): Implementation | undefined {
  if (id === null || id.length > LONGEST) return undefined
  try {
    const said: unknown = JSON.parse(Buffer.from(id.slice(id.indexOf('.') + 1), 'base64url').toString('utf8'))
    const [name, version] = Array.isArray(said) ? (said as unknown[]) : []
    return typeof name === 'string' && typeof version === 'string' ? { name, version } : undefined
  } catch {
    return undefined
  }
}
