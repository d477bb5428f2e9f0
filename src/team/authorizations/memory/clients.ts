import type { Grant } from '../../domain/oauth/grant.ts'
import type { OAuthClient } from '../../domain/oauth/oauth-client.ts'
import type { OAuthClients } from '../../ports/oauth-clients.ts'
import { UNUSED_CLIENT_LIVES } from '../unused-clients.ts'

export function memoryClients(grants: ReadonlyMap<string, Grant>): OAuthClients {
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
