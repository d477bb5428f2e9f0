import type { Role } from './role.ts'

/** Details missing from an operation's declaration. */
export interface PermissionLine {
  readonly least: Role | 'nobody'
  /** Scope of the role; the project by default. */
  readonly of?: 'organisation' | 'project'
  /** Scope of the token, if the operation's effect is wider on a machine than on a server. */
  readonly scope?: 'read'
  /** Allowed only for a signed-in person, not for a token. */
  readonly by?: 'browser'
  readonly why: string
}

const READ: PermissionLine = { least: 'viewer', why: 'It reads.' }
const PRINTED: PermissionLine = { least: 'viewer', scope: 'read', why: 'It reads; a server writes no file.' }
const WRITE: PermissionLine = { least: 'member', why: 'It writes.' }
const OWN: PermissionLine = { least: 'member', why: 'It takes away what is the caller’s own.' }
const COMMENT: PermissionLine = { least: 'viewer', why: 'Who may read a story may comment on it.' }
const REACHES: PermissionLine = { least: 'member', why: 'It reaches what the team pays for or must protect.' }
const PAST: PermissionLine = { least: 'admin', why: 'It changes or takes away what others wrote.' }
const SOURCES: PermissionLine = { least: 'admin', why: 'It says what the project is compiled from and may reach.' }
const NOTICES: PermissionLine = { least: 'admin', why: 'It says where news of the project is sent.' }
const PEOPLE: PermissionLine = { least: 'admin', of: 'organisation', why: 'It changes who is let in.' }
const MEMBERS: PermissionLine = { least: 'admin', why: 'It changes who gets at the project.' }
const PROJECTS: PermissionLine = { least: 'admin', of: 'organisation', why: 'It is about whole projects.' }
const HELD: PermissionLine = { least: 'viewer', by: 'browser', why: 'One’s own access.' }

/**
 * A command for people that a server offers must be listed here or is refused; other operations only if their effect
 * alone does not determine the permission. Operations that a server does not offer have no line.
 */
export const PERMISSION_LINES: Readonly<Record<string, PermissionLine>> = {
  questions: READ,
  graph: PRINTED,
  log: READ,
  export_adr: PRINTED,
  journal: READ,
  doctor: READ,
  verify: READ,
  source_list: READ,
  context_in_use: READ,
  jot: WRITE,
  accept: WRITE,
  conflicts: READ,
  resolve_conflict: WRITE,
  edit: WRITE,
  undo: WRITE,
  redo: WRITE,
  chat_delete: OWN,
  memories_forget: OWN,
  story_comment: COMMENT,
  story_comment_resolve: COMMENT,
  story_comment_remove: {
    least: 'viewer',
    why: 'A person takes back their own comment; an admin of the project anybody’s.',
  },
  execute_sql: REACHES,
  story_refresh: REACHES,
  // Rows that a person queried from a database.
  read_result: REACHES,
  questions_migrate: PAST,
  restore: PAST,
  redact_words: PAST,
  context_git: SOURCES,
  context_git_set: SOURCES,
  context_git_pull: SOURCES,
  context_git_hook: SOURCES,
  context_git_remove: SOURCES,
  webhooks: NOTICES,
  webhook_add: NOTICES,
  webhook_remove: NOTICES,
  webhook_test: NOTICES,
  create_project: { least: 'member', of: 'organisation', why: 'It begins something new, and changes nothing.' },
  update_stack: WRITE,
  share_context: WRITE,
  people_list: { least: 'viewer', why: 'People see whom they work with.' },
  people_invite: PEOPLE,
  people_add: PEOPLE,
  people_change: PEOPLE,
  name_change: { least: 'viewer', of: 'organisation', why: 'One’s own name.' },
  people_remove: PEOPLE,
  people_sign_out: PEOPLE,
  invitations_list: PEOPLE,
  invitation_withdraw: PEOPLE,
  project_members: { least: 'viewer', why: 'People see whom they work with.' },
  project_grant: MEMBERS,
  project_revoke: MEMBERS,
  project_change: MEMBERS,
  sharing_show: { least: 'member', why: 'An owner sees who reads what is theirs.' },
  sharing_set: { least: 'member', why: 'A person gives what is theirs, and takes it back.' },
  sharing_end: {
    least: 'member',
    why: 'A person takes back what is theirs; an admin of the project what is anybody’s.',
  },
  sharing_list: { least: 'admin', why: 'It tells what others share.' },
  replay_rule: { least: 'viewer', why: 'Everybody knows whether others may read their chats.' },
  replay_change: { least: 'admin', why: 'It opens everybody’s chats to the admins, or closes them.' },
  replay_chats: { least: 'admin', why: 'It reads chats of others, where the project says so.' },
  replay_show: { least: 'admin', why: 'It reads chats of others, where the project says so.' },
  project_usage: { least: 'viewer', why: 'Each sees their own and the total; an admin of the project everybody’s.' },
  project_archive: PROJECTS,
  project_unarchive: PROJECTS,
  projects_archived: PROJECTS,
  audit_log: { least: 'admin', of: 'organisation', why: 'It tells what people did, and from where.' },
  project_audit: { least: 'admin', why: 'It tells what people did, and from where.' },
  retention: { least: 'viewer', of: 'organisation', why: 'People see how long things about them are kept.' },
  retention_set: { least: 'admin', of: 'organisation', why: 'It decides what is deleted.' },
  // A token that could create tokens could create one with more permissions.
  token_create: HELD,
  token_list: HELD,
  token_revoke: HELD,
  sessions_list: HELD,
  session_end: HELD,
  grants_list: HELD,
  grant_revoke: HELD,
}
