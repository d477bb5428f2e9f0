import { emailAddress } from './domain/email-address.ts'
import { may, type Caller } from './domain/may.ts'
import type { Permission } from './domain/permission.ts'
import type { People } from './ports/people.ts'
import type { TeamProjects } from './ports/team-projects.ts'

export interface ChannelCallers {
  readonly people: Pick<People, 'withAddress'>
  readonly projects: Pick<TeamProjects, 'standing'>
  permissionOf(operation: string): Permission | undefined
}

/**
 * The person with this address, if they may ask in the project; undefined for everyone else, for whatever reason. They
 * have the permissions of a token for only that project.
 */
export async function channelCaller(
  { people, projects, permissionOf }: ChannelCallers,
  { project, email }: { readonly project: string; readonly email: string },
): Promise<Caller | undefined> {
  const address = addressIn(email)
  if (address === undefined) return undefined
  for (const { id, organisation, role } of await people.withAddress(address)) {
    const caller: Caller = {
      person: id,
      organisation,
      role,
      through: 'token',
      scopes: ['read', 'write'],
      projects: [project],
    }
    const standing = await projects.standing(id, project)
    if (may(caller, { permission: permissionOf('ask'), standing, input: {} }).may) return caller
  }
  return undefined
}

function addressIn(text: string): string | undefined {
  try {
    return emailAddress(text)
  } catch {
    return undefined
  }
}
