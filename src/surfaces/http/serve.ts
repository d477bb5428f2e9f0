import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { serve } from '@hono/node-server'
import { type McpServer, createMcpHandler } from '@modelcontextprotocol/server'
import { AppError } from '../../core/errors.ts'
import { isOffered } from '../../operations/registry.ts'
import { buildMcpServer, type McpOptions } from '../mcp/server.ts'
import { buildHttpApp, LARGEST_BODY, placeNamed } from './app.ts'
import { clientOfSession, SESSION_HEADER, sessionIdFor } from './client-session.ts'

export interface HttpServer {
  readonly url: string
  readonly tokenPath: string
  close(): Promise<void>
}

/**
 * How long a request may take to arrive, in milliseconds; its answer may take longer. Who trickles a byte at a time is
 * cut off.
 */
export interface Patience {
  readonly headersTimeout: number
  readonly requestTimeout: number
  readonly connectionsCheckingInterval: number
}

const PATIENCE: Patience = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 2_000 }
// Every reader of a chat holds one for as long as it listens; an idle one costs some tens of KB. What bodies may take
// together is bounded where they are read (`body-budget.ts`).
const MOST_CONNECTIONS = 1_000

/** Listens on the loopback address only. The token is made once and kept for the owner alone. */
export async function serveHttp(
  options: Omit<McpOptions, 'surface'> & { port: number; tokenPath: string; patience?: Patience; heartbeat?: number },
): Promise<HttpServer> {
  const token = readToken(options.tokenPath)
  const answer = mcpOverHttp(options)
  const app = buildHttpApp({
    operations: options.operations.filter((operation) => isOffered(operation, options.toolsets)),
    version: options.version,
    accepts: (given) => timingSafeEqual(digest(given), digest(token)),
    context: (named) => options.context({ surface: 'http' }, named),
    ...(options.trace && { trace: options.trace }),
    ...(options.heartbeat !== undefined && { heartbeat: options.heartbeat }),
    mcp: answer,
  })
  return new Promise((listening, failed) => {
    const server = serve(
      {
        fetch: app.fetch,
        hostname: '127.0.0.1',
        port: options.port,
        serverOptions: { ...PATIENCE, ...options.patience },
      },
      ({ port }) =>
        listening({
          url: `http://127.0.0.1:${port}`,
          tokenPath: options.tokenPath,
          close: () =>
            new Promise((closed) => {
              server.close(() => closed())
              if ('closeAllConnections' in server) server.closeAllConnections()
            }),
        }),
    )
    if ('maxConnections' in server) server.maxConnections = MOST_CONNECTIONS
    server.on('error', (error: NodeJS.ErrnoException) =>
      failed(
        new AppError('unavailable', `Port ${options.port} cannot be used: ${error.code}.`, {
          hint: 'Choose another with --port, or 0 for any free one.',
          cause: error,
        }),
      ),
    )
  })
}

/** Every request gets a server of its own; a client that said its name when it connected is known by its session id. */
function mcpOverHttp(options: Omit<McpOptions, 'surface'>): (request: Request) => Promise<Response> {
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
    // Newer clients name their method in a header and themselves in every request.
    if (client === undefined || request.headers.has('mcp-method') || request.headers.has(SESSION_HEADER))
      return response
    const headers = new Headers(response.headers)
    headers.set(SESSION_HEADER, sessionIdFor(client))
    return new Response(response.body, { status: response.status, headers })
  }
}

function readToken(path: string): string {
  if (existsSync(path)) {
    const known = readFileSync(path, 'utf8').trim()
    // An empty one would let everybody in who sends an empty one.
    if (known.length < 16)
      throw new AppError('damaged', `${path} holds no token.`, {
        hint: 'Delete it; a new one is made at the next start.',
      })
    chmodSync(path, 0o600)
    return known
  }
  const token = `ken_${randomBytes(32).toString('base64url')}`
  writeFileSync(path, `${token}\n`, { mode: 0o600, flag: 'wx' })
  return token
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
