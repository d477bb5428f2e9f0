import { throwIfStopped } from '../kernel/domain/stop.ts'
import type { Embedder } from '../retrieval/ports/embedder.ts'
import { embedBatch, type DocumentToEmbed } from './embed-batch.ts'
import { inBatches } from './in-batches.ts'
import type { IndexParts } from './index-files.ts'
import { inThreads } from './index-threads.ts'
import type { UpdateRequest } from './ports/memory.ts'

const DOCUMENTS_AT_ONCE = 512
// Below this, starting a worker takes longer than the work itself.
const WORTH_A_WORKER = 1_200

export interface EmbedJob {
  /** If more vectors are missing, none is made: they were left for later on purpose. */
  readonly most?: number
  readonly signal?: UpdateRequest['signal']
  progress: UpdateRequest['progress']
}

/** Creates the missing vectors and returns how many. Files changed since they were indexed wait for the next update. */
export async function embedPending(parts: IndexParts, embedder: Embedder, job: EmbedJob): Promise<number> {
  const { documents, index } = parts
  const { chunks, vectors } = await index.status()
  const total = chunks - (vectors[embedder.id] ?? 0)
  if (total === 0 || total > (job.most ?? Infinity)) return 0
  let made = 0
  const count = (more: number): void => {
    made += more
    if (more > 0) job.progress('embedding', made, total)
  }
  const here = { documents, index, embedder, outlineOf: parts.outlineCode }
  const { elsewhere } = embedder
  let isCode = (_one: DocumentToEmbed): boolean => true
  if (elsewhere !== undefined && index.elsewhere !== undefined && total >= WORTH_A_WORKER) {
    // The code parser runs on this thread.
    isCode = ({ document }) => document.origin === 'code'
    const modules = { documents: documents.module, index: index.elsewhere, embedder: elsewhere }
    const batches = pendingIn(parts, embedder.id, (one) => !isCode(one))
    const options = { ...modules, largest: 0, signal: job.signal }
    for await (const more of inThreads(options, 'embed', batches, (batch) => embedBatch(here, batch))) {
      count(more)
      throwIfStopped(job.signal)
    }
  }
  for await (const batch of pendingIn(parts, embedder.id, isCode)) {
    throwIfStopped(job.signal)
    await embedBatch(here, batch, { signal: job.signal, made: count })
  }
  return made
}

/** Documents that lack vectors, in order, each of them once. */
async function* pendingIn(
  { index }: IndexParts,
  embedder: string,
  accepts: (one: DocumentToEmbed) => boolean,
): AsyncGenerator<readonly DocumentToEmbed[]> {
  const documents = new Map((await index.documents({})).map((document) => [document.id, document]))
  for (let after = -1; ;) {
    const pending = await index.unembedded(embedder, DOCUMENTS_AT_ONCE, after)
    if (pending.length === 0) return
    after = pending.at(-1)!.document
    const batch = [...Map.groupBy(pending, ({ document }) => document)].flatMap(([id, wanted]) => {
      const document = documents.get(id)
      return document === undefined ? [] : [{ document, wanted }]
    })
    yield* inBatches(batch.filter(accepts), ({ document }) => document.size)
  }
}
