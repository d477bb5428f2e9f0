import type { WaitingChange } from '../kernel/ports/page-changes.ts'
import { loadOperations } from '../operations/registry.ts'
import { serveApp, type AppServer } from '../surfaces/http/serve-app.ts'
import { placeOfRequest, type CallPlace } from './call-place.ts'
import type { Ken } from './open.ts'
import { VERSION } from './version.ts'
import { webAppFiles } from './web-app-files.ts'

export interface AppServerPlace {
  /** 0 for any that is free. */
  readonly port: number
  /** What an address that names no project is about. */
  readonly usual: CallPlace
  /** Shows a call that waits for its code to the person at the terminal. */
  show?(change: WaitingChange): void
  trace?(thrown: unknown): void
}

/** The web app on what is open: every operation that a page may call, as the person at this machine. */
export async function openAppServer(ken: Ken, { port, usual, show, trace }: AppServerPlace): Promise<AppServer> {
  const { projects, clock } = ken.context({ origin: { surface: 'app' }, cwd: ken.home })
  const [operations, files] = await Promise.all([loadOperations(), webAppFiles()])
  return serveApp({
    operations,
    files,
    port,
    version: VERSION,
    now: () => clock.now().getTime(),
    context: async (origin, named) =>
      ken.context({
        origin,
        ...(await placeOfRequest(named, { projects, usual, nowhere: ken.home })),
        startedIn: usual.cwd,
      }),
    ...(show && { show }),
    ...(trace && { trace }),
  })
}

/** Where in the app a place is shown. */
export const addressOf = ({ cwd, project }: CallPlace): string => `/${encodeURIComponent(project ?? `folder:${cwd}`)}`
