import { parentPort, workerData } from 'node:worker_threads'
import { hushSqlite } from '../core/hush-sqlite.ts'
import type { OpenDocuments } from '../ports/documents.ts'
import type { IndexElsewhere, OpenWriter } from '../ports/search-index.ts'
import { indexBatch, type FileToIndex } from './index-batch.ts'

/** The modules that a worker imports for itself: neither an index nor its files can be sent to another thread. */
export interface WorkerModules {
  readonly documents: string
  readonly index: IndexElsewhere
}

hushSqlite(process)
const modules = workerData as WorkerModules
const { openDocuments } = (await import(modules.documents)) as { openDocuments: OpenDocuments }
const { openWriter } = (await import(modules.index.module)) as { openWriter: OpenWriter }
const parts = { documents: openDocuments(), index: openWriter(modules.index.path) }

parentPort!.on(
  'message',
  (files: readonly FileToIndex[]) =>
    void indexBatch(parts, files).then((counts) => parentPort!.postMessage(counts, [])),
)
