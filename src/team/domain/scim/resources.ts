import type { Role } from '../role.ts'

const CORE = 'urn:ietf:params:scim:schemas:core:2.0:'
const API = 'urn:ietf:params:scim:api:messages:2.0:'
/** The largest page of a list. */
export const LARGEST_PAGE = 200

export interface ScimPerson {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly since: string
  readonly left_at?: string | undefined
}

export interface ScimGroup {
  readonly id: string
  readonly name: string
  readonly members: readonly { readonly id: string; readonly name: string }[] | undefined
}

/** `root` is the address of this service, without a slash at its end. */
export const userResource = (root: string, { id, email, name, role, since, left_at }: ScimPerson): object => ({
  schemas: [`${CORE}User`],
  id,
  userName: email,
  displayName: name,
  name: { formatted: name },
  emails: [{ value: email, type: 'work', primary: true }],
  active: left_at === undefined,
  roles: [{ value: role, primary: true }],
  meta: { resourceType: 'User', created: since, location: `${root}/Users/${id}` },
})

export const groupResource = (root: string, { id, name, members }: ScimGroup): object => ({
  schemas: [`${CORE}Group`],
  id,
  displayName: name,
  ...(members && {
    members: members.map((one) => ({
      value: one.id,
      display: one.name,
      type: 'User',
      $ref: `${root}/Users/${one.id}`,
    })),
  }),
  meta: { resourceType: 'Group', location: `${root}/Groups/${id}` },
})

export const listResource = (resources: readonly object[], total: number, startIndex: number): object => ({
  schemas: [`${API}ListResponse`],
  totalResults: total,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
})

export const errorResource = (status: number, detail: string, scimType: string | undefined): object => ({
  schemas: [`${API}Error`],
  status: String(status),
  ...(scimType !== undefined && { scimType }),
  detail,
})

export const serviceProviderConfig = (root: string): object => ({
  schemas: [`${CORE}ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: LARGEST_PAGE },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Token',
      description: 'A personal token of an admin, with the scopes read and admin.',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${root}/ServiceProviderConfig` },
})

const resourceType = (root: string, name: 'User' | 'Group', description: string): object => ({
  schemas: [`${CORE}ResourceType`],
  id: name,
  name,
  endpoint: `/${name}s`,
  description,
  schema: `${CORE}${name}`,
  meta: { resourceType: 'ResourceType', location: `${root}/ResourceTypes/${name}` },
})

export const resourceTypes = (root: string): readonly object[] => [
  resourceType(root, 'User', 'A person of the organisation.'),
  resourceType(root, 'Group', 'The people with a role in a project.'),
]

interface Attribute {
  readonly name: string
  readonly type?: 'string' | 'boolean' | 'complex' | 'reference'
  readonly many?: true
  readonly required?: true
  readonly mutability?: 'readOnly' | 'immutable'
  readonly unique?: true
  readonly parts?: readonly Attribute[]
}

const attribute = ({ name, type = 'string', many, required, mutability, unique, parts }: Attribute): object => ({
  name,
  type,
  multiValued: many === true,
  required: required === true,
  caseExact: false,
  mutability: mutability ?? 'readWrite',
  returned: 'default',
  uniqueness: unique ? 'server' : 'none',
  ...(parts && { subAttributes: parts.map(attribute) }),
})

const USER: readonly Attribute[] = [
  { name: 'userName', required: true, mutability: 'immutable', unique: true },
  { name: 'displayName' },
  { name: 'name', type: 'complex', parts: [{ name: 'formatted' }] },
  { name: 'active', type: 'boolean' },
  { name: 'emails', type: 'complex', many: true, mutability: 'readOnly', parts: [{ name: 'value' }] },
  { name: 'roles', type: 'complex', many: true, parts: [{ name: 'value' }, { name: 'primary', type: 'boolean' }] },
]

const GROUP: readonly Attribute[] = [
  { name: 'displayName', required: true, mutability: 'immutable', unique: true },
  {
    name: 'members',
    type: 'complex',
    many: true,
    parts: [{ name: 'value' }, { name: 'display', mutability: 'readOnly' }],
  },
]

export const schemas = (root: string): readonly object[] =>
  Object.entries({ User: USER, Group: GROUP }).map(([name, attributes]) => ({
    schemas: [`${CORE}Schema`],
    id: `${CORE}${name}`,
    name,
    attributes: attributes.map(attribute),
    meta: { resourceType: 'Schema', location: `${root}/Schemas/${CORE}${name}` },
  }))
