import { setTimeout as pause } from 'node:timers/promises'
import { toAppError } from '../kernel/domain/to-app-error.ts'
import type { RegisteredProject } from '../kernel/ports/projects.ts'
import type { TeamLinks } from '../team/ports/team-links.ts'
import type { Ken } from './open.ts'

export interface TeamKeeper {
  stop(): Promise<void>
}

export interface KeepTeamsParts {
  readonly ken: Ken
  /** The folder of the project to keep in sync; undefined for every project on this machine. */
  readonly directory?: string
  warn(line: string): void
}

// Batches changes in quick succession, in milliseconds.
const GATHER_MS = 150
// Minimum milliseconds between requests: a server that is shutting down answers immediately, which would cause a busy
// loop.
const LEAST_MS = 1_000
const LONGEST_MS = 60_000
const LEASE_MS = 5_000
const LOOK_MS = 10_000
const LAST_WAIT_MS = 5_000

/**
 * Keeps linked records in sync with their teams' while a server runs: local changes are pushed, and team changes are
 * pulled when the server reports them. Reads never wait for it.
 */
export function keepTeams({ ken, directory, warn }: KeepTeamsParts): TeamKeeper {
  const ctx = ken.context({ origin: { surface: 'cli' }, cwd: directory ?? ken.home })
  if (ctx.settings.get('team.background').value !== true) return { stop: async () => {} }
  const cut = new AbortController()
  const { signal } = cut
  const work = new Set<Promise<void>>()
  const told = new Set<string>()
  const run = (doing: Promise<void>): void => {
    const done = doing.catch((error: unknown) => sayOnce(error)).finally(() => work.delete(done))
    work.add(done)
  }
  /** Reports an error once: the same one recurs with every retry. */
  const sayOnce = (error: unknown): void => {
    const { line } = toAppError(error)
    if (signal.aborted || told.has(line)) return
    told.add(line)
    warn(line)
  }

  const dirty = new Map<string, RegisteredProject>()
  const followed = new Set<string>()
  ken.teams.hear((project) => {
    if (signal.aborted) return
    if (!dirty.has(project.id)) run(sendSoon(project))
    dirty.set(project.id, project)
  })
  async function sendSoon(project: RegisteredProject): Promise<void> {
    await pause(GATHER_MS)
    dirty.delete(project.id)
    await ken.teams.sync(project)
  }

  /** Syncs a project while it is linked to its team. */
  async function follow(project: RegisteredProject, links: TeamLinks): Promise<void> {
    const lease = await links.lease(project, 'follow')
    try {
      for (let failures = 0; !signal.aborted && (await isLinked(project));) {
        const giveBack = lease.tryTake()
        if (giveBack === undefined) await quiet(LEASE_MS, signal)
        else
          try {
            await untilNews(project, links, signal, () => ken.teams.sync(project).then(() => (failures = 0)))
          } catch (error) {
            sayOnce(error)
            await quiet(Math.min(LONGEST_MS, LEAST_MS * 2 ** failures++), signal)
          } finally {
            giveBack()
          }
      }
    } finally {
      lease.close()
      followed.delete(project.id)
    }
  }

  const isLinked = async ({ id, team }: RegisteredProject): Promise<boolean> =>
    (await ctx.projects.list()).some((one) => one.id === id && one.team?.server === team?.server)

  /** Looks for linked projects repeatedly: one may be linked while this runs. */
  async function look(): Promise<void> {
    for (; !signal.aborted; await quiet(LOOK_MS, signal)) {
      const here = directory === undefined ? undefined : await ctx.projects.find({ directory }).catch(() => undefined)
      for (const project of await ctx.projects.list()) {
        if (project.team === undefined || followed.has(project.id)) continue
        if (directory !== undefined && project.id !== here?.id) continue
        followed.add(project.id)
        run(follow(project, await ctx.teamLinks()))
      }
    }
  }

  run(look())
  return {
    async stop() {
      cut.abort()
      const late = new AbortController()
      const waited = pause(LAST_WAIT_MS, undefined, { signal: late.signal }).catch(() => undefined)
      while (work.size > 0 && (await Promise.race([Promise.all(work).then(() => true), waited])) === true);
      late.abort()
    },
  }
}

/** Syncs, then waits until the team's record has newer changes. */
async function untilNews(
  project: RegisteredProject,
  links: TeamLinks,
  signal: AbortSignal,
  sync: () => Promise<unknown>,
): Promise<void> {
  await sync()
  const server = await links.server(project.team!.server, { isNamed: true })
  for (;;) {
    const [known] = await Promise.all([revisionOf(project, links), quiet(LEAST_MS, signal)])
    if (signal.aborted || (await server.news(project.id, known, signal)) !== known) return
  }
}

async function revisionOf(project: RegisteredProject, links: TeamLinks): Promise<string | null> {
  const copy = await links.copy(project)
  try {
    return (await copy.state())?.revision ?? null
  } finally {
    await copy.close()
  }
}

const quiet = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  pause(milliseconds, undefined, { signal }).catch(() => undefined)
