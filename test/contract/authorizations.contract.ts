import { describe, expect, test } from 'vitest'
import { COMMAND_LINE, type OAuthClient } from '../../src/team/domain/oauth/oauth-client.ts'
import type { Grant, IssuedTokens } from '../../src/team/domain/oauth/scopes.ts'
import type { AuthorizationStore } from '../../src/team/ports/authorizations.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const START = Date.parse('2026-05-01T10:00:00Z')
const at = (milliseconds: number): Date => new Date(START + milliseconds)

/**
 * The contract of src/team/ports/authorizations.ts and its related ports. `addPerson` creates a person that a grant may
 * name.
 */
export function describeAuthorizations(
  name: string,
  open: () => Promise<{ readonly store: AuthorizationStore; addPerson(): Promise<string> }>,
): void {
  let count = 0
  const fresh = (): string => `${name} ${++count}`

  async function desk() {
    const { store, addPerson } = await open()
    const person = await addPerson()
    const grant = (more: Partial<Grant> = {}): Grant => ({
      id: fresh(),
      person,
      client: 'a client',
      clientName: 'A client',
      resource: 'https://ken.example.com/mcp',
      scopes: ['read', 'write'],
      projects: ['P1', 'P2'],
      isLasting: true,
      createdAt: at(0),
      endsAt: at(100 * DAY),
      ...more,
    })
    const code = () => ({ hash: fresh(), challenge: 'c', redirectUri: 'http://127.0.0.1:1/', expiresAt: at(MINUTE) })
    const tokens = (): IssuedTokens & { readonly refresh: NonNullable<IssuedTokens['refresh']> } => ({
      access: { hash: fresh(), scopes: ['read'], expiresAt: at(60 * MINUTE) },
      refresh: { hash: fresh(), expiresAt: at(30 * DAY) },
    })
    /** A grant with a redeemed code and its first tokens. */
    const begun = async (more: Partial<Grant> = {}) => {
      const [given, offered, first] = [grant(more), code(), tokens()]
      await store.authorizations.offerCode(given, offered)
      await store.authorizations.takeCode(offered.hash, at(1))
      expect(await store.authorizations.issue(given.id, first, at(2))).toBe(true)
      return { grant: given, code: offered, first }
    }
    return { ...store, person, addPerson, grant, code, tokens, begun }
  }

  describe(`${name}: grants`, () => {
    test('a code is redeemed once, with all its data', async () => {
      const { authorizations, grant, code } = await desk()
      const [given, offered] = [grant(), code()]
      await authorizations.offerCode(given, offered)
      expect(await authorizations.takeCode(offered.hash, at(1))).toEqual({ grant: given, code: offered })
      expect(await authorizations.takeCode(offered.hash, at(2))).toBeUndefined()
      expect(await authorizations.takeCode('never offered', at(2))).toBeUndefined()
    })

    test('at most one of twenty concurrent uses of a code succeeds', async () => {
      const { authorizations, grant, code } = await desk()
      const offered = code()
      await authorizations.offerCode(grant(), offered)
      const taken = await Promise.all(Array.from({ length: 20 }, () => authorizations.takeCode(offered.hash, at(1))))
      expect(taken.filter((one) => one !== undefined)).toHaveLength(1)
    })

    test('an expired code is not redeemed, and does not end its grant', async () => {
      const { authorizations, grant, code, person } = await desk()
      const offered = code()
      const given = grant()
      await authorizations.offerCode(given, offered)
      expect(await authorizations.takeCode(offered.hash, at(MINUTE))).toBeUndefined()
      expect(await authorizations.list(person, at(MINUTE))).toEqual([given])
    })

    test('reusing a code revokes its tokens, including those about to be issued', async () => {
      const { authorizations, begun, tokens } = await desk()
      const { grant, code, first } = await begun()
      expect(await authorizations.find(first.access.hash, at(3))).toMatchObject({ grant })
      await authorizations.takeCode(code.hash, at(4))
      expect(await authorizations.find(first.access.hash, at(5))).toBeUndefined()
      const rotation = { hash: first.refresh.hash, client: grant.client, scopes: undefined, now: at(5) }
      expect(await authorizations.rotate(rotation, tokens())).toBeUndefined()
      expect(await authorizations.issue(grant.id, tokens(), at(5))).toBe(false)
    })

    test('no token survives if a code is reused while tokens are issued', async () => {
      const { authorizations, grant, code, tokens } = await desk()
      for (let round = 0; round < 15; round++) {
        const [given, offered, first] = [grant(), code(), tokens()]
        await authorizations.offerCode(given, offered)
        await authorizations.takeCode(offered.hash, at(1))
        await Promise.all([
          authorizations.issue(given.id, first, at(2)),
          authorizations.takeCode(offered.hash, at(2)),
          authorizations.issue(given.id, tokens(), at(2)),
        ])
        expect(await authorizations.find(first.access.hash, at(3))).toBeUndefined()
      }
    })

    test('an access token is valid until it expires, and for its own scopes', async () => {
      const { authorizations, begun } = await desk()
      const { grant, first } = await begun()
      expect(await authorizations.find(first.access.hash, at(59 * MINUTE))).toEqual({
        grant,
        scopes: ['read'],
        expiresAt: first.access.expiresAt,
      })
      expect(await authorizations.find(first.access.hash, at(60 * MINUTE))).toBeUndefined()
      expect(await authorizations.find(first.refresh.hash, at(3))).toBeUndefined()
    })

    test('no token of a grant is valid after the grant ends', async () => {
      const { authorizations, begun, tokens, person } = await desk()
      const { grant, first } = await begun({ endsAt: at(MINUTE) })
      expect(await authorizations.find(first.access.hash, at(MINUTE))).toBeUndefined()
      const rotation = { hash: first.refresh.hash, client: grant.client, scopes: undefined, now: at(MINUTE) }
      expect(await authorizations.rotate(rotation, tokens())).toBeUndefined()
      expect(await authorizations.list(person, at(MINUTE))).toEqual([])
    })

    test('a refresh token is exchanged for the next, with fewer scopes on request', async () => {
      const { authorizations, begun, tokens } = await desk()
      const { grant, first } = await begun()
      const [second, third] = [tokens(), tokens()]
      const rotate = (hash: string, next: IssuedTokens, scopes?: readonly ('read' | 'write')[]) =>
        authorizations.rotate({ hash, client: grant.client, scopes, now: at(5) }, next)
      expect(await rotate(first.refresh.hash, second)).toEqual({
        grant,
        scopes: ['read', 'write'],
        expiresAt: second.access.expiresAt,
      })
      expect(await rotate(second.refresh.hash, third, ['write'])).toMatchObject({ scopes: ['write'] })
      expect(await authorizations.find(third.access.hash, at(6))).toMatchObject({ grant, scopes: ['write'] })
      expect(await authorizations.find(first.access.hash, at(6))).toBeDefined()
    })

    test('more scopes than granted are refused, without consuming the token', async () => {
      const { authorizations, begun, tokens } = await desk()
      const { grant, first } = await begun({ scopes: ['read'] })
      const rotation = { hash: first.refresh.hash, client: grant.client, scopes: ['write'] as const, now: at(5) }
      expect(await authorizations.rotate(rotation, tokens())).toBe('too wide')
      expect(await authorizations.rotate({ ...rotation, scopes: undefined }, tokens())).toMatchObject({ grant })
    })

    test('reusing a refresh token revokes everything issued from it', async () => {
      const { authorizations, begun, tokens, person } = await desk()
      const { grant, first } = await begun()
      const second = tokens()
      const rotation = { hash: first.refresh.hash, client: grant.client, scopes: undefined, now: at(5) }
      await authorizations.rotate(rotation, second)
      expect(await authorizations.rotate(rotation, tokens())).toBeUndefined()
      expect(await authorizations.find(second.access.hash, at(6))).toBeUndefined()
      expect(await authorizations.rotate({ ...rotation, hash: second.refresh.hash }, tokens())).toBeUndefined()
      expect(await authorizations.list(person, at(6))).toEqual([])
    })

    test('only one of ten concurrent refreshes succeeds, and then all tokens are revoked', async () => {
      const { authorizations, begun, tokens } = await desk()
      const { grant, first } = await begun()
      const next = Array.from({ length: 10 }, tokens)
      const rotation = { hash: first.refresh.hash, client: grant.client, scopes: undefined, now: at(5) }
      const traded = await Promise.all(next.map((one) => authorizations.rotate(rotation, one)))
      expect(traded.filter((one) => one !== undefined)).toHaveLength(1)
      const found = await Promise.all(next.map(({ access }) => authorizations.find(access.hash, at(6))))
      expect(found.filter((one) => one !== undefined)).toEqual([])
    })

    test('a refresh token used by another client ends the grant; an expired one is refused', async () => {
      const { authorizations, begun, tokens } = await desk()
      const one = await begun()
      const rotation = { hash: one.first.refresh.hash, client: 'somebody else', scopes: undefined, now: at(5) }
      expect(await authorizations.rotate(rotation, tokens())).toBeUndefined()
      expect(await authorizations.find(one.first.access.hash, at(6))).toBeUndefined()
      const other = await begun()
      const late = { hash: other.first.refresh.hash, client: other.grant.client, scopes: undefined, now: at(30 * DAY) }
      expect(await authorizations.rotate(late, tokens())).toBeUndefined()
    })

    test('a client revokes only its own grants, by either token; a person only their own', async () => {
      const { authorizations, begun, person } = await desk()
      const [one, two, three] = [await begun(), await begun(), await begun({ createdAt: at(7) })]
      expect(await authorizations.revoke({ token: one.first.access.hash, client: 'somebody else' })).toEqual([])
      expect(await authorizations.revoke({ grant: one.grant.id, person: 'somebody else' })).toEqual([])
      expect(await authorizations.list(person, at(8))).toHaveLength(3)
      expect((await authorizations.list(person, at(8)))[0]).toEqual(three.grant)
      expect(await authorizations.revoke({ token: one.first.access.hash, client: one.grant.client })).toEqual([
        one.grant,
      ])
      expect(await authorizations.revoke({ token: two.first.refresh.hash, client: two.grant.client })).toEqual([
        two.grant,
      ])
      await authorizations.revoke({ grant: three.grant.id, person })
      for (const { first } of [one, two, three])
        expect(await authorizations.find(first.access.hash, at(8))).toBeUndefined()
      expect(await authorizations.list(person, at(8))).toEqual([])
    })

    test('sweeping deletes only expired data; a used code is still known the same day', async () => {
      const { authorizations, begun, person } = await desk()
      const [lasting, over] = [await begun(), await begun({ endsAt: at(MINUTE) })]
      await authorizations.sweep(at(2 * MINUTE))
      expect(await authorizations.list(person, at(0))).toEqual([lasting.grant])
      expect(await authorizations.issue(over.grant.id, over.first, at(0))).toBe(false)
      expect(await authorizations.find(lasting.first.access.hash, at(3 * MINUTE))).toBeDefined()
      await authorizations.takeCode(lasting.code.hash, at(3 * MINUTE))
      expect(await authorizations.find(lasting.first.access.hash, at(3 * MINUTE))).toBeUndefined()
    })
  })

  describe(`${name}: clients`, () => {
    const client = (id: string): OAuthClient => ({ ...COMMAND_LINE, id, known: 'registered' })

    test('a client is stored unchanged, and the number of clients is limited', async () => {
      const { clients, begun } = await desk()
      const [one, two, three] = [client(fresh()), client(fresh()), client(fresh())]
      const now = at(1_000 * DAY)
      expect(await clients.add(one, { most: 1_000, now })).toBe(true)
      expect(await clients.find(one.id)).toEqual(one)
      expect(await clients.find(two.id)).toBeUndefined()
      expect(await clients.add(two, { most: 1, now })).toBe(false)
      expect(await clients.find(two.id)).toBeUndefined()
      // A day later the unused one is dropped; one with a grant stays.
      const later = at(1_001 * DAY)
      expect(await clients.add(two, { most: 1, now: later })).toBe(true)
      expect(await clients.find(one.id)).toBeUndefined()
      await begun({ client: two.id, endsAt: at(2_000 * DAY) })
      expect(await clients.add(three, { most: 1, now: at(1_003 * DAY) })).toBe(false)
      expect(await clients.find(two.id)).toEqual(two)
    })

    test('tries are counted together until their window ends', async () => {
      const { clients } = await desk()
      const [bucket, other] = [fresh(), fresh()]
      const span = { now: at(0), until: at(MINUTE) }
      const counts = await Promise.all(Array.from({ length: 10 }, () => clients.tally(bucket, span)))
      expect(counts.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
      expect(await clients.tally(other, span)).toBe(1)
      expect(await clients.tally(bucket, { now: at(MINUTE - 1), until: at(9 * MINUTE) })).toBe(11)
      expect(await clients.tally(bucket, { now: at(MINUTE), until: at(2 * MINUTE) })).toBe(1)
    })
  })

  describe(`${name}: devices`, () => {
    const login = () => ({
      deviceHash: fresh(),
      userHash: fresh(),
      client: 'a client',
      clientName: 'A client',
      resource: 'https://ken.example.com/mcp',
      scopes: ['read'] as const,
      expiresAt: at(10 * MINUTE),
    })
    const poll = { interval: 5, now: at(0) }

    test('a device gets its answer once, and only the right client does', async () => {
      const { devices, authorizations, grant, tokens } = await desk()
      const [one, given] = [login(), grant()]
      expect(await devices.begin(one, poll)).toBe(true)
      expect(await devices.begin({ ...login(), userHash: one.userHash }, poll)).toBe(false)
      expect(await devices.waiting(one.userHash, at(1))).toEqual(one)
      expect(await devices.poll(one.deviceHash, one.client, at(2))).toBe('pending')
      expect(await devices.answer(one.userHash, given, at(3))).toBe(true)
      expect(await devices.answer(one.userHash, 'denied', at(4))).toBe(false)
      expect(await devices.waiting(one.userHash, at(4))).toBeUndefined()
      expect(await devices.poll(one.deviceHash, 'somebody else', at(20_000))).toBe('unknown')
      expect(await devices.poll(one.deviceHash, one.client, at(20_000))).toEqual(given)
      expect(await devices.poll(one.deviceHash, one.client, at(40_000))).toBe('unknown')
      expect(await authorizations.issue(given.id, tokens(), at(40_000))).toBe(true)
    })

    test('only one of ten concurrent answers counts', async () => {
      const { devices, grant, authorizations, person } = await desk()
      const one = login()
      await devices.begin(one, poll)
      const answers = await Promise.all(Array.from({ length: 10 }, () => devices.answer(one.userHash, grant(), at(1))))
      expect(answers.filter(Boolean)).toHaveLength(1)
      expect(await authorizations.list(person, at(1))).toHaveLength(1)
    })

    test('polling too early increases the interval each time', async () => {
      const { devices } = await desk()
      const one = login()
      await devices.begin(one, poll)
      const asked = [0, 4_999, 14_000, 28_000, 49_000]
      const told = []
      for (const when of asked) told.push(await devices.poll(one.deviceHash, one.client, at(when)))
      // After 5 s, 10 s, 15 s and 15 s.
      expect(told).toEqual(['pending', 'slow down', 'slow down', 'slow down', 'pending'])
    })

    test('a denial is reported once, and an expired request is reported as such', async () => {
      const { devices, grant } = await desk()
      const [one, two] = [login(), login()]
      await devices.begin(one, poll)
      await devices.begin(two, poll)
      await devices.answer(one.userHash, 'denied', at(1))
      expect(await devices.poll(one.deviceHash, one.client, at(1))).toBe('denied')
      expect(await devices.poll(one.deviceHash, one.client, at(9_000))).toBe('unknown')
      expect(await devices.waiting(two.userHash, at(10 * MINUTE))).toBeUndefined()
      expect(await devices.answer(two.userHash, grant(), at(10 * MINUTE))).toBe(false)
      expect(await devices.poll(two.deviceHash, two.client, at(10 * MINUTE))).toBe('expired')
    })
  })
}
