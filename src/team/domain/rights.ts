import { may, type Caller } from './may.ts'
import type { Permission } from './permission.ts'
import { isAtLeast, type Role } from './role.ts'

/** What a caller may, as far as it can be told before a call: who they are, and what in which of their projects. */
export interface Rights {
  readonly caller: Caller
  readonly projects: readonly { readonly id: string; readonly role: Role }[]
}

/** Whether there is a place where the caller may; what a call asks for is judged when it comes. */
export const mayAnywhere = ({ caller, projects }: Rights, permission: Permission | undefined): boolean =>
  permission?.of === 'organisation'
    ? may(caller, { permission, standing: undefined, input: {} }).may
    : projects.some(
        ({ id, role }) =>
          may(caller, {
            permission,
            standing: { project: id, organisation: caller.organisation, role },
            input: {},
          }).may,
      )

/** Whether nothing was taken away since: who has more than before has all of it. */
export const isNoLess = (before: Rights, now: Rights): boolean =>
  now.caller.person === before.caller.person &&
  isAtLeast(now.caller.role, before.caller.role) &&
  before.caller.scopes.every((scope) => now.caller.scopes.includes(scope)) &&
  before.projects.every(({ id, role }) => now.projects.some((one) => one.id === id && isAtLeast(one.role, role)))
