import { AppError } from '../../kernel/domain/errors.ts'
import type { RegisteredProject } from '../../kernel/ports/projects.ts'
import type { Context } from '../../operations/context.ts'
import type { Person } from '../domain/person.ts'
import type { TeamDesk } from '../ports/team-desk.ts'

/** The project that a call names, or the caller's only one; access was checked before. */
export async function namedProject(
  ctx: Pick<Context, 'projects' | 'cwd'>,
  project: string | undefined,
): Promise<RegisteredProject> {
  const found = await ctx.projects.find({ directory: ctx.cwd, ...(project !== undefined && { project }) })
  if (found === undefined) throw new AppError('not_found', 'Project not found.')
  return found
}

/** The person that the call is about: a current member of the caller's organisation, by id or address. */
export async function personNamed({ people, caller, concerns }: TeamDesk, named: string): Promise<Person> {
  const address = named.trim().toLowerCase()
  const found = (await people.list(caller.organisation)).find(
    ({ id, email, leftAt }) => leftAt === undefined && (id === named || email === address),
  )
  if (found === undefined)
    throw new AppError('not_found', 'Person not found.', { hint: 'Use a person’s id or e-mail address.' })
  concerns(found.id)
  return found
}
