import { parentPort, workerData } from 'node:worker_threads'
import { suppressWarnings } from '../kernel/domain/suppress-warnings.ts'
import type { EmbedderElsewhere, OpenEmbedder } from '../retrieval/ports/embedder.ts'
import { embedBatch, type DocumentToEmbed } from './embed-batch.ts'
import { indexBatch, type FileToIndex } from './index-batch.ts'
import type { OpenDocuments } from './ports/documents.ts'
import type { IndexElsewhere, OpenWriter } from './ports/search-index.ts'
import { throughGate, type WriteGate } from './write-gate.ts'

/** Modules that a worker imports: neither an index nor its files can be sent to another thread. */
export interface WorkerModules {
  readonly documents: string
  readonly index: IndexElsewhere
  readonly embedder: EmbedderElsewhere | undefined
}

type Asked =
  | { readonly kind: 'index'; readonly batch: readonly FileToIndex[] }
  | { readonly kind: 'embed'; readonly batch: readonly DocumentToEmbed[] }

suppressWarnings(process)
const { gate, ...modules } = workerData as WorkerModules & { readonly gate: WriteGate }
const { openDocuments } = (await import(modules.documents)) as { openDocuments: OpenDocuments }
const { openWriter } = (await import(modules.index.module)) as { openWriter: OpenWriter }
const writer = openWriter(modules.index.path)
const index: Pick<typeof writer, 'write' | 'storeVectors'> = {
  write: (batch) => throughGate(gate, () => writer.write(batch)),
  storeVectors: (embedder, vectors) => throughGate(gate, () => writer.storeVectors(embedder, vectors)),
}
const parts = { documents: openDocuments(), index }
const embedder = modules.embedder && (await openEmbedderOf(modules.embedder))

parentPort!.on('message', (asked: Asked) => {
  const done =
    asked.kind === 'index'
      ? indexBatch({ ...parts, quick: embedder }, asked.batch)
      : embedBatch({ ...parts, embedder: embedder! }, asked.batch)
  void done.then((answer) => parentPort!.postMessage(answer, []))
})

async function openEmbedderOf({ module, path }: EmbedderElsewhere) {
  const { openEmbedder } = (await import(module)) as { openEmbedder: OpenEmbedder }
  return openEmbedder(path)
}
