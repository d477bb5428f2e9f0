import { openBundledEmbedder } from '../../src/app/bundled-model.ts'
import { openTeam } from '../../src/app/team/open-team.ts'
import { serveTeam } from '../../src/app/team/serve-team.ts'
import { systemClock } from '../../src/kernel/system/clock.ts'
import { systemRandom } from '../../src/kernel/system/random.ts'
import type { RequestLine } from '../../src/surfaces/http/team/request-log.ts'
import { issueToken } from '../../src/team/issue-token.ts'
import { openSession } from '../../src/team/open-session.ts'
import type { ClientDocuments } from '../../src/team/ports/client-documents.ts'
import { freePort, startPostgres } from '../postgres/server.ts'

/** A team server on a real PostgreSQL, with a person signed in in a browser. */
export async function openTeamPlace({ documents }: { readonly documents?: ClientDocuments } = {}) {
  const postgres = await startPostgres()
  const moved = { by: 0 }
  const clock = { ...systemClock, now: () => new Date(Date.now() + moved.by) }
  const lines: RequestLine[] = []
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const team = await openTeam({
    databaseUrl: postgres.url,
    clock,
    embedder: openBundledEmbedder,
  })
  const faults: unknown[] = []
  const server = await serveTeam(team, {
    publicUrl: origin,
    hostname: '127.0.0.1',
    port,
    clock,
    notice: 0,
    log: (line) => lines.push(line),
    trace: (thrown) => faults.push(thrown),
    people: {
      ways: { mailer: undefined, ceremonies: undefined, provider: undefined },
      files: async () => undefined,
      allowsRegistration: true,
      documents,
    },
  })
  const at = clock.now().toISOString()
  const [organisation, person] = [clock.ulid(), clock.ulid()]
  await team.people.found(
    { id: organisation, name: 'Acme', createdAt: at },
    {
      id: person,
      organisation,
      email: 'ada@example.com',
      name: 'Ada',
      role: 'admin',
      createdAt: at,
      leftAt: undefined,
    },
    { first: false },
  )
  const { secret } = await openSession(team.signIn, { person, proof: 'code', userAgent: null })
  return {
    origin,
    team,
    /** Log lines of every request, in order. */
    lines,
    faults,
    /** How far the server's clock is ahead. */
    moved,
    cookie: `ken-session=${secret}`,
    /** A project of the person, for one client. */
    async newProject(name: string): Promise<string> {
      const id = clock.ulid()
      await team.projects.create({ id, organisation, name, access: 'organisation', createdAt: at }, person)
      return id
    },
    async token(): Promise<string> {
      const wanted = {
        kind: 'personal',
        name: 'test',
        scopes: ['read', 'write'],
        projects: undefined,
        days: 1,
      } as const
      return (await issueToken({ tokens: team.tokens, clock, chance: systemRandom }, person, wanted)).secret
    },
    async close(): Promise<void> {
      await server.close()
      await team.close()
      await postgres.stop()
    },
  }
}

export type TeamPlace = Awaited<ReturnType<typeof openTeamPlace>>
