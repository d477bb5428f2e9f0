import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTeam, type Team } from '../../src/app/team/open-team.ts'
import { systemClock } from '../../src/kernel/system/clock.ts'
import { startClients } from '../cluster/clients.ts'
import { openFrontDoor, type FrontDoor } from '../cluster/front-door.ts'
import { makeNextVersion, type NextVersion } from '../cluster/next-version.ts'
import { checkPromises } from '../cluster/promises.ts'
import { makeReplica, type Replica } from '../cluster/replica.ts'
import { makeTenants, recordFirst } from '../cluster/tenants.ts'
import { newDatabase, type OwnDatabase } from '../postgres/run-server.ts'

const REPLICAS = 2
let postgres: OwnDatabase
let team: Team
let door: FrontDoor
let next: NextVersion
const replicas: Replica[] = []
beforeAll(async () => {
  next = makeNextVersion()
  postgres = await newDatabase()
  team = await openTeam({ databaseUrl: databaseUrl(), clock: systemClock, embedder: async () => undefined })
  door = await openFrontDoor()
})
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.kill()))
  await door?.close()
  await team?.close()
  await postgres?.stop()
  next?.remove()
})

const databaseUrl = () => postgres.url

async function start(ken?: string): Promise<Replica> {
  const replica = await makeReplica({ databaseUrl: databaseUrl(), publicUrl: door.url, ...(ken && { ken }) })
  replicas.push(replica)
  await replica.start()
  return replica
}

async function query<Row extends object>(text: string): Promise<Row[]> {
  const client = new pg.Client(databaseUrl())
  await client.connect()
  return client
    .query<Row & Record<string, unknown>>(text)
    .then(({ rows }) => rows as Row[])
    .finally(() => client.end())
}

test('replicas are replaced one by one by a version with another schema, and no request fails', async () => {
  const plans = await makeTenants(team, 12)
  let serving: readonly Replica[] = await Promise.all(Array.from({ length: REPLICAS }, () => start()))
  door.serve(serving.map(({ url }) => url))
  await recordFirst(plans, door.url)
  const before = await newest()
  const clients = startClients({ url: door.url, clients: plans, seconds: 600, pause: 300, writes: 0.3 })
  const codes: (number | null)[] = []
  for (const old of serving) {
    const fresh = await start(next.ken)
    serving = [...serving.filter((replica) => replica !== old), fresh]
    door.serve([...serving, old].map(({ url }) => url))
    codes.push(await old.leave())
    door.serve(serving.map(({ url }) => url))
  }
  clients.stop()
  const { figures, writes } = await clients.done
  expect(await newest()).toEqual({ number: before.number + 1, name: 'next' })
  expect(codes).toEqual(Array.from({ length: REPLICAS }, () => 0))
  expect(figures.map(({ protocol, effect, faults }) => ({ protocol, effect, faults }))).toEqual(
    figures.map(({ protocol, effect }) => ({ protocol, effect, faults: {} })),
  )
  expect(figures.every(({ times }) => times.length > 0)).toBe(true)
  expect(writes.every(({ outcome }) => outcome === 'landed')).toBe(true)
  const { broken } = await checkPromises({ asker: { query }, team }, writes)
  expect(Object.values(broken).flat()).toEqual([])
})

const newest = async () =>
  (await query<{ number: number; name: string }>('SELECT number, name FROM ken.migrations ORDER BY number DESC'))[0]!
