import type { Clock } from '../kernel/ports/clock.ts'
import type { Repository } from '../record/ports/repository.ts'
import type { Store } from '../record/ports/store.ts'
import type { QuantizedVector } from '../retrieval/domain/ranking/vector.ts'
import type { Embedder } from '../retrieval/ports/embedder.ts'

// Each snapshot contains all texts of a record.
const MOST_KEPT = 4
// Each takes a quarter of a kilobyte, and its text.
const MOST_VECTORS = 20_000

export interface PastOptions {
  readonly clock: Clock
  readonly embedder?: (() => Promise<Embedder | undefined>) | undefined
}

export type OpenPast = (store: Store, asOf: string, repository: () => Promise<Repository | undefined>) => Promise<Store>

/** Snapshots of records; the last requested moments are kept while the journal of the record is unchanged. */
export function openPastRecords({ clock, embedder }: PastOptions): OpenPast {
  const records = new WeakMap<Store, Map<string, Promise<Store>>>()
  // Shared between moments: most decisions have the same text at two moments.
  const vectors = new Map<string, QuantizedVector>()
  return async (store, asOf, repository) => {
    const [{ readMoment }, { readPast, pastStore }, { openMemoryStore }] = await Promise.all([
      import('../record/read-moment.ts'),
      import('../record/past-record.ts'),
      import('../record/store/memory/index.ts'),
    ])
    const now = clock.now().getTime()
    const moment = await readMoment(asOf, { now, store, repository })
    const journal = await store.journal()
    const open = async (): Promise<Store> => {
      const past = await readPast(store, moment, { now, journal })
      if (vectors.size > MOST_VECTORS) vectors.clear()
      const { files, events } = past
      const options = { project: store.project, clock, files, events, vectors, ...(embedder && { embedder }) }
      return pastStore(await openMemoryStore(options), store, past)
    }
    const kept = records.get(store) ?? new Map<string, Promise<Store>>()
    records.set(store, kept)
    const key = JSON.stringify([moment, journal.length, journal.at(-1)?.id])
    const opening = kept.get(key) ?? open()
    kept.delete(key)
    kept.set(key, opening)
    for (const oldest of [...kept.keys()].slice(0, -MOST_KEPT)) kept.delete(oldest)
    opening.catch(() => kept.delete(key))
    return opening
  }
}
