import { openTeamOn, type Team } from '../../src/app/team/open-team.ts'
import { serveTeam, type TeamServer } from '../../src/app/team/serve-team.ts'
import type { SqlDatabase } from '../../src/kernel/ports/sql-database.ts'
import { systemClock } from '../../src/kernel/system/clock.ts'
import { freePort } from '../postgres/server.ts'

export interface IsolationDesk {
  readonly team: Team
  readonly database: SqlDatabase
  readonly url: string
  readonly server: TeamServer
  /** Log lines as texts. */
  readonly told: string[]
  /** Another server for the same team, modified by `changed`. */
  beside(changed: (team: Team) => Team): Promise<Served>
  close(): Promise<void>
}

export interface Served {
  readonly url: string
  readonly server: TeamServer
  readonly told: string[]
}

/** Opens a team server over HTTP on a database; both are closed together. */
export async function openIsolationDesk(
  database: SqlDatabase,
  { recheck }: { readonly recheck?: number } = {},
): Promise<IsolationDesk> {
  const team = await openTeamOn(database, { clock: systemClock, embedder: async () => undefined })
  const servers: TeamServer[] = []
  const open = async (served: Team): Promise<Served> => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const told: string[] = []
    // Avoids rate limits: every read of the clock advances it by a minute.
    let minutes = 0
    const clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + 60_000 * ++minutes) }
    const server = await serveTeam(served, {
      publicUrl: url,
      hostname: '127.0.0.1',
      port,
      clock,
      notice: 0,
      ...(recheck !== undefined && { recheck }),
      log: (line) => told.push(JSON.stringify(line)),
    })
    servers.push(server)
    return { url, server, told }
  }
  const main = await open(team)
  return {
    team,
    database,
    ...main,
    beside: (changed) => open(changed(team)),
    async close() {
      for (const server of servers) await server.close()
      await team.close()
    },
  }
}
