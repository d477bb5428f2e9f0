import { UNUSED_CLIENT_LIVES } from '../../src/team/authorizations/unused-clients.ts'
import { afterPoll, type PollState } from '../../src/team/domain/oauth/device-code.ts'
import { USED_CODE_LIVES } from '../../src/team/domain/oauth/lifetimes.ts'
import type { OAuthClient } from '../../src/team/domain/oauth/oauth-client.ts'
import type { Scope, Grant, IssuedToken } from '../../src/team/domain/oauth/scopes.ts'
import type { AuthorizationCode, Authorizations, AuthorizationStore } from '../../src/team/ports/authorizations.ts'
import type { DeviceLogin, DeviceLogins } from '../../src/team/ports/device-logins.ts'
import type { OAuthClients } from '../../src/team/ports/oauth-clients.ts'

interface StateTables {
  readonly grants: Map<string, Grant>
  readonly codes: Map<string, AuthorizationCode & { readonly grant: string; readonly isUsed: boolean }>
  readonly access: Map<string, IssuedToken & { readonly grant: string; readonly scopes: readonly Scope[] }>
  readonly refresh: Map<string, IssuedToken & { readonly grant: string; readonly isUsed: boolean }>
}

/** Kept in the memory of this process: for tests, and for trying the server out. */
export function openMemoryAuthorizations(): AuthorizationStore {
  const shelf: StateTables = { grants: new Map(), codes: new Map(), access: new Map(), refresh: new Map() }
  return {
    authorizations: memoryGrants(shelf),
    clients: memoryClients(shelf.grants),
    devices: memoryDevices(shelf.grants),
  }
}

function memoryGrants({ grants, codes, access, refresh }: StateTables): Authorizations {
  const standing = (id: string | undefined, now: Date): Grant | undefined => {
    const grant = id === undefined ? undefined : grants.get(id)
    return grant !== undefined && grant.endsAt > now ? grant : undefined
  }
  const end = (id: string): void => {
    grants.delete(id)
    for (const held of [codes, access, refresh] as readonly Map<string, { readonly grant: string }>[])
      for (const [hash, { grant }] of held) if (grant === id) held.delete(hash)
  }
  return {
    async offerCode(grant, code) {
      grants.set(grant.id, structuredClone(grant))
      codes.set(code.hash, { ...code, grant: grant.id, isUsed: false })
    },
    async takeCode(hash, now) {
      const found = codes.get(hash)
      if (found === undefined) return undefined
      if (found.isUsed) return void end(found.grant)
      const grant = standing(found.grant, now)
      if (found.expiresAt <= now || grant === undefined) return undefined
      codes.set(hash, { ...found, isUsed: true })
      const { grant: _grant, isUsed: _isUsed, ...code } = found
      return { grant: structuredClone(grant), code }
    },
    async issue(id, tokens, now) {
      if (standing(id, now) === undefined) return false
      access.set(tokens.access.hash, { ...tokens.access, grant: id })
      if (tokens.refresh) refresh.set(tokens.refresh.hash, { ...tokens.refresh, grant: id, isUsed: false })
      return true
    },
    async rotate({ hash, client, scopes, now }, next) {
      const found = refresh.get(hash)
      const grant = standing(found?.grant, now)
      if (found === undefined || grant === undefined) return undefined
      if (found.isUsed || grant.client !== client) return void end(grant.id)
      if (found.expiresAt <= now) return undefined
      if (scopes?.some((scope) => !grant.scopes.includes(scope))) return 'too wide'
      refresh.set(hash, { ...found, isUsed: true })
      const given = { ...next.access, grant: grant.id, scopes: scopes ?? grant.scopes }
      access.set(given.hash, given)
      if (next.refresh) refresh.set(next.refresh.hash, { ...next.refresh, grant: grant.id, isUsed: false })
      return { grant: structuredClone(grant), scopes: given.scopes, expiresAt: given.expiresAt }
    },
    async find(hash, now) {
      const found = access.get(hash)
      const grant = standing(found?.grant, now)
      if (found === undefined || grant === undefined || found.expiresAt <= now) return undefined
      return { grant: structuredClone(grant), scopes: found.scopes, expiresAt: found.expiresAt }
    },
    async revoke(what) {
      const id = 'grant' in what ? what.grant : (access.get(what.token) ?? refresh.get(what.token))?.grant
      const grant = grants.get(id ?? '')
      const isTheirs = 'grant' in what ? grant?.person === what.person : grant?.client === what.client
      if (grant === undefined || !isTheirs) return []
      end(grant.id)
      return [structuredClone(grant)]
    },
    list: async (person, now) =>
      [...grants.values()]
        .filter((grant) => grant.person === person && grant.endsAt > now)
        .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
        .map((grant) => structuredClone(grant)),
    async sweep(now) {
      for (const [id, { endsAt }] of grants) if (endsAt <= now) end(id)
      for (const held of [access, refresh] as readonly Map<string, IssuedToken>[])
        for (const [hash, { expiresAt }] of held) if (expiresAt <= now) held.delete(hash)
      for (const [hash, { expiresAt }] of codes)
        if (expiresAt.getTime() + USED_CODE_LIVES <= now.getTime()) codes.delete(hash)
    },
  }
}

function memoryClients(grants: ReadonlyMap<string, Grant>): OAuthClients {
  const clients = new Map<string, { readonly client: OAuthClient; readonly at: number }>()
  const buckets = new Map<string, { readonly count: number; readonly until: Date }>()
  return {
    async add(client, { most, now }) {
      const used = new Set([...grants.values()].map((grant) => grant.client))
      for (const [id, { at }] of clients)
        if (at + UNUSED_CLIENT_LIVES <= now.getTime() && !used.has(id)) clients.delete(id)
      if (clients.size >= most) return false
      clients.set(client.id, { client: structuredClone(client), at: now.getTime() })
      return true
    },
    find: async (id) => structuredClone(clients.get(id)?.client),
    async tally(bucket, { now, until }) {
      for (const [name, held] of buckets) if (held.until <= now) buckets.delete(name)
      const held = buckets.get(bucket) ?? { count: 0, until }
      buckets.set(bucket, { ...held, count: held.count + 1 })
      return held.count + 1
    },
  }
}

type Held = PollState & { readonly login: DeviceLogin; readonly answer: Grant | 'denied' | undefined }

function memoryDevices(grants: Map<string, Grant>): DeviceLogins {
  const held = new Map<string, Held>()
  const open = (userHash: string, now: Date): Held | undefined =>
    [...held.values()].find(
      ({ login, answer }) => login.userHash === userHash && login.expiresAt > now && answer === undefined,
    )
  return {
    async begin(login, { interval, now }) {
      for (const [hash, other] of held)
        if (other.login.expiresAt.getTime() + USED_CODE_LIVES <= now.getTime()) held.delete(hash)
      if ([...held.values()].some((other) => other.login.userHash === login.userHash)) return false
      held.set(login.deviceHash, { login, interval, polledAt: undefined, answer: undefined })
      return true
    },
    waiting: async (userHash, now) => open(userHash, now)?.login,
    async answer(userHash, answer, now) {
      const found = open(userHash, now)
      if (found === undefined) return false
      if (answer !== 'denied') grants.set(answer.id, structuredClone(answer))
      held.set(found.login.deviceHash, { ...found, answer })
      return true
    },
    async poll(deviceHash, client, now) {
      const found = held.get(deviceHash)
      if (found === undefined || found.login.client !== client) return 'unknown'
      if (found.login.expiresAt <= now) return 'expired'
      const { tooEarly, ...state } = afterPoll(found, now)
      if (tooEarly) {
        held.set(deviceHash, { ...found, ...state })
        return 'slow down'
      }
      if (found.answer === undefined) {
        held.set(deviceHash, { ...found, ...state })
        return 'pending'
      }
      held.delete(deviceHash)
      return found.answer
    },
  }
}
