import { AppError } from '../../kernel/domain/errors.ts'
import { isUlid } from '../../kernel/domain/project/config.ts'
import type { Projects, RegisteredProject } from '../../kernel/ports/projects.ts'
import type { Caller, Standing } from '../../team/domain/may.ts'
import type { SeenProject } from '../../team/domain/person.ts'
import type { TeamProjects } from '../../team/ports/team-projects.ts'

export interface CallerProjects extends Projects {
  /** The caller's role in a project of `list`; at most a second old, since a turn may take minutes. */
  standing(project: string): Promise<Standing | undefined>
}

const LASTS_MS = 1_000

/** The projects of one caller, in the form that operations use. Folder bindings are local to each machine. */
export function callerProjects(
  projects: TeamProjects,
  { caller, named, publicUrl }: { readonly caller: Caller; readonly named?: string; readonly publicUrl: string },
): CallerProjects {
  let known: ReturnType<typeof read> | undefined
  let readAt = 0
  // Looked up once per call, by authentication or here, so that the project authorised by name is the one changed by it.
  const seen = (): ReturnType<typeof read> => (known ??= read())
  const list = async (): Promise<readonly RegisteredProject[]> =>
    [...(await seen()).values()].map(({ project }) => project)
  const all = async (): Promise<readonly SeenProject[]> => {
    const now = performance.now()
    const { seen } = caller
    readAt = seen !== undefined && now - seen.at < LASTS_MS ? seen.at : now
    return readAt === seen?.at ? seen.projects : projects.list(caller.person)
  }
  const read = async () => {
    const found = (await all()).filter(({ id }) => caller.projects === undefined || caller.projects.includes(id))
    return new Map(
      found.map(({ id, name, organisation, role }) => {
        const location = `${publicUrl}/${id}`
        const project: RegisteredProject = { id, name, mode: 'cloud', location, repositories: [], present: true }
        return [id, { project, standing: { project: id, organisation, role } }] as const
      }),
    )
  }
  return {
    list,
    async find({ project = named }) {
      const all = await list()
      // If no name is given, defaults to the caller's only project.
      if (project === undefined) return all.length === 1 ? all[0] : undefined
      const own = all.find(({ id }) => id === project)
      // An id means exactly that project, even if another project has the id as its name.
      if (own !== undefined || isUlid(project.toUpperCase())) return own
      const found = all.filter(({ name }) => name === project)
      if (found.length > 1)
        throw new AppError('conflict', `${found.length} projects are named ${project}.`, {
          hint: `Use one of the ids: ${found.map(({ id }) => id).join(', ')}.`,
        })
      return found[0]
    },
    async standing(project) {
      const all = await seen()
      return performance.now() - readAt < LASTS_MS
        ? all.get(project)?.standing
        : projects.standing(caller.person, project)
    },
    claim: async () => undefined,
    create: onMachines,
    bind: onMachines,
    unbind: onMachines,
    started: async () => undefined,
    remove: onMachines,
  }
}

const onMachines = async (): Promise<never> => {
  throw new AppError('forbidden', 'Not available on a team server.', { hint: 'Run this on your own machine.' })
}
