import { randomBytes } from 'node:crypto'
import type { Origin } from '../../kernel/domain/origin.ts'
import type { WaitingChange } from '../../kernel/ports/page-changes.ts'
import type { Offered } from '../../operations/context.ts'
import type { Operation } from '../../operations/operation.ts'
import type { NamedPlace } from '../mcp/server.ts'
import { buildHttpApp } from './app.ts'
import { ENTER } from './enter-page.ts'
import { openKeptCalls } from './kept-calls.ts'
import { listen, type Listening } from './listen.ts'
import { openPageConfirmations } from './page-confirmations.ts'
import type { WebFiles } from './page-files.ts'
import { openPageSessions, type SessionStore } from './page-sessions.ts'

export interface AppServer extends Listening {
  /**
   * Secret that another process of the same user must prove to have, to get a link. Worthless after this process ends.
   */
  readonly secret: string
  /** A one-time link that signs one browser in at an address of the app. */
  link(to: string): string
}

export interface AppServerOptions {
  readonly operations: readonly Operation[]
  readonly version: string
  readonly port: number
  readonly files: WebFiles
  readonly now: () => number
  /** Keeps browsers signed in over a restart. */
  readonly store?: SessionStore
  context(origin: Origin, named: NamedPlace): Promise<Offered>
  /** Shows a call that needs its code at the terminal. */
  show?(change: WaitingChange): void
  trace?(thrown: unknown): void
}

/** The web app and the operations behind it, for the user of this machine. */
export async function serveApp({
  port,
  files,
  now,
  store,
  show = () => {},
  ...options
}: AppServerOptions): Promise<AppServer> {
  const secret = randomBytes(32).toString('base64url')
  const sessions = openPageSessions(now, store)
  const calls = openKeptCalls(now)
  const opened = new Set<string>()
  // Only processes of the same user can invite.
  const invite = (to: string): string => {
    const folder = folderOf(to)
    if (folder !== undefined) opened.add(folder)
    return sessions.invite(to)
  }
  const app = buildHttpApp({
    ...options,
    context: (named, surface) => options.context({ surface }, named),
    pages: {
      sessions,
      files,
      calls,
      secret,
      invite,
      confirmations: openPageConfirmations({ now, show }),
      isOpened: (folder) => opened.has(folder),
    },
  })
  const listening = await listen(app.fetch, port)
  return {
    ...listening,
    secret,
    link: (to) => `${listening.url}${ENTER}?code=${invite(to)}`,
    async close() {
      await Promise.all([listening.close(), calls.stopAll()])
    },
  }
}

/** The folder in an app address: `/folder:%2Fhome%2Fana%2Fshop`. */
function folderOf(to: string): string | undefined {
  try {
    const first = decodeURIComponent(new URL(to, 'http://127.0.0.1').pathname.split('/')[1] ?? '')
    return first.startsWith('folder:') ? first.slice('folder:'.length) : undefined
  } catch {
    return undefined
  }
}
