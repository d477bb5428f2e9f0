import type { Clock } from '../ports/clock.ts'
import type { Embedder } from '../ports/embedder.ts'
import type { Repository } from '../ports/repository.ts'
import type { Store } from '../ports/store.ts'

// Each holds every text of a record.
const MOST_KEPT = 4

export interface PastOptions {
  readonly clock: Clock
  readonly embedder: () => Promise<Embedder | undefined>
}

export type OpenPast = (store: Store, asOf: string, repository: () => Promise<Repository | undefined>) => Promise<Store>

/** Records as they were; those asked for last are kept as long as the journal of the record is the same. */
export function openPastRecords({ clock, embedder }: PastOptions): OpenPast {
  const kept = new Map<string, Promise<Store>>()
  return async (store, asOf, repository) => {
    const [{ readMoment }, { readPast, pastStore }, { openMemoryStore }] = await Promise.all([
      import('../record/read-moment.ts'),
      import('../record/past-record.ts'),
      import('../adapters/store/memory/index.ts'),
    ])
    const now = clock.now().getTime()
    const moment = await readMoment(asOf, { now, store, repository })
    const events = await store.journal()
    const key = JSON.stringify([store.project, moment, events.length, events.at(-1)?.id])
    const open = async (): Promise<Store> => {
      const past = await readPast(store, moment, now)
      const { files } = past
      const view = await openMemoryStore({ project: store.project, clock, files, events: past.events, embedder })
      return pastStore(view, store, past)
    }
    const opening = kept.get(key) ?? open()
    kept.delete(key)
    kept.set(key, opening)
    for (const oldest of [...kept.keys()].slice(0, -MOST_KEPT)) kept.delete(oldest)
    opening.catch(() => kept.delete(key))
    return opening
  }
}
