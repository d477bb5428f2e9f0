import { AppError } from '../../kernel/domain/errors.ts'
import type { Clock } from '../../kernel/ports/clock.ts'
import type { ProjectRef } from '../../kernel/ports/projects.ts'
import type { Store } from '../../record/ports/store.ts'
import type { RecordNews } from '../../record/store/postgres/record-news.ts'
import type { RecordDoors } from '../../surfaces/http/team/record-routes.ts'
import type { TeamProjects } from '../../team/ports/team-projects.ts'
import { offerRecord } from '../../team/team-record/store.ts'

export interface RecordDoorsParts {
  readonly projects: TeamProjects
  readonly clock: Clock
  readonly news: Pick<RecordNews, 'tip' | 'changed'>
  openRecord(project: ProjectRef): Store
}

/** A server's records for the machines of its people. */
export function recordDoors({ projects, clock, news, openRecord }: RecordDoorsParts): RecordDoors {
  const store = (id: string): Store => openRecord({ id, name: '', mode: 'cloud', location: '' })
  return {
    ...news,
    standing: (person, project) => projects.standing(person, project),
    nameFor: async (person, project) => (await projects.list(person)).find(({ id }) => id === project)?.name ?? '',
    async create({ id, name }, { person, organisation }) {
      const createdAt = clock.now().toISOString()
      const made = await projects.create({ id, name, organisation, access: 'organisation', createdAt }, person)
      if (made.id !== id)
        throw new AppError('conflict', `The team has a project called ${name} already.`, {
          hint: 'Give this record another name, or attach this folder to that project.',
        })
    },
    record: (project, person) => offerRecord(store(project), person),
    earlier: (project, wanted) => store(project).history.texts(wanted),
  }
}
