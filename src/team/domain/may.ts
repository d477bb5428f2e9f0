import { AppError } from '../../kernel/domain/errors.ts'
import { THROUGH, reachesMachine, type Permission, type Through } from './permission.ts'
import type { SeenProject } from './person.ts'
import { isAtLeast, type Role, type Scope } from './role.ts'

/** The caller, as proved by a session or a token. */
export interface Caller {
  readonly person: string
  readonly organisation: string
  /** Role in the organisation. */
  readonly role: Role
  readonly through: Through
  readonly scopes: readonly Scope[]
  /** Ids of the projects that a token is for; undefined for all projects of its person. */
  readonly projects: readonly string[] | undefined
  /** Id of the token, grant or session used. */
  readonly held?: string
  /** The person's projects, if authentication read them: `at` is `performance.now()` before it did. */
  readonly seen?: { readonly projects: readonly SeenProject[]; readonly at: number }
}

/** A project as looked up for the caller, with the role of the caller's person in it. */
export interface Standing {
  readonly project: string
  readonly organisation: string
  /** Undefined if the person has no access. */
  readonly role: Role | undefined
}

export interface Call {
  readonly permission: Permission | undefined
  /** Undefined if the named project does not exist, or none was named. */
  readonly standing: Standing | undefined
  /** Input as parsed by the operation's schema: a caller may spell a field in another way. */
  readonly input: Readonly<Record<string, unknown>>
}

export type Verdict =
  | { readonly may: true }
  | { readonly may: false; readonly code: 'not_found' | 'forbidden'; readonly why: string }

/**
 * Whether a caller has permission. A project of another organisation, one without access, one outside a token's scope
 * and one that does not exist get the same answer; this is checked first, so that no other answer distinguishes them.
 */
export function may(caller: Caller, { permission, standing, input }: Call): Verdict {
  if (permission === undefined || permission.least === 'nobody') return refused('This is not offered on a server.')
  const role = permission.of === 'organisation' ? caller.role : roleAt(caller, standing)
  if (role === undefined) return { may: false, code: 'not_found', why: 'Project not found.' }
  if (permission.of === 'organisation' && standing !== undefined && roleAt(caller, standing) === undefined)
    return { may: false, code: 'not_found', why: 'Project not found.' }
  if (permission.of === 'organisation' && caller.projects !== undefined && permission.least === 'admin')
    return refused('This token is limited to other projects.')
  if (THROUGH.indexOf(caller.through) > THROUGH.indexOf(permission.by)) return refused(NEEDS[permission.by])
  if (!caller.scopes.includes(permission.scope))
    return refused(`This needs a token with the scope ${permission.scope}.`)
  if (!isAtLeast(role, permission.least)) return refused(`This needs the role ${permission.least}.`)
  const field = permission.without.find((name) => Object.hasOwn(input, name) && reachesMachine(input[name]))
  if (field !== undefined) return refused(`A server does not take \`${field}\`: that is for a terminal.`)
  return { may: true }
}

/** Throws if `may` refuses. */
export function assertMay(caller: Caller, call: Call): void {
  const verdict = may(caller, call)
  if (!verdict.may) throw new AppError(verdict.code, verdict.why, { hint: HINTS[verdict.code] })
}

const NEEDS: Readonly<Record<Through, string>> = {
  browser: 'A person does this, signed in with a browser.',
  token: 'A person does this, not an agent.',
  agent: 'This is not offered on a server.',
}

const HINTS = {
  not_found: 'List the projects you may see.',
  forbidden: 'Ask an admin of your organisation, or use another token.',
} as const

function roleAt(caller: Caller, standing: Standing | undefined): Role | undefined {
  if (standing === undefined || standing.organisation !== caller.organisation) return undefined
  if (caller.projects !== undefined && !caller.projects.includes(standing.project)) return undefined
  return standing.role
}

const refused = (why: string): Verdict => ({ may: false, code: 'forbidden', why })

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
