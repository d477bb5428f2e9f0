import { setTimeout } from 'node:timers/promises'
import { openTeam } from '../../src/app/team/open-team.ts'
import { webAppFiles } from '../../src/app/web-app-files.ts'
import { systemClock } from '../../src/kernel/system/clock.ts'
import { startClients } from './clients.ts'
import { startDatabasePair, type DatabasePair } from './database-pair.ts'
import { openFrontDoor } from './front-door.ts'
import type { Ledger } from './ledger.ts'
import { checkPromises, type Checked } from './promises.ts'
import { makeReplica, type Replica } from './replica.ts'
import { makeTenants, plantConflicts, recordFirst } from './tenants.ts'

export interface ClusterOptions {
  readonly replicas: number
  readonly clients: number
  readonly seconds: number
  /** Seconds between two kills of a replica. */
  readonly killEvery: number
  /** Mean milliseconds between two calls of a client. */
  readonly pause: number
  /** Share of calls that write. */
  readonly writes: number
  /** Milliseconds in which no database accepts writes. */
  readonly outage: number
  say(line: string): void
}

export interface ClusterReport extends Checked {
  readonly ledger: Ledger
  /** Resident memory of the replica that was never killed, in megabytes, once a second. */
  readonly memory: readonly number[]
  /** The highest memory of any replica, in megabytes. */
  readonly mostMemory: number
  readonly kills: number
  /** Log lines of the replicas that report faults of Ken itself. */
  readonly faults: readonly string[]
}

// The time a process supervisor takes to notice an exit.
const RESTART_MS = 1_000

/** Simulates a team server on three machines, and breaks it while clients work. */
export async function runCluster(options: ClusterOptions): Promise<ClusterReport> {
  const { say } = options
  // A clone builds the web app when it is missing, in the first process that needs it; replicas of a package never do.
  await webAppFiles()
  const pair = await startDatabasePair()
  const door = await openFrontDoor()
  const replicas: Replica[] = []
  const team = await openTeam({ databaseUrl: pair.url, clock: systemClock, embedder: async () => undefined })
  try {
    const plans = await makeTenants(team, options.clients)
    for (let at = 0; at < options.replicas; at++)
      replicas.push(await makeReplica({ databaseUrl: pair.url, publicUrl: door.url }))
    await Promise.all(replicas.map((replica) => replica.start()))
    door.serve(replicas.map(({ url }) => url))
    await recordFirst(plans, door.url)
    await plantConflicts(team, plans)
    say(
      `${replicas.length} replicas serve ${plans.length} clients for ${options.seconds} s, a call every ${options.pause} ms each.`,
    )
    const over = new AbortController()
    const memory: number[][] = []
    const troubles = [
      watchMemory(replicas, memory, over.signal),
      breakThings({ pair, replicas, over: over.signal, options }),
    ]
    const ledger = await startClients({ ...options, url: door.url, clients: plans }).done
    over.abort()
    const [, kills] = await Promise.all(troubles)
    say('The clients are done; the database is held against what they were told.')
    return {
      ...(await checkPromises({ asker: pair, team }, ledger.writes)),
      ledger,
      memory: memory.map(([first]) => first!),
      mostMemory: Math.max(...memory.flat()),
      kills: kills as number,
      faults: replicas.flatMap((replica) => replica.faults),
    }
  } finally {
    await Promise.all(replicas.map((replica) => replica.kill()))
    await team.close()
    await door.close()
    await pair.stop()
  }
}

interface Trouble {
  readonly pair: DatabasePair
  readonly replicas: readonly Replica[]
  readonly over: AbortSignal
  readonly options: ClusterOptions
}

/** Kills replicas repeatedly, except the first, whose memory is measured; halfway, the database is lost. */
async function breakThings({ pair, replicas, over, options }: Trouble): Promise<number> {
  const { say, seconds, killEvery, outage } = options
  const began = performance.now()
  const past = (): string => `${((performance.now() - began) / 1_000).toFixed(0)} s`
  const lost = setTimeout((seconds * 1_000) / 2, undefined, { signal: over }).then(
    async () => {
      say(`${past()}: the database is killed`)
      await pair.failOver(outage)
      say(`${past()}: its standby takes writes`)
    },
    () => undefined,
  )
  let kills = 0
  const restarts: Promise<void>[] = []
  while (await waited(killEvery * 1_000, over)) {
    const victim = replicas[replicas.length === 1 ? 0 : 1 + (kills % (replicas.length - 1))]!
    await victim.kill()
    kills += 1
    say(`${past()}: a replica is killed`)
    // The next kill does not wait for the restart.
    restarts.push(restart(victim, over))
  }
  await Promise.all([lost, ...restarts])
  return kills
}

/** Like a process supervisor: retries if the replica finds no database. */
async function restart(victim: Replica, over: AbortSignal): Promise<void> {
  while (await waited(RESTART_MS, over)) {
    const isUp = await victim.start().then(
      () => true,
      () => false,
    )
    if (isUp) return
  }
}

async function watchMemory(replicas: readonly Replica[], memory: number[][], over: AbortSignal): Promise<void> {
  while (await waited(1_000, over)) memory.push(replicas.map((replica) => replica.memory() / 2 ** 20))
}

/** False once the run is over. */
const waited = (milliseconds: number, signal: AbortSignal): Promise<boolean> =>
  setTimeout(milliseconds, true, { signal }).catch(() => false)
