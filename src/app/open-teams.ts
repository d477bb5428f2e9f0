import { AppError } from '../kernel/domain/errors.ts'
import type { Origin } from '../kernel/domain/origin.ts'
import type { Clock } from '../kernel/ports/clock.ts'
import type { Projects, RegisteredProject, ProjectRef } from '../kernel/ports/projects.ts'
import type { Redactor } from '../kernel/ports/redactor.ts'
import type { Settings } from '../kernel/ports/settings.ts'
import type { Store } from '../record/ports/store.ts'
import type { TeamLinks } from '../team/ports/team-links.ts'
import type { TeamMemory } from '../team/ports/team-memory.ts'
import { restingTeamMemory, type Rests } from '../team/resting-team-memory.ts'
import type { TeamSync } from '../team/sync-team.ts'
import type { Environment } from './settings.ts'

export interface Teams {
  /** Loaded on first use. */
  links(): Promise<TeamLinks>
  /** Wraps a record for calls: if it belongs to a team, changes have an author and are reported. */
  heard(store: Store, project: RegisteredProject): Store
  hear(write: (project: RegisteredProject) => void): void
  /** Syncs a linked record with the team's record. */
  sync(project: RegisteredProject): Promise<TeamSync>
  /**
   * Documents that colleagues shared with a linked project; undefined if the user has turned that search off, or is not
   * logged in.
   */
  memory(project: RegisteredProject): Promise<TeamMemory | undefined>
}

export interface TeamsParts {
  readonly home: string
  readonly environment: Environment
  readonly projects: Projects
  readonly clock: Clock
  readonly redactor: Redactor
  readonly settings: Pick<Settings, 'get'>
  openRecord(project: RegisteredProject): Promise<Store>
}

/** Team features of the records on this machine. */
export function openTeams(parts: TeamsParts): Teams {
  const { home, environment, projects, clock, redactor, settings, openRecord } = parts
  let links: Promise<TeamLinks> | undefined
  const loadLinks = () =>
    (links ??= Promise.all([import('./open-team-links.ts'), import('./auth/open-logins.ts')]).then(
      ([{ openTeamLinks }, { openLogins }]) => openTeamLinks({ home, environment, logins: openLogins(home), projects }),
    ))
  const rests: Rests = new Map()
  const hearers: ((project: RegisteredProject) => void)[] = []
  return {
    links: loadLinks,
    heard: (store, project) => observedStore(store, project, hearers),
    hear: (write) => void hearers.push(write),
    async sync(known) {
      const [{ syncLinked, teamOf }, { redactedStore }] = await Promise.all([
        import('../team/sync-linked.ts'),
        import('../operations/redacted-store.ts'),
      ])
      // The project may have been unlinked, or the login changed, since the lookup.
      const project = (await projects.list()).find(({ id }) => id === known.id) ?? known
      teamOf(project)
      const store = redactedStore(personalStore(await openRecord(project), project), { exact: true })
      return syncLinked({ links: await loadLinks(), project, store, redactor, clock })
    },
    async memory({ id, team }) {
      if (team === undefined || settings.get('team.search').value !== true) return undefined
      try {
        const memory = (await (await loadLinks()).server(team.server, { isNamed: true })).memory(id)
        return restingTeamMemory(memory, { server: team.server, rests, clock })
      } catch (error) {
        if (error instanceof AppError && error.code === 'forbidden') return undefined
        throw error
      }
    },
  }
}

/** A team record with changes attributed to people; any other is unchanged. */
function personalStore(store: Store, { team }: Pick<ProjectRef, 'team'>): Store {
  if (team === undefined) return store
  const by = (origin: Origin): Origin => ({ ...origin, user: team.person })
  return {
    ...store,
    commit: (origin, work) => store.commit(by(origin), work),
    care: { ...store.care, rewrite: (origin, rewriting) => store.care.rewrite(by(origin), rewriting) },
  }
}

/** Returns a team record that notifies listeners of each change once it is durable here. */
function observedStore(
  store: Store,
  project: RegisteredProject,
  hearers: readonly ((project: RegisteredProject) => void)[],
): Store {
  if (project.team === undefined) return store
  const personal = personalStore(store, project)
  return {
    ...personal,
    async commit(origin, work) {
      const done = await personal.commit(origin, work)
      for (const hear of hearers) hear(project)
      return done
    },
  }
}
