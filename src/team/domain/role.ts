/** A person's role in an organisation, or in one of its projects; each role includes the following ones. */
export const ROLES = ['admin', 'member', 'viewer'] as const
export type Role = (typeof ROLES)[number]

/** Scopes of a token. None implies another: one that writes and reads has both. */
export const SCOPES = ['read', 'write', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

/** Access to a project for people without a role in it. */
export const ACCESS = ['organisation', 'members'] as const
export type Access = (typeof ACCESS)[number]

export const isAtLeast = (role: Role, least: Role): boolean => ROLES.indexOf(role) <= ROLES.indexOf(least)

/**
 * A person's role in a project of their organisation; undefined if they must not know that it exists. An admin of the
 * organisation is admin everywhere in it: they could give themselves the role at any time.
 */
export function roleInProject(person: Role, access: Access, member: Role | undefined): Role | undefined {
  if (person === 'admin') return 'admin'
  return member ?? (access === 'organisation' ? person : undefined)
}
