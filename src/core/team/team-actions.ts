import type { Permission } from './permission.ts'
import type { Role } from './role.ts'

const of = (least: Role, effect: 'read' | 'write', where: Permission['of'], why: string): Permission => ({
  least,
  of: where,
  scope: least === 'admin' ? 'admin' : effect,
  by: 'token',
  without: [],
  why,
})

/** What people do on a server that is no operation: who is there, and what they hold. Agents do none of it. */
export const TEAM_ACTIONS = {
  list_people: of('viewer', 'read', 'organisation', 'People see whom they work with.'),
  invite_person: of('admin', 'write', 'organisation', 'It lets somebody in.'),
  change_person: of('admin', 'write', 'organisation', 'It changes what somebody may do.'),
  remove_person: of('admin', 'write', 'organisation', 'It shuts somebody out.'),
  list_invitations: of('admin', 'read', 'organisation', 'Addresses of people who are not here yet.'),
  create_project: of('member', 'write', 'organisation', 'It begins something new, and changes nothing.'),
  change_project: of('admin', 'write', 'project', 'It changes who gets at the project.'),
  list_members: of('viewer', 'read', 'project', 'People see whom they work with.'),
  set_member: of('admin', 'write', 'project', 'It changes what somebody may do.'),
  share_memory: of('member', 'write', 'project', 'A person gives what is theirs, and takes it back.'),
  list_shared: of('viewer', 'read', 'project', 'People see what is shared with them.'),
  // A token that made tokens could make one that may do more than itself.
  keep_own_tokens: {
    ...of('viewer', 'write', 'organisation', 'A token never does more than its person.'),
    by: 'browser',
  },
  keep_own_sessions: { ...of('viewer', 'write', 'organisation', 'One’s own browsers and passkeys.'), by: 'browser' },
  end_access_of_others: of('admin', 'write', 'organisation', 'Tokens and sessions of somebody else, to end them.'),
} as const satisfies Record<string, Permission>
