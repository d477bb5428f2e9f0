import { AppError } from '../../../kernel/domain/errors.ts'
import { ROLES, type Role } from '../role.ts'

/** What a request wants to change about a person; undefined for what it omits. */
export interface UserChange {
  readonly userName?: string
  readonly name?: string
  readonly role?: Role
  readonly active?: boolean
}

/** The requested change to a group's members. */
export interface GroupChange {
  readonly displayName?: string
  /** The only members from now on. */
  readonly only?: readonly string[]
  readonly add: readonly string[]
  readonly remove: readonly string[]
}

export interface Filter {
  /** In lower case, because attribute names are compared case-insensitively. */
  readonly attribute: string
  readonly value: string
}

/** A refused request; `type` is a `scimType` of RFC 7644, 3.12. */
export const scimError = (type: string, message: string): AppError =>
  new AppError('invalid_input', message, { details: { scimType: type } })

const EQUALS = /^\s*([\w.:-]+)\s+eq\s+("(?:[^"\\]|\\.)*"|true|false)\s*$/i

/** `attribute eq "value"`, which is what identity providers send; other filters are refused. */
export function readFilter(text: string | undefined): Filter | undefined {
  if (text === undefined || text.trim() === '') return undefined
  const found = EQUALS.exec(text)
  if (found === null) throw scimError('invalidFilter', 'Only filters like userName eq "ada@example.com" are supported.')
  const [, attribute, value] = found
  try {
    return { attribute: attribute!.toLowerCase(), value: String(JSON.parse(value!)) }
  } catch {
    throw scimError('invalidFilter', 'The value of the filter is not a valid JSON string.')
  }
}

/** The attributes of a user as in POST and PUT. Unknown attributes are ignored: providers send their whole directory. */
export function readUser(body: unknown): UserChange {
  const user = fieldsOf(body)
  return {
    ...textAs('userName', user.get('username')),
    ...nameIn(user),
    ...roleIn(user.get('roles')),
    ...activeIn(user.get('active')),
  }
}

/** A PATCH of a user, its operations merged in order. Names of operations and attributes are compared without case. */
export function readUserPatch(body: unknown): UserChange {
  let change: UserChange = {}
  for (const { op, path, value } of operationsIn(body)) {
    if (op === 'remove') {
      // Removing an attribute that Ken does not keep changes nothing.
      if (path === 'username' || path === 'active' || path.startsWith('roles'))
        throw scimError('mutability', `${path} cannot be removed.`)
      continue
    }
    const given = path === '' ? value : { [path.startsWith('roles') ? 'roles' : path]: value }
    change = { ...change, ...readUser(given) }
  }
  return change
}

/** The attributes of a group as in POST and PUT. */
export function readGroup(body: unknown): GroupChange {
  const group = fieldsOf(body)
  return {
    ...textAs('displayName', group.get('displayname')),
    only: idsIn(group.get('members') ?? []),
    add: [],
    remove: [],
  }
}

const ONE_MEMBER = /^members\[\s*value\s+eq\s+"([^"\\]*)"\s*\]$/i

/** A PATCH of a group; an id that is added and then removed is only removed, and the other way round. */
export function readGroupPatch(body: unknown): GroupChange {
  let displayName: string | undefined
  let only: readonly string[] | undefined
  const add = new Set<string>()
  const remove = new Set<string>()
  const put = (ids: readonly string[]) => {
    for (const id of ids) {
      remove.delete(id)
      add.add(id)
    }
  }
  const take = (ids: readonly string[]) => {
    only = only?.filter((id) => !ids.includes(id))
    for (const id of ids) {
      add.delete(id)
      remove.add(id)
    }
  }
  for (const { op, path, value } of operationsIn(body)) {
    const one = ONE_MEMBER.exec(path)
    const members = path === 'members' ? value : path === '' ? fieldsOf(value).get('members') : undefined
    if (one !== null && op === 'remove') take([one[1]!])
    else if (path === 'members' && op === 'remove' && value === undefined) {
      add.clear()
      only = []
    } else if (members !== undefined && op === 'replace') {
      add.clear()
      remove.clear()
      only = idsIn(members)
    } else if (members !== undefined) (op === 'add' ? put : take)(idsIn(members))
    const named = path === 'displayname' ? value : path === '' ? fieldsOf(value).get('displayname') : undefined
    if (typeof named === 'string') displayName = named
  }
  return {
    ...(displayName !== undefined && { displayName }),
    ...(only !== undefined && { only }),
    add: [...add],
    remove: [...remove],
  }
}

interface PatchOperation {
  readonly op: 'add' | 'replace' | 'remove'
  /** Without the schema, lower case except for quoted values; empty for the whole resource. */
  readonly path: string
  readonly value: unknown
}

const MOST_OPERATIONS = 100
const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/i

function operationsIn(body: unknown): readonly PatchOperation[] {
  const given = fieldsOf(body).get('operations')
  if (!Array.isArray(given) || given.length === 0) throw scimError('invalidSyntax', 'A PATCH needs Operations.')
  if (given.length > MOST_OPERATIONS)
    throw scimError('tooMany', `A PATCH may have at most ${MOST_OPERATIONS} operations.`)
  return given.map((one) => {
    const fields = fieldsOf(one)
    const op = String(fields.get('op')).toLowerCase()
    if (op !== 'add' && op !== 'replace' && op !== 'remove')
      throw scimError('invalidSyntax', 'An operation is add, replace or remove.')
    const path = String(fields.get('path') ?? '').replace(CORE, '')
    return { op, path: path.replace(/^[^[]*/, (name) => name.toLowerCase()), value: fields.get('value') }
  })
}

function fieldsOf(value: unknown): ReadonlyMap<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw scimError('invalidSyntax', 'An object is needed.')
  return new Map(Object.entries(value).map(([name, held]) => [name.replace(CORE, '').toLowerCase(), held]))
}

function nameIn(user: ReadonlyMap<string, unknown>): Pick<UserChange, 'name'> {
  const structured = user.get('name')
  const parts = typeof structured === 'object' && structured !== null ? fieldsOf(structured) : undefined
  const part = (name: string): string => {
    const value = parts?.get(name) ?? user.get(`name.${name}`)
    return typeof value === 'string' ? value.trim() : ''
  }
  const shown = user.get('displayname')
  const name = [
    typeof shown === 'string' ? shown.trim() : '',
    part('formatted'),
    `${part('givenname')} ${part('familyname')}`.trim(),
  ].find((one) => one !== '')
  return name === undefined ? {} : { name }
}

/** A role as text, as `{ value }`, or as the primary or first entry in a list of these. */
function roleIn(value: unknown): Pick<UserChange, 'role'> {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return {}
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  const entries = list.map((one) =>
    typeof one === 'object' && one !== null ? fieldsOf(one) : new Map<string, unknown>([['value', one]]),
  )
  const chosen = entries.find((one) => isTrue(one.get('primary'))) ?? entries[0]!
  const named = String(chosen.get('value')).toLowerCase()
  const role = ROLES.find((one) => one === named)
  if (role === undefined) throw scimError('invalidValue', `A role is one of ${ROLES.join(', ')}.`)
  return { role }
}

function activeIn(value: unknown): Pick<UserChange, 'active'> {
  if (value === undefined) return {}
  // Some providers send the words "True" and "False".
  if (isTrue(value)) return { active: true }
  if (value === false || String(value).toLowerCase() === 'false') return { active: false }
  throw scimError('invalidValue', 'active is true or false.')
}

const isTrue = (value: unknown): boolean => value === true || String(value).toLowerCase() === 'true'

function textAs<K extends string>(key: K, value: unknown): { readonly [P in K]?: string } {
  if (value === undefined) return {}
  if (typeof value !== 'string') throw scimError('invalidValue', `${key} is a text.`)
  return { [key]: value } as { readonly [P in K]?: string }
}

function idsIn(members: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(members) ? members : [members]
  return list.map((one) => {
    const id = typeof one === 'object' && one !== null ? fieldsOf(one).get('value') : one
    if (typeof id !== 'string' || id === '')
      throw scimError('invalidValue', 'A member needs the id of a person as its value.')
    return id
  })
}
