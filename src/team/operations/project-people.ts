import { z } from 'zod'
import type { Person } from '../domain/person.ts'
import { roleInProject } from '../domain/role.ts'
import type { TeamDesk } from '../ports/team-desk.ts'

export const personShape = z.object({ id: z.string(), name: z.string(), email: z.string() })

/** Everyone with access to one of the caller's projects, ordered by address. */
export async function projectPeople(
  { projects, people, caller }: TeamDesk,
  project: string,
): Promise<readonly Person[]> {
  const [listed, members, all] = await Promise.all([
    projects.list(caller.person),
    projects.members(project),
    people.list(caller.organisation),
  ])
  const access = listed.find(({ id }) => id === project)?.access ?? 'members'
  const roles = new Map(members.map(({ person, role }) => [person, role]))
  return all.filter(
    ({ id, role, leftAt }) => leftAt === undefined && roleInProject(role, access, roles.get(id)) !== undefined,
  )
}

export const personFields = ({ id, name, email }: Person): z.output<typeof personShape> => ({ id, name, email })
