/** What a person is in an organisation, or in one of its projects; each may do what those after it may. */
export const ROLES = ['admin', 'member', 'viewer'] as const
export type Role = (typeof ROLES)[number]

/** What a token may be used for. None stands for another: one that writes and reads has both. */
export const SCOPES = ['read', 'write', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

/** Who gets at a project without a role of their own in it. */
export const ACCESS = ['organisation', 'members'] as const
export type Access = (typeof ACCESS)[number]

export const isAtLeast = (role: Role, least: Role): boolean => ROLES.indexOf(role) <= ROLES.indexOf(least)

/**
 * What a person is in a project of their organisation; undefined where they must not learn that it is there. An admin of
 * the organisation is one everywhere in it: they could give themselves the role at any time.
 */
export function roleInProject(person: Role, access: Access, member: Role | undefined): Role | undefined {
  if (person === 'admin') return 'admin'
  return member ?? (access === 'organisation' ? person : undefined)
}
