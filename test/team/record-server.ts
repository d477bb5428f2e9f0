import { Hono } from 'hono'
import type { Store } from '../../src/record/ports/store.ts'
import { listen } from '../../src/surfaces/http/listen.ts'
import { addRecords } from '../../src/surfaces/http/team/record-routes.ts'
import type { Caller, Standing } from '../../src/team/domain/may.ts'
import { offerRecord } from '../../src/team/team-record/store.ts'

export interface RecordServer {
  readonly url: string
  close(): Promise<void>
}

/** Serves the routes of a team's record on a real port, over a given store; every request is from `caller`. */
export async function serveRecord(
  store: Store,
  { caller, standing }: { readonly caller: Caller; readonly standing: Standing },
): Promise<RecordServer> {
  const app = new Hono<{ Variables: { caller: Caller } }>()
  app.use(async (c, next) => {
    c.set('caller', caller)
    await next()
  })
  addRecords(app, {
    standing: async (person, project) =>
      person === caller.person && project === standing.project ? standing : undefined,
    nameFor: async () => 'Shop',
    create: async () => {},
    record: (_project, person) => offerRecord(store, person),
    earlier: (_project, wanted) => store.history.texts(wanted),
    tip: async () => (await offerRecord(store).manifest({})).revision,
    changed: async () => {},
  })
  return listen(app.fetch, 0)
}
