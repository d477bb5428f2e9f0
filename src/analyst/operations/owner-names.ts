import { z } from 'zod'
import type { Context } from '../../operations/context.ts'

export const ownerShape = z.object({ id: z.string(), name: z.string() })
type Owner = z.output<typeof ownerShape>

/** Resolves the names of people by id. Asks the team only if there are any ids. */
export async function ownerNames(
  { team }: Pick<Context, 'team'>,
  ids: readonly (string | undefined)[],
): Promise<(id: string) => Owner> {
  const isAsked = team !== undefined && ids.some((id) => id !== undefined)
  const people = isAsked ? await team.people.list(team.caller.organisation) : []
  const names = new Map(people.map(({ id, name, email }) => [id, name === '' ? email : name]))
  return (id) => ({ id, name: names.get(id) ?? 'Somebody' })
}
