import type { Origin } from '../kernel/domain/origin.ts'
import type { RegisteredProject } from '../kernel/ports/projects.ts'
import type { ProjectRef } from '../kernel/ports/projects.ts'
import type { Store } from '../record/ports/store.ts'

/** A team record with changes attributed to people; any other is unchanged. */
export function personalStore(store: Store, { team }: Pick<ProjectRef, 'team'>): Store {
  if (team === undefined) return store
  const by = (origin: Origin): Origin => ({ ...origin, user: team.person })
  return {
    ...store,
    commit: (origin, work) => store.commit(by(origin), work),
    care: { ...store.care, rewrite: (origin, rewriting) => store.care.rewrite(by(origin), rewriting) },
  }
}

/** The same, and listeners are notified of each change once it is durable here. */
export function heardStore(
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
