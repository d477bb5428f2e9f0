import { AppError } from '../../kernel/domain/errors.ts'
import { isUlid } from '../../kernel/domain/project/config.ts'
import type { Projects, RegisteredProject } from '../../kernel/ports/projects.ts'
import type { Caller } from '../../team/domain/may.ts'
import type { TeamProjects } from '../../team/ports/team-projects.ts'

/** The projects of one caller, in the form that operations use. Folder bindings are local to each machine. */
export function callerProjects(
  projects: TeamProjects,
  { caller, named, publicUrl }: { readonly caller: Caller; readonly named?: string; readonly publicUrl: string },
): Projects {
  let known: Promise<readonly RegisteredProject[]> | undefined
  // Looked up once per call, so that the project authorised by name is the one changed by that name.
  const list = (): Promise<readonly RegisteredProject[]> => (known ??= read())
  const read = async (): Promise<readonly RegisteredProject[]> =>
    (await projects.list(caller.person))
      .filter(({ id }) => caller.projects === undefined || caller.projects.includes(id))
      .map(({ id, name }) => ({
        id,
        name,
        mode: 'cloud',
        location: `${publicUrl}/${id}`,
        repositories: [],
        present: true,
      }))
  return {
    list,
    async find({ project = named }) {
      const all = await list()
      // Without a name, the only project of a caller is meant.
      if (project === undefined) return all.length === 1 ? all[0] : undefined
      const own = all.find(({ id }) => id === project)
      // An id means exactly that project, even if another one has it as its name.
      if (own !== undefined || isUlid(project.toUpperCase())) return own
      const found = all.filter(({ name }) => name === project)
      if (found.length > 1)
        throw new AppError('conflict', `${found.length} projects are named ${project}.`, {
          hint: `Use one of the ids: ${found.map(({ id }) => id).join(', ')}.`,
        })
      return found[0]
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
