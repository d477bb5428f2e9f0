import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { serve } from '@hono/node-server'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { AppError } from '../../core/errors.ts'
import { buildMcpServer, type McpOptions } from '../mcp/server.ts'
import { buildHttpApp } from './app.ts'

export interface HttpServer {
  readonly url: string
  readonly tokenPath: string
  close(): Promise<void>
}

/** Listens on the loopback address only. The token is made once and kept for the owner alone. */
export async function serveHttp(options: Omit<McpOptions, 'surface'> & { port: number; tokenPath: string }): Promise<HttpServer> {
  const token = readToken(options.tokenPath)
  const handler = createMcpHandler(() => buildMcpServer({ ...options, surface: 'mcp-http' }))
  const app = buildHttpApp({
    operations: options.operations,
    version: options.version,
    accepts: (given) => timingSafeEqual(digest(given), digest(token)),
    context: (cwd) => options.context({ surface: 'http' }, cwd),
    mcp: (request) => handler.fetch(request),
  })
  return new Promise((listening, failed) => {
    const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: options.port }, ({ port }) =>
      listening({
        url: `http://127.0.0.1:${port}`,
        tokenPath: options.tokenPath,
        close: () => new Promise((closed) => server.close(() => closed())),
      }))
    server.on('error', (error: NodeJS.ErrnoException) =>
      failed(new AppError('unavailable', `Port ${options.port} cannot be used: ${error.code}.`, { hint: 'Choose another with --port, or 0 for any free one.', cause: error })))
  })
}

function readToken(path: string): string {
  if (existsSync(path)) return readFileSync(path, 'utf8').trim()
  const token = `ken_${randomBytes(32).toString('base64url')}`
  writeFileSync(path, `${token}\n`, { mode: 0o600, flag: 'wx' })
  return token
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
