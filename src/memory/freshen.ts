import type { Clock } from '../kernel/ports/clock.ts'
import type { Lease } from '../kernel/ports/lease.ts'
import type { Embedder } from '../retrieval/ports/embedder.ts'
import { withDeadline } from './deadline.ts'
import { embedPending } from './embed-pending.ts'
import { refusalIn } from './heal.ts'
import type { IndexParts } from './index-files.ts'
import { listIndexedFolders, type FolderParts } from './indexed-folders.ts'
import { updateIndex } from './update-index.ts'

export interface FreshenParts extends FolderParts {
  readonly clock: Clock
  readonly lease: Lease
  /** Throws `unavailable` if nothing may be written now. */
  readonly checkRoom: () => void
  readonly embedder: () => Promise<Embedder | undefined>
  readonly quickEmbedder: () => Promise<Embedder | undefined>
}

const FRESH_FOR = 1_000
const FEW = 200
const EMBED_FEW_DEADLINE = 2_000
const silent = () => {}

/** Updates notes and records before a search, at most once a second: they are small and change while agents work. */
export function openFreshener(parts: FreshenParts, indexing: IndexParts) {
  let freshAt = -Infinity

  /** Makes a note or a decision searchable by meaning immediately; if the model fails, the next update retries. */
  async function embedFew(): Promise<void> {
    const embed = async () => {
      const embedder = await parts.embedder()
      if (embedder !== undefined) await embedPending(indexing, embedder, { progress: silent, most: FEW })
    }
    await withDeadline(embed(), EMBED_FEW_DEADLINE, 'the embedder did not answer in time').catch(() => undefined)
  }

  async function takeIn(): Promise<void> {
    const now = parts.clock.now().getTime()
    if (Math.abs(now - freshAt) < FRESH_FOR) return
    const release = parts.lease.tryTake()
    if (release === undefined) return
    try {
      freshAt = now
      const { folders } = await listIndexedFolders(parts)
      const quick = await parts.quickEmbedder().catch(() => undefined)
      const request = { collections: ['memory', 'record'], progress: silent, checkRoom: parts.checkRoom }
      const { added, changed } = await updateIndex({ ...indexing, quick }, folders, request)
      if (added + changed > 0) await embedFew()
    } finally {
      release()
    }
  }

  return {
    embedFew,
    /** If nothing can be written, the existing index is searched, and the returned note states the reason. */
    async freshen(): Promise<string[]> {
      try {
        await takeIn()
        return []
      } catch (error) {
        const refusal = refusalIn(error)
        if (refusal === undefined) throw error
        return [`Notes and decisions that changed since the last update may be missing: ${refusal.message}`]
      }
    },
  }
}
