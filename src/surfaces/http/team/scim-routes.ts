import type { Hono } from 'hono'
import { AppError } from '../../../kernel/domain/errors.ts'
import { spellNames } from '../../../kernel/domain/named-operation.ts'
import { toAppError } from '../../../kernel/domain/to-app-error.ts'
import { visibleDeep } from '../../../kernel/domain/trust/visible.ts'
import { call } from '../../../operations/call.ts'
import type { Operation } from '../../../operations/operation.ts'
import { FOR_PROGRAMS } from '../../../operations/spelling.ts'
import { emailAddress } from '../../../team/domain/email-address.ts'
import {
  readFilter,
  readGroup,
  readGroupPatch,
  readUser,
  readUserPatch,
  scimError,
  type Filter,
  type GroupChange,
  type UserChange,
} from '../../../team/domain/scim/requests.ts'
import {
  errorResource,
  groupResource,
  LARGEST_PAGE,
  listResource,
  resourceTypes,
  schemas,
  serviceProviderConfig,
  userResource,
  type ScimGroup,
  type ScimPerson,
} from '../../../team/domain/scim/resources.ts'
import type { Asker } from '../operation-routes.ts'
import { failureHead, nothingHere } from '../refusals.ts'
import { boundedBytes } from './bounded-bytes.ts'

export interface ScimOptions {
  readonly operations: readonly Operation[]
  readonly publicUrl: string
  trace?(thrown: unknown): void
}

const ROOT = '/scim/v2'
const LARGEST = 1024 * 1024

/**
 * SCIM 2.0 (RFC 7643 and 7644) for identity providers: users are people, groups are the people with a role in a
 * project. Every request runs operations, with the rights of its token.
 */
export function addScim<V extends { asker: Asker }>(app: Hono<{ Variables: V }>, options: ScimOptions): void {
  const root = `${options.publicUrl}${ROOT}`
  const operations = new Map(options.operations.map((one) => [one.name, one]))
  const route = (method: string, path: string, answer: (asked: Asked) => Promise<Answered> | Answered): void => {
    app.on(method, `${ROOT}${path}`, async (c) => {
      const asker = c.get('asker')
      if (asker.surface !== 'http') return nothingHere()
      const run: Run = async (name, input) => {
        const context = await asker.context({ anywhere: true })
        return (await call(context, operations.get(name)!, input)).output
      }
      try {
        const { searchParams: query } = new URL(c.req.url)
        const {
          status = 200,
          body,
          at,
        } = await answer({ root, run, query, id: c.req.param('id') ?? '', request: c.req.raw })
        return scimResponse(status, body, at === undefined ? {} : { location: at })
      } catch (thrown) {
        options.trace?.(thrown)
        return failed(toAppError(thrown))
      }
    })
  }
  route('GET', '/ServiceProviderConfig', () => ({ body: serviceProviderConfig(root) }))
  route('GET', '/ResourceTypes', () => listed(resourceTypes(root)))
  route('GET', '/ResourceTypes/:id', ({ id }) => ({ body: sole(resourceTypes(root), id) }))
  route('GET', '/Schemas', () => listed(schemas(root)))
  route('GET', '/Schemas/:id', ({ id }) => ({ body: sole(schemas(root), id) }))
  route('GET', '/Users', users)
  route('POST', '/Users', addUser)
  route('GET', '/Users/:id', async (asked) => shown(asked, await userNamed(asked)))
  route('PUT', '/Users/:id', async (asked) => changeUser(asked, readUser(await bodyOf(asked))))
  route('PATCH', '/Users/:id', async (asked) => changeUser(asked, readUserPatch(await bodyOf(asked))))
  route('DELETE', '/Users/:id', async (asked) => {
    await asked.run('people_remove', { person: asked.id })
    return { status: 204 }
  })
  route('GET', '/Groups', groups)
  route('POST', '/Groups', addGroup)
  route('GET', '/Groups/:id', async (asked) => shownGroup(asked, await groupNamed(asked)))
  route('PUT', '/Groups/:id', async (asked) => changeGroup(asked, readGroup(await bodyOf(asked))))
  route('PATCH', '/Groups/:id', async (asked) => changeGroup(asked, readGroupPatch(await bodyOf(asked))))
  route('DELETE', '/Groups/:id', async (asked) => {
    await changeGroup(asked, { only: [], add: [], remove: [] })
    return { status: 204 }
  })
}

type Run = (operation: string, input: object) => Promise<Record<string, unknown>>

interface Asked {
  readonly root: string
  readonly run: Run
  readonly query: URLSearchParams
  readonly id: string
  readonly request: Request
}

interface Answered {
  readonly status?: number
  readonly body?: object
  /** The address of the created resource. */
  readonly at?: string
}

const peopleOf = async ({ run }: Asked): Promise<readonly ScimPerson[]> =>
  (await run('people_list', { left: true }))['people'] as readonly ScimPerson[]

const shown = ({ root }: Asked, person: ScimPerson): Answered => ({ body: userResource(root, person) })

async function userNamed(asked: Asked): Promise<ScimPerson> {
  const found = (await peopleOf(asked)).find(({ id }) => id === asked.id)
  if (found === undefined) throw new AppError('not_found', 'Person not found.')
  return found
}

const USER_FILTERS: Readonly<Record<string, (person: ScimPerson) => string>> = {
  id: ({ id }) => id,
  username: ({ email }) => email,
  emails: ({ email }) => email,
  'emails.value': ({ email }) => email,
  displayname: ({ name }) => name,
  active: ({ left_at }) => String(left_at === undefined),
}

async function users(asked: Asked): Promise<Answered> {
  const found = filtered(await peopleOf(asked), filterOf(asked), USER_FILTERS)
  return page(asked, found, async (person) => userResource(asked.root, person))
}

async function addUser(asked: Asked): Promise<Answered> {
  const { userName, active, ...wanted } = readUser(await bodyOf(asked))
  if (userName === undefined) throw scimError('invalidValue', 'userName is missing: the address of the person.')
  if (active === false) throw scimError('invalidValue', 'A new person is active.')
  const email = emailAddress(userName)
  if ((await peopleOf(asked)).some((one) => one.email === email && one.left_at === undefined))
    throw new AppError('conflict', 'A person with this address already exists.', {
      details: { scimType: 'uniqueness' },
    })
  const person = (await asked.run('people_add', { email, ...wanted }))['person'] as ScimPerson
  return { ...shown(asked, person), status: 201, at: `${asked.root}/Users/${person.id}` }
}

async function changeUser(asked: Asked, { userName, active, ...wanted }: UserChange): Promise<Answered> {
  const person = await userNamed(asked)
  if (userName !== undefined && emailAddress(userName) !== person.email)
    throw scimError('mutability', 'The address of a person cannot be changed. Add the new address as another person.')
  if (person.left_at !== undefined && active !== true) return shown(asked, person)
  if (person.left_at !== undefined)
    return shown(asked, (await asked.run('people_add', { email: person.email, ...wanted }))['person'] as ScimPerson)
  if (active === false) {
    await asked.run('people_remove', { person: person.id })
    return shown(asked, await userNamed(asked))
  }
  const isSame = (wanted.role ?? person.role) === person.role && (wanted.name ?? person.name) === person.name
  if (isSame) return shown(asked, person)
  return shown(asked, (await asked.run('people_change', { person: person.id, ...wanted }))['person'] as ScimPerson)
}

interface Project {
  readonly id: string
  readonly name: string
}

const projectsOf = async ({ run }: Asked): Promise<readonly Project[]> =>
  (await run('list_projects', {}))['projects'] as readonly Project[]

/** The people with an explicit role in a project, except admins, who are managed only in Ken. */
async function membersOf({ run }: Asked, project: string): Promise<NonNullable<ScimGroup['members']>> {
  const { members } = await run('project_members', { project_id: project })
  return (members as readonly (Project & { role: string })[]).filter(({ role }) => role !== 'admin')
}

async function groupNamed(asked: Asked): Promise<Project> {
  const found = (await projectsOf(asked)).find(({ id }) => id === asked.id)
  if (found === undefined) throw new AppError('not_found', 'Project not found.')
  return found
}

const shownGroup = async (asked: Asked, project: Project): Promise<Answered> => ({
  body: await groupOf(asked, project),
})

async function groupOf(asked: Asked, { id, name }: Project): Promise<object> {
  const without = (asked.query.get('excludedAttributes') ?? '').toLowerCase().split(',')
  const members = without.some((one) => one.trim() === 'members') ? undefined : await membersOf(asked, id)
  return groupResource(asked.root, { id, name, members })
}

const GROUP_FILTERS: Readonly<Record<string, (project: Project) => string>> = {
  id: ({ id }) => id,
  displayname: ({ name }) => name,
}

async function groups(asked: Asked): Promise<Answered> {
  const found = filtered(await projectsOf(asked), filterOf(asked), GROUP_FILTERS)
  return page(asked, found, (project) => groupOf(asked, project))
}

async function addGroup(asked: Asked): Promise<Answered> {
  const { displayName, only = [] } = readGroup(await bodyOf(asked))
  const name = displayName?.trim().toLowerCase()
  const project = (await projectsOf(asked)).find((one) => one.name.toLowerCase() === name)
  if (project === undefined)
    throw scimError('invalidValue', 'A group is a project. Create a project with this name first.')
  const { body } = await changeGroup({ ...asked, id: project.id }, { add: only, remove: [] })
  return { status: 201, body: body!, at: `${asked.root}/Groups/${project.id}` }
}

async function changeGroup(asked: Asked, { displayName, only, add, remove }: GroupChange): Promise<Answered> {
  const project = await groupNamed(asked)
  if (displayName !== undefined && displayName.toLowerCase() !== project.name.toLowerCase())
    throw scimError('mutability', 'Rename the project in Ken instead.')
  const [people, all] = [await peopleOf(asked), await asked.run('project_members', { project_id: project.id })]
  const members = all['members'] as readonly { readonly id: string; readonly role: string }[]
  const here = new Map(members.map(({ id, role }) => [id, role]))
  const current = new Map(people.flatMap((one) => (one.left_at === undefined ? [[one.id, one] as const] : [])))
  const added = new Set([...(only ?? []), ...add])
  for (const id of added)
    if (!current.has(id)) throw scimError('invalidValue', `No person of the organisation has the id ${id}.`)
  const leaving = new Set(only === undefined ? remove : [...here.keys(), ...remove].filter((id) => !added.has(id)))
  for (const id of added)
    if (!here.has(id)) {
      const role = current.get(id)!.role === 'viewer' ? 'viewer' : 'member'
      await asked.run('project_grant', { project_id: project.id, person: id, role })
    }
  for (const id of leaving)
    if (here.has(id) && here.get(id) !== 'admin')
      await asked.run('project_revoke', { project_id: project.id, person: id })
  return shownGroup(asked, project)
}

const filterOf = ({ query }: Asked): Filter | undefined => readFilter(query.get('filter') ?? undefined)

function filtered<T>(
  all: readonly T[],
  filter: Filter | undefined,
  attributes: Readonly<Record<string, (one: T) => string>>,
): readonly T[] {
  if (filter === undefined) return all
  const valueOf = Object.hasOwn(attributes, filter.attribute) ? attributes[filter.attribute]! : undefined
  if (valueOf === undefined)
    throw scimError('invalidFilter', `Filters by ${Object.keys(attributes).join(', ')} are supported.`)
  const value = filter.value.toLowerCase()
  return all.filter((one) => valueOf(one).toLowerCase() === value)
}

/** A page of a list; `startIndex` is 1-based, as required by RFC 7644. */
async function page<T>({ query }: Asked, all: readonly T[], show: (one: T) => Promise<object>): Promise<Answered> {
  const start = Math.max(1, numberIn(query, 'startIndex', 1))
  const count = Math.min(LARGEST_PAGE, Math.max(0, numberIn(query, 'count', LARGEST_PAGE)))
  const resources: object[] = []
  for (const one of all.slice(start - 1, start - 1 + count)) resources.push(await show(one))
  return { body: listResource(resources, all.length, start) }
}

function numberIn(query: URLSearchParams, key: string, otherwise: number): number {
  const text = query.get(key)
  if (text === null) return otherwise
  if (!/^-?\d{1,9}$/.test(text)) throw scimError('invalidValue', `${key} is a whole number.`)
  return Number(text)
}

const listed = (resources: readonly object[]): Answered => ({ body: listResource(resources, resources.length, 1) })

function sole(resources: readonly object[], id: string): object {
  const found = resources.find((one) => (one as { readonly id?: string }).id === id)
  if (found === undefined) throw new AppError('not_found', 'Unknown to this server.')
  return found
}

async function bodyOf({ request }: Asked): Promise<unknown> {
  const bytes = await boundedBytes(request, { largest: LARGEST })
  if (bytes === undefined) throw scimError('tooMany', 'The body is too large.')
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown
  } catch {
    throw scimError('invalidSyntax', 'The body is not JSON.')
  }
}

function failed(error: AppError): Response {
  const { status, headers } = failureHead(error)
  const type = error.details?.['scimType']
  const detail = spellNames([error.message, error.hint].filter(Boolean).join(' '), FOR_PROGRAMS)
  return scimResponse(status, errorResource(status, detail, typeof type === 'string' ? type : undefined), headers)
}

const scimResponse = (status: number, body: object | undefined, headers: Readonly<Record<string, string>>): Response =>
  new Response(body === undefined ? null : JSON.stringify(visibleDeep(body)), {
    status,
    headers: { ...(body && { 'content-type': 'application/scim+json' }), ...headers },
  })
