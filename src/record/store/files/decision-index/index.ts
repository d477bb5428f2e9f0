import type { Embedder } from '../../../../retrieval/ports/embedder.ts'
import type { VectorScan } from '../../../../retrieval/ports/vector-scan.ts'
import type { Catalogue } from '../../../domain/decision/catalogue.ts'
import type { Ranking, RankQuery } from '../../../ports/store.ts'
import { openCacheDatabase } from '../../cache-database.ts'
import { openViewRanking } from '../../view-ranking.ts'
import { isDatabaseFault } from '../record-failure.ts'
import { openDecisionFiles } from './decision-files.ts'
import { openSnapshotCache, type SnapshotCache } from './snapshot-cache.ts'

export type { PackTail, SnapshotCache } from './snapshot-cache.ts'

/**
 * All data derived from a record and stored next to it: its decisions, their words and vectors, and the contents of the
 * last snapshot. Safe to delete. The only entry point for the store.
 */
export interface DecisionIndex {
  /** Files on disk with data derived from the record. */
  readonly files: readonly string[]
  readonly snapshots: SnapshotCache
  /** The decisions as they are on disk now; only files that changed are read. */
  catalogue(): Promise<Catalogue>
  rank(query: RankQuery): Promise<Ranking>
  /** Rereads files that a change has just written or removed, so that no sweep is needed for them. */
  touched(stems: readonly string[]): Promise<void>
  /** Discards the cache and reads every file again. */
  renew(): Promise<void>
  close(): Promise<void>
}

export interface DecisionIndexOptions {
  /** The real path of the record. */
  readonly root: string
  /** Reads a record file, within its bounds. */
  readonly readText: (path: string) => Promise<string | undefined>
  readonly cachePath: string
  /** Milliseconds; paces the sweeps. */
  readonly now: () => number
  /** Loaded when a ranking first needs it. */
  readonly embedder?: (() => Promise<Embedder | undefined>) | undefined
  readonly scan?: ((dimensions: number) => VectorScan) | undefined
}

export function openDecisionIndex(options: DecisionIndexOptions): DecisionIndex {
  const { cachePath } = options
  const cache = openCacheDatabase(cachePath)
  const decisions = openDecisionFiles(options.root, cache, options.now)

  const ranking = openViewRanking({
    cache,
    embedder: options.embedder,
    scan: options.scan,
    now: options.now,
    readTexts: (paths) => Promise.all(paths.map((path) => options.readText(path).catch(() => undefined))),
  })
  const rank = async (query: RankQuery): Promise<Ranking> => ranking.rank(await decisions.view(), query)

  return {
    files: [cachePath, `${cachePath}-wal`, `${cachePath}-shm`],
    snapshots: openSnapshotCache(cache),
    catalogue: async () => (await decisions.view()).catalogue,
    async rank(query) {
      try {
        return await rank(query)
      } catch (error) {
        if (!isDatabaseFault(error)) throw error
        await decisions.renew()
        return rank(query)
      }
    },
    touched: decisions.touched,
    renew: decisions.renew,
    async close() {
      await ranking.close()
      decisions.close()
      cache.close()
    },
  }
}
