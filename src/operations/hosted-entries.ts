import { entry, type TypedEntry } from './registry-entry.ts'

/** One that only a team server has: no command leads to it. */
const hosted = <const N extends string, O extends { readonly name: N }>(
  name: N,
  load: () => Promise<O>,
): TypedEntry<N, O> => entry(name, 'team', [], load)

/** What a team server has beside the operations of a machine, in the order it is shown. */
export const HOSTED_ENTRIES = [
  hosted('create_project', () => import('./team/create-project.ts').then((file) => file.createProject)),
  hosted('update_stack', () => import('./team/update-stack.ts').then((file) => file.updateStack)),
  hosted('share_context', () => import('./team/share-context.ts').then((file) => file.shareContext)),
  hosted('people_list', () => import('./team/people.ts').then((file) => file.peopleList)),
  hosted('people_invite', () => import('./team/invitations.ts').then((file) => file.peopleInvite)),
  hosted('people_change', () => import('./team/people.ts').then((file) => file.peopleChange)),
  hosted('people_remove', () => import('./team/people.ts').then((file) => file.peopleRemove)),
  hosted('people_sign_out', () => import('./team/people.ts').then((file) => file.peopleSignOut)),
  hosted('invitations_list', () => import('./team/invitations.ts').then((file) => file.invitationsList)),
  hosted('invitation_withdraw', () => import('./team/invitations.ts').then((file) => file.invitationWithdraw)),
  hosted('project_members', () => import('./team/members.ts').then((file) => file.projectMembers)),
  hosted('project_grant', () => import('./team/members.ts').then((file) => file.projectGrant)),
  hosted('project_revoke', () => import('./team/members.ts').then((file) => file.projectRevoke)),
  hosted('project_change', () => import('./team/projects.ts').then((file) => file.projectChange)),
  hosted('project_archive', () => import('./team/projects.ts').then((file) => file.projectArchive)),
  hosted('project_unarchive', () => import('./team/projects.ts').then((file) => file.projectUnarchive)),
  hosted('projects_archived', () => import('./team/projects.ts').then((file) => file.projectsArchived)),
  hosted('audit_log', () => import('./team/audit-log.ts').then((file) => file.auditLog)),
  hosted('project_audit', () => import('./team/audit-log.ts').then((file) => file.projectAudit)),
  hosted('retention', () => import('./team/retention.ts').then((file) => file.retention)),
  hosted('retention_set', () => import('./team/retention.ts').then((file) => file.retentionSet)),
  hosted('token_create', () => import('./team/tokens.ts').then((file) => file.tokenCreate)),
  hosted('token_list', () => import('./team/tokens.ts').then((file) => file.tokenList)),
  hosted('token_revoke', () => import('./team/tokens.ts').then((file) => file.tokenRevoke)),
  hosted('sessions_list', () => import('./team/access.ts').then((file) => file.sessionsList)),
  hosted('session_end', () => import('./team/access.ts').then((file) => file.sessionEnd)),
  hosted('grants_list', () => import('./team/access.ts').then((file) => file.grantsList)),
  hosted('grant_revoke', () => import('./team/access.ts').then((file) => file.grantRevoke)),
]
