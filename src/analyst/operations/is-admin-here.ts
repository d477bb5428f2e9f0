import type { Context } from '../../operations/context.ts'

/** Whether the caller has admin permission in a project, by role and by credential; false on a machine. */
export async function isAdminHere({ team }: Pick<Context, 'team'>, project: string): Promise<boolean> {
  if (team === undefined || !team.caller.scopes.includes('admin')) return false
  return (await team.projects.standing(team.caller.person, project))?.role === 'admin'
}
