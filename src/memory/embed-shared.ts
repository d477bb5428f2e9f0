import { throwIfStopped } from '../kernel/domain/stop.ts'
import type { Embedder } from '../retrieval/ports/embedder.ts'
import { embedBatch } from './embed-batch.ts'
import type { UpdateRequest } from './ports/memory.ts'
import type { SearchIndex } from './ports/search-index.ts'
import type { SharedDocuments } from './ports/shared-documents.ts'

/** Number of documents whose texts a replica keeps in memory at a time. */
const DOCUMENTS_AT_ONCE = 32

/**
 * Creates the missing vectors of a project's memory and returns how many. An interruption keeps the vectors already
 * created.
 */
export async function embedShared(
  { index, shared }: { readonly index: SearchIndex; readonly shared: Pick<SharedDocuments, 'texts'> },
  embedder: Embedder,
  signal: UpdateRequest['signal'],
): Promise<number> {
  let made = 0
  for (let after = -1; ;) {
    throwIfStopped(signal)
    const pending = await index.unembedded(embedder.id, DOCUMENTS_AT_ONCE, after)
    if (pending.length === 0) return made
    after = pending.at(-1)!.document
    const wanted = Map.groupBy(pending, ({ document }) => document)
    const found = await shared.texts([...wanted.keys()])
    const texts = new Map(found.map(({ document, text }) => [document.path, text]))
    made += await embedBatch(
      { index, embedder, documents: { text: ({ path }) => texts.get(path) } },
      found.map(({ document }) => ({ document, wanted: wanted.get(document.id)! })),
      { signal },
    )
  }
}
