import { z } from 'zod'
import type { Context } from '../../ports/context.ts'

export const ownerShape = z.object({ id: z.string(), name: z.string() })
export type Owner = z.output<typeof ownerShape>

/** Says who a person is whose id is known. Nobody is asked where all ids are the caller's own. */
export async function ownerNames(
  { team, user }: Pick<Context, 'team' | 'user'>,
  ids: readonly (string | undefined)[],
): Promise<(id: string) => Owner> {
  const isAsked = team !== undefined && ids.some((id) => id !== undefined && id !== user)
  const people = isAsked ? await team.people.list(team.caller.organisation) : []
  const names = new Map(people.map(({ id, name, email }) => [id, name === '' ? email : name]))
  return (id) => ({ id, name: names.get(id) ?? (id === user ? 'You' : 'Somebody who left') })
}
