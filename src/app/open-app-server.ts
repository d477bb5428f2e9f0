import type { WaitingChange } from '../kernel/ports/page-changes.ts'
import { loadOperations } from '../operations/registry.ts'
import { serveApp, type AppServer } from '../surfaces/http/serve-app.ts'
import { placeOfRequest, type CallPlace } from './call-place.ts'
import type { Ken } from './open.ts'
import { VERSION } from './version.ts'
import { webAppFiles } from './web-app-files.ts'

export interface AppServerPlace {
  /** 0 for any free port. */
  readonly port: number
  /** Default place for an address without a project. */
  readonly usual: CallPlace
  /** Shows a pending call and its code to the person at the terminal. */
  show?(change: WaitingChange): void
  trace?(thrown: unknown): void
}

/** The web app on an open Ken: every operation available to a page, as the person at this machine. */
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

/** Path of a place in the app. */
export const addressOf = ({ cwd, project }: CallPlace): string => `/${encodeURIComponent(project ?? `folder:${cwd}`)}`
