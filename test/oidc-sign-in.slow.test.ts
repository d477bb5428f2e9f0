import { afterAll, beforeAll, expect, test } from 'vitest'
import { openIdentityProvider, type ProviderSettings } from '../src/team/adapters/openid-client-identity-provider.ts'
import { askProvider, choosePerson, comeBack, type ProviderParts } from '../src/team/sign-in-with-provider.ts'
import { anAdmin, aPerson, id } from './contract/team-subject.ts'
import { startOidc, type OidcServer } from './oidc-server.ts'
import { openTeamDesk, type TeamDesk } from './team-desk.ts'

const CLIENT = { id: 'ken', secret: 'client-secret-of-a-test', redirectUri: 'https://ken.example.com/sign-in/back' }
const REFUSED = { code: 'forbidden' }
let desk: TeamDesk
let server: OidcServer
let parts: ProviderParts
const settings = (): ProviderSettings => ({
  name: 'Example',
  issuer: server.issuer,
  clientId: CLIENT.id,
  clientSecret: CLIENT.secret,
  redirectUri: CLIENT.redirectUri,
  domains: ['Example.com'],
})
beforeAll(async () => {
  server = await startOidc(CLIENT)
  desk = await openTeamDesk()
  parts = { ...desk, provider: await openIdentityProvider(settings()) }
})
afterAll(async () => {
  await server.close()
  await desk.close()
})

const back = (attempt: string, query: string) => comeBack(parts, { attempt, query, userAgent: null })
async function trip(login: string): Promise<{ attempt: string; query: URLSearchParams }> {
  const { url, attempt } = await askProvider(parts, id())
  return { attempt, query: (await server.goThrough(url, login)).searchParams }
}
async function invite(email: string, organisation: string): Promise<void> {
  const now = desk.clock.now()
  await desk.invitations.invite({
    id: id(),
    organisation,
    email,
    role: 'viewer',
    invitedBy: undefined,
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + 60_000).toISOString(),
  })
}

test('a person confirmed by the provider is signed in, once per attempt', async () => {
  const admin = await anAdmin(desk)
  const { url, attempt } = await askProvider(parts, id())
  const asked = new URL(url).searchParams
  expect(asked.get('code_challenge_method')).toBe('S256')
  for (const name of ['state', 'nonce', 'code_challenge']) expect(asked.get(name)?.length).toBeGreaterThan(40)
  const query = (await server.goThrough(url, admin.email)).search
  expect(await back(attempt, query)).toMatchObject({
    kind: 'in',
    person: admin,
    opened: { session: { proof: 'provider' } },
  })
  await expect(back(attempt, query)).rejects.toMatchObject(REFUSED)
})

test('an invitation is accepted with a verified address', async () => {
  const admin = await anAdmin(desk)
  const email = `${id().toLowerCase()}@example.com`
  await invite(email, admin.organisation)
  const { attempt, query } = await trip(email)
  expect(await back(attempt, query.toString())).toMatchObject({ kind: 'in', person: { email, role: 'viewer' } })
})

test('an address that is unverified, unknown, of another domain or of a person who left is refused', async () => {
  const admin = await anAdmin(desk)
  const unverified = `${id().toLowerCase()}+unverified@example.com`
  const [foreign, below] = [`${id().toLowerCase()}@example.org`, `${id().toLowerCase()}@evil.example.com`]
  for (const email of [unverified, foreign, below]) await invite(email, admin.organisation)
  const left = await aPerson(desk, admin.organisation, 'member')
  await desk.people.leave(admin.organisation, left.id, desk.clock.now().toISOString())
  for (const email of [unverified, foreign, below, left.email, `${id().toLowerCase()}@example.com`]) {
    const { attempt, query } = await trip(email)
    await expect(back(attempt, query.toString())).rejects.toMatchObject(REFUSED)
  }
  expect(await desk.invitations.list(admin.organisation, desk.clock.now().toISOString())).toHaveLength(3)
})

test('the code of one attempt is useless for another, and so are another state and another issuer', async () => {
  const [admin, victim] = [await anAdmin(desk), await anAdmin(desk)]
  const [mine, theirs] = [await trip(admin.email), await trip(victim.email)]
  const injected = new URLSearchParams(mine.query)
  injected.set('code', theirs.query.get('code')!)
  await expect(back(mine.attempt, injected.toString())).rejects.toMatchObject(REFUSED)
  const swapped = await trip(admin.email)
  await expect(back(theirs.attempt, swapped.query.toString())).rejects.toMatchObject(REFUSED)
  for (const change of [{ iss: 'https://evil.example.com' }, { state: 'x' }, { code: 'x' }]) {
    const { attempt, query } = await trip(admin.email)
    for (const [name, value] of Object.entries(change)) query.set(name, value)
    await expect(back(attempt, query.toString())).rejects.toMatchObject(REFUSED)
  }
  const late = await trip(admin.email)
  desk.wait(10)
  await expect(back(late.attempt, late.query.toString())).rejects.toMatchObject(REFUSED)
})

test('a person in two organisations chooses one of them, once', async () => {
  const [one, other] = [await anAdmin(desk), await anAdmin(desk)]
  await invite(one.email, other.organisation)
  const { attempt, query } = await trip(one.email)
  const came = await back(attempt, query.toString())
  if (came.kind !== 'choose') throw new Error('not asked')
  const choose = (chosen: string) => choosePerson(parts, { attempt: came.attempt, chosen, userAgent: null })
  expect(await choose(one.id)).toMatchObject({ kind: 'in', person: { id: one.id } })
  expect(await desk.people.withAddress(one.email)).toEqual([one])
  await expect(choose(one.id)).rejects.toMatchObject(REFUSED)
})

test('a provider that claims to be another one, or is unreachable, is not trusted', async () => {
  const another = await openIdentityProvider({ ...settings(), issuer: server.issuer.replace('127.0.0.1', 'localhost') })
  await expect(another.begin()).rejects.toMatchObject({ code: 'unavailable' })
  const gone = await openIdentityProvider({ ...settings(), issuer: 'http://127.0.0.1:1' })
  await expect(gone.begin()).rejects.toMatchObject({ code: 'unavailable' })
})

test('a provider without TLS or without a list of domains is not accepted', async () => {
  const wrong = { code: 'invalid_input' }
  await expect(openIdentityProvider({ ...settings(), issuer: 'http://id.example.com' })).rejects.toMatchObject(wrong)
  await expect(openIdentityProvider({ ...settings(), domains: [] })).rejects.toMatchObject(wrong)
})
