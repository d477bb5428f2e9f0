import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTeam, type Team } from '../src/app/team/open-team.ts'
import { serveTeam, type TeamServer } from '../src/app/team/serve-team.ts'
import { webAppFiles } from '../src/app/web-app-files.ts'
import { systemClock } from '../src/kernel/system/clock.ts'
import { openIdentityProvider } from '../src/team/adapters/openid-client-identity-provider.ts'
import type { Scope } from '../src/team/domain/role.ts'
import type { TokenKind } from '../src/team/domain/token.ts'
import { claimServer, setupCode } from '../src/team/first-start.ts'
import { issueToken } from '../src/team/issue-token.ts'
import { newDatabase, type OwnDatabase } from './postgres/run-server.ts'

const PUBLIC = 'https://ken.example.com'
let postgres: OwnDatabase
let team: Team
let server: TeamServer
let admin: { readonly id: string; readonly organisation: string }
let provisioner: string
let shop: string

beforeAll(async () => {
  postgres = await newDatabase()
  team = await openTeam({ databaseUrl: postgres.url, clock: systemClock, embedder: async () => undefined })
  const provider = await openIdentityProvider({
    name: 'Directory',
    issuer: 'https://id.acme.example',
    clientId: 'ken',
    clientSecret: 'not used here',
    redirectUri: `${PUBLIC}/sign-in/back`,
    domains: ['acme.example'],
  })
  server = await serveTeam(team, {
    publicUrl: PUBLIC,
    hostname: '127.0.0.1',
    port: 0,
    clock: systemClock,
    notice: 0,
    log: () => undefined,
    people: {
      ways: { mailer: undefined, ceremonies: undefined, provider },
      files: await webAppFiles(),
      documents: undefined,
      allowsRegistration: false,
    },
  })
  const { person } = await claimServer(team.signIn, {
    code: (await setupCode(team.signIn))!,
    organisation: 'Acme',
    email: 'admin@acme.example',
    name: 'Admin',
    userAgent: null,
  })
  admin = person
  provisioner = await tokenOf(admin.id, ['read', 'admin', 'write'])
  const createdAt = systemClock.now().toISOString()
  shop = systemClock.ulid()
  await team.projects.create(
    { id: shop, organisation: admin.organisation, name: 'Shop', access: 'members', createdAt },
    admin.id,
  )
})
afterAll(async () => {
  await server?.close()
  await team?.close()
  await postgres?.stop()
})

const tokenOf = async (person: string, scopes: readonly Scope[], kind: TokenKind = 'personal'): Promise<string> => {
  const parts = { tokens: team.tokens, clock: systemClock, chance: team.signIn.chance }
  return (await issueToken(parts, person, { kind, name: 'directory', scopes, projects: undefined, days: 1 })).secret
}

/** `fetch` is not used, because it does not let a caller set Host. */
const send = (
  method: string,
  path: string,
  { body, token = provisioner }: { body?: unknown; token?: string } = {},
): Promise<{ status: number; type: string; location: string | undefined; body: any }> =>
  new Promise((done, failed) => {
    const { hostname, port } = new URL(server.url)
    const headers = {
      host: 'ken.example.com',
      'content-type': 'application/scim+json',
      authorization: `Bearer ${token}`,
    }
    request({ hostname, port, path, method, headers }, (response) => {
      let text = ''
      response
        .on('data', (chunk) => (text += chunk))
        .on('end', () =>
          done({
            status: response.statusCode!,
            type: response.headers['content-type'] ?? '',
            location: response.headers.location,
            body: text === '' ? undefined : JSON.parse(text),
          }),
        )
    })
      .on('error', failed)
      .end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body))
  })
const patched = (path: string, ...Operations: object[]) =>
  send('PATCH', path, { body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations } })
const add = async (email: string, more: object = {}) =>
  (await send('POST', '/scim/v2/Users', { body: { userName: email, ...more } })).body as { readonly id: string }
const found = async (filter: string) => (await send('GET', `/scim/v2/Users?filter=${encodeURIComponent(filter)}`)).body

test('a directory looks up, adds and changes a person, and ends their access at once', async () => {
  expect((await found('userName eq "ada@acme.example"')).totalResults).toBe(0)
  const made = await send('POST', '/scim/v2/Users', {
    body: {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: 'Ada@acme.example',
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      emails: [{ primary: true, value: 'Ada@acme.example', type: 'work' }],
      externalId: '00u1',
      active: true,
    },
  })
  expect(made).toMatchObject({
    status: 201,
    type: 'application/scim+json',
    location: `${PUBLIC}/scim/v2/Users/${made.body.id}`,
    body: { userName: 'ada@acme.example', displayName: 'Ada Lovelace', active: true, roles: [{ value: 'member' }] },
  })
  const at = `/scim/v2/Users/${made.body.id}`
  expect((await found('userName eq "ADA@acme.example"')).Resources).toEqual([made.body])
  expect((await send('GET', at)).body).toEqual(made.body)
  expect((await patched(at, { op: 'replace', path: 'roles', value: [{ value: 'viewer' }] })).body.roles[0].value).toBe(
    'viewer',
  )
  expect(
    (await send('PUT', at, { body: { userName: 'ada@acme.example', displayName: 'Ada L.', active: true } })).body,
  ).toMatchObject({
    displayName: 'Ada L.',
    roles: [{ value: 'viewer' }],
  })
  const token = await tokenOf(made.body.id, ['read'])
  expect((await send('POST', '/v1/list_projects', { token, body: {} })).status).toBe(200)
  expect((await patched(at, { op: 'Replace', path: 'active', value: 'False' })).body.active).toBe(false)
  expect((await send('POST', '/v1/list_projects', { token, body: {} })).status).toBe(401)
  const back = await patched(at, { op: 'Replace', path: 'active', value: 'True' })
  expect(back.body).toMatchObject({
    id: made.body.id,
    active: true,
    displayName: 'Ada L.',
    roles: [{ value: 'member' }],
  })
  expect((await send('DELETE', at)).status).toBe(204)
  expect((await found('active eq false')).Resources.map(({ id }: { id: string }) => id)).toEqual([made.body.id])
})

test('a group is the people with a role in a project, without its admins', async () => {
  const [bob, eve] = [await add('bob@acme.example'), await add('eve@acme.example', { roles: [{ value: 'viewer' }] })]
  const made = await send('POST', '/scim/v2/Groups', { body: { displayName: 'shop', members: [{ value: bob.id }] } })
  expect([made.status, made.body.id, made.body.members.map((one: any) => one.value)]).toEqual([201, shop, [bob.id]])
  const at = `/scim/v2/Groups/${shop}`
  await patched(at, { op: 'Add', path: 'members', value: [{ value: eve.id }, { value: admin.id }] })
  const roles = async () => (await team.projects.members(shop)).map(({ person, role }) => [person, role]).toSorted()
  const all = [
    [admin.id, 'admin'],
    [bob.id, 'member'],
    [eve.id, 'viewer'],
  ]
  expect(await roles()).toEqual(all.toSorted())
  await patched(at, { op: 'Remove', path: `members[value eq "${bob.id}"]` })
  expect((await send('GET', at)).body.members.map((one: any) => one.value)).toEqual([eve.id])
  expect(
    (await send('GET', '/scim/v2/Groups?excludedAttributes=members&filter=displayName%20eq%20%22Shop%22')).body
      .Resources,
  ).toEqual([expect.not.objectContaining({ members: expect.anything() })])
  expect((await send('DELETE', at)).status).toBe(204)
  expect(await roles()).toEqual([[admin.id, 'admin']])
})

test('refusals use the wording of the protocol, and change nothing', async () => {
  const eve = (await found('userName eq "eve@acme.example"')).Resources[0] ?? (await add('eve@acme.example'))
  const before = (await send('GET', '/scim/v2/Users')).body
  const at = (path: string) => `/scim/v2/Users/${path}`
  const refused = async (asked: Promise<{ status: number; body: any }>) => {
    const { status, body } = await asked
    expect(body).toMatchObject({ schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: String(status) })
    return [status, body.scimType]
  }
  expect(await refused(send('POST', '/scim/v2/Users', { body: { userName: 'eve@acme.example' } }))).toEqual([
    409,
    'uniqueness',
  ])
  expect(await refused(send('POST', '/scim/v2/Users', { body: { userName: 'eve@other.example' } }))).toEqual([
    403,
    undefined,
  ])
  expect(await refused(send('POST', '/scim/v2/Users', { body: { userName: 'eve' } }))).toEqual([400, undefined])
  expect(await refused(send('POST', '/scim/v2/Users', { body: '{' }))).toEqual([400, 'invalidSyntax'])
  expect(await refused(patched(at(eve.id), { op: 'replace', path: 'userName', value: 'x@acme.example' }))).toEqual([
    400,
    'mutability',
  ])
  expect(
    await refused(patched(at('01K0NOBODY0000000000000000'), { op: 'replace', path: 'active', value: false })),
  ).toEqual([404, undefined])
  expect(await refused(patched(at(admin.id), { op: 'replace', path: 'active', value: false }))).toEqual([
    409,
    undefined,
  ])
  expect(await refused(send('GET', '/scim/v2/Users?filter=userName%20co%20%22a%22'))).toEqual([400, 'invalidFilter'])
  expect(
    await refused(patched(`/scim/v2/Groups/${shop}`, { op: 'add', path: 'members', value: [{ value: 'nobody' }] })),
  ).toEqual([400, 'invalidValue'])
  expect(await refused(send('POST', '/scim/v2/Groups', { body: { displayName: 'Engineering' } }))).toEqual([
    400,
    'invalidValue',
  ])
  expect((await send('GET', '/scim/v2/Users')).body).toEqual(before)
})

test('only an admin’s personal token can provision users', async () => {
  const { id } = await add('mallory@acme.example')
  const refusals = async () =>
    (await team.auditLog.read({ organisation: admin.organisation, limit: 200 })).filter(
      ({ operation, outcome }) => operation === 'people_add' && outcome === 'forbidden',
    ).length
  const before = await refusals()
  const other = { userName: 'zoe@acme.example' }
  for (const token of [
    await tokenOf(id, ['read', 'write', 'admin']),
    await tokenOf(admin.id, ['read', 'write']),
    await tokenOf(admin.id, ['read', 'write'], 'agent'),
  ])
    expect((await send('POST', '/scim/v2/Users', { token, body: other })).status).toBe(403)
  expect((await send('GET', '/scim/v2/Users', { token: 'ken_p_none' })).status).toBe(401)
  expect((await found('userName eq "zoe@acme.example"')).totalResults).toBe(0)
  // The agent's token is refused at its first read.
  expect((await refusals()) - before).toBe(2)
})

test('discovery lists the supported features, and lists are paged', async () => {
  for (const path of ['ServiceProviderConfig', 'ResourceTypes', 'ResourceTypes/User', 'Schemas'])
    expect((await send('GET', `/scim/v2/${path}`)).status, path).toBe(200)
  expect((await send('GET', '/scim/v2/ServiceProviderConfig')).body).toMatchObject({
    patch: { supported: true },
    bulk: { supported: false },
  })
  const page = (await send('GET', '/scim/v2/Users?startIndex=2&count=1')).body
  expect([page.itemsPerPage, page.startIndex, page.totalResults > 2]).toEqual([1, 2, true])
  expect((await send('GET', '/scim/v2/Users?count=0')).body.Resources).toEqual([])
})
