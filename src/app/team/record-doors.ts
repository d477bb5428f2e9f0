import type { RecordNews } from '../../adapters/store/postgres/record-news.ts'
import { offerRecord } from '../../adapters/team-record/store/index.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ProjectRef, Store } from '../../ports/store.ts'
import type { TeamProjects } from '../../ports/team-projects.ts'
import type { RecordDoors } from '../../surfaces/http/team/record-routes.ts'

export interface RecordDoorsParts {
  readonly projects: TeamProjects
  readonly clock: Clock
  readonly news: Pick<RecordNews, 'tip' | 'changed'>
  openRecord(project: ProjectRef): Store
}

/** The records of a server for the machines of its people. */
export function recordDoors({ projects, clock, news, openRecord }: RecordDoorsParts): RecordDoors {
  const store = (id: string): Store => openRecord({ id, name: '', mode: 'cloud', location: '' })
  return {
    ...news,
    standing: (person, project) => projects.standing(person, project),
    nameFor: async (person, project) => (await projects.list(person)).find(({ id }) => id === project)?.name ?? '',
    create: ({ id, name }, { person, organisation }) =>
      projects.create({ id, name, organisation, access: 'organisation', createdAt: clock.now().toISOString() }, person),
    record: (project, person) => offerRecord(store(project), person),
    earlier: (project, wanted) => store(project).history.texts(wanted),
  }
}
