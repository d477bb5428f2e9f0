import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Work } from './client-worker.ts'
import { joined, type Ledger } from './ledger.ts'

export interface Clients {
  /** The servers' answers, once the clients are done. */
  readonly done: Promise<Ledger>
  /** Each client ends after its current call. */
  stop(): void
}

// A single process would see answers too late.
const PROCESSES = 2

/** Starts clients in separate processes. */
export function startClients({ url, clients, seconds, pause, writes }: Work): Clients {
  const workers = Array.from({ length: PROCESSES }, (_, at) => {
    const worker = fork(join(import.meta.dirname, 'client-worker.ts'), { serialization: 'advanced' })
    // In pairs: adjacent clients use different protocols.
    const own = clients.filter((__, place) => Math.floor(place / 2) % PROCESSES === at)
    worker.send({ url, clients: own, seconds, pause, writes } satisfies Work)
    return { worker, told: once(worker, 'message') as Promise<[Ledger]> }
  })
  return {
    done: Promise.all(workers.map(async ({ told }) => (await told)[0])).then(joined),
    stop: () => workers.forEach(({ worker }) => worker.send('stop')),
  }
}
