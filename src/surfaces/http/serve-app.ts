import { randomBytes } from 'node:crypto'
import type { Origin } from '../../core/journal/event.ts'
import type { Operation } from '../../operations/operation.ts'
import type { Context } from '../../ports/context.ts'
import type { NamedPlace } from '../mcp/server.ts'
import { buildHttpApp } from './app.ts'
import { ENTER } from './enter-page.ts'
import { openKeptCalls } from './kept-calls.ts'
import { listen, type Listening } from './listen.ts'
import type { WebFiles } from './page-files.ts'
import { openPageSessions } from './page-sessions.ts'

export interface AppServer extends Listening {
  /** What another process of the same user proves to have, to be given a link. Worth nothing after this process. */
  readonly secret: string
  /** A link that lets one browser in, once, and shows it an address of the app. */
  link(to: string): string
}

export interface AppServerOptions {
  readonly operations: readonly Operation[]
  readonly version: string
  readonly port: number
  readonly files: WebFiles
  readonly now: () => number
  context(origin: Origin, named: NamedPlace): Promise<Context>
  trace?(thrown: unknown): void
}

/** The web app and the operations behind it, for the person at this machine. */
export async function serveApp({ port, files, now, ...options }: AppServerOptions): Promise<AppServer> {
  const secret = randomBytes(32).toString('base64url')
  const sessions = openPageSessions(now)
  const calls = openKeptCalls(now)
  const app = buildHttpApp({
    ...options,
    context: (named, surface) => options.context({ surface }, named),
    pages: { sessions, files, calls, secret },
  })
  const listening = await listen(app.fetch, port)
  return {
    ...listening,
    secret,
    link: (to) => `${listening.url}${ENTER}?code=${sessions.invite(to)}`,
    async close() {
      await Promise.all([listening.close(), calls.stopAll()])
    },
  }
}
