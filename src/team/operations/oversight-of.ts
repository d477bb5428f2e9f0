import type { Oversight } from '../../analyst/ports/oversight.ts'
import type { Context } from '../../operations/context.ts'
import { notHosted, teamOf } from './team-of.ts'

/** The analyst of the call's project. */
export function oversightOf(ctx: Pick<Context, 'oversight'>): Promise<Oversight> {
  if (ctx.oversight === undefined) throw notHosted()
  return ctx.oversight()
}

/** Whether the caller has admin permission in a project, by role and by credential. */
export async function isAdminHere(ctx: Pick<Context, 'team'>, project: string): Promise<boolean> {
  const { projects, caller } = teamOf(ctx)
  return caller.scopes.includes('admin') && (await projects.standing(caller.person, project))?.role === 'admin'
}
