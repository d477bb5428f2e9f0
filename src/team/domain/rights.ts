import { may, type Caller } from './may.ts'
import type { Permission } from './permission.ts'
import { isAtLeast, type Role } from './role.ts'

/** A caller's permissions as far as known before a call: the caller, and their role in each of their projects. */
export interface Rights {
  readonly caller: Caller
  readonly projects: readonly { readonly id: string; readonly role: Role }[]
}

/** Whether the caller has permission anywhere; each call is still checked separately. */
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

/** Whether no permission was removed between the two; additional permissions are allowed. */
export const isNoLess = (before: Rights, now: Rights): boolean =>
  now.caller.person === before.caller.person &&
  isAtLeast(now.caller.role, before.caller.role) &&
  before.caller.scopes.every((scope) => now.caller.scopes.includes(scope)) &&
  before.projects.every(({ id, role }) => now.projects.some((one) => one.id === id && isAtLeast(one.role, role)))
