import { AppError } from '../../kernel/domain/errors.ts'
import type { RegisteredProject } from '../../kernel/ports/projects.ts'
import type { Context } from '../../operations/context.ts'
import type { Person } from '../domain/person.ts'
import type { TeamDesk } from '../ports/team-desk.ts'

export function teamOf({ team }: Pick<Context, 'team'>): TeamDesk {
  if (team !== undefined) return team
  throw notHosted()
}

export const notHosted = (): AppError =>
  new AppError('unavailable', 'Only a team server has people.', { hint: 'See the guide of `ken server`.' })

/** The project that a call names, or the caller's only one; access was checked before. */
export async function namedProject(
  ctx: Pick<Context, 'projects' | 'cwd'>,
  project: string | undefined,
): Promise<RegisteredProject> {
  const found = await ctx.projects.find({ directory: ctx.cwd, ...(project !== undefined && { project }) })
  if (found === undefined) throw new AppError('not_found', 'There is no such project.')
  return found
}

/** A current person of the caller's organisation, by id or address: the subject of the call. */
export async function personNamed({ people, caller, concerns }: TeamDesk, named: string): Promise<Person> {
  const address = named.trim().toLowerCase()
  const found = (await people.list(caller.organisation)).find(
    ({ id, email, leftAt }) => leftAt === undefined && (id === named || email === address),
  )
  if (found === undefined)
    throw new AppError('not_found', 'There is no such person.', { hint: 'Name somebody by id or e-mail address.' })
  concerns(found.id)
  return found
}
