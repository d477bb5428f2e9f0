import { join } from 'node:path'
import type { Models } from '../analyst/ports/models.ts'
import { toBytes } from '../kernel/domain/settings.ts'
import type { Projects } from '../kernel/ports/projects.ts'
import type { Settings } from '../kernel/ports/settings.ts'
import { systemClock } from '../kernel/system/clock.ts'
import { freeSpace } from '../kernel/system/free-space.ts'
import type { Collections } from '../memory/ports/collections.ts'
import type { Memory } from '../memory/ports/memory.ts'
import type { UseLog } from '../memory/ports/use-log.ts'
import type { CodeParser } from '../retrieval/ports/code-parser.ts'
import type { Embedder } from '../retrieval/ports/embedder.ts'

export interface MemoryOptions {
  readonly home: string
  readonly projects: Projects
  readonly collections: Collections
  readonly settings: Settings
  readonly embedder: () => Promise<Embedder | undefined>
  /** The embedder, if texts can be embedded while they are indexed. */
  readonly quickEmbedder: () => Promise<Embedder | undefined>
  readonly models: Pick<Models, 'expansion' | 'reranker'>
  readonly uses: UseLog
  readonly warn: (message: string) => void
}

/** The index of this user and everything that feeds it. Loaded separately, because most commands never search. */
export async function openMemory(options: MemoryOptions): Promise<Memory> {
  const [
    { openSqliteIndex },
    { openLease },
    { openVectorScan },
    { openDocuments },
    { openMemoryWith },
    { openSearchModels },
    { checkRoom },
  ] = await Promise.all([
    import('../memory/index/sqlite/index.ts'),
    import('../kernel/lease/sqlite/index.ts'),
    import('../retrieval/vectors/index.ts'),
    import('../memory/documents/index.ts'),
    import('../memory/open-memory.ts'),
    import('../memory/search-models.ts'),
    import('../memory/storage-limits.ts'),
  ])
  let parser: Promise<CodeParser> | undefined
  const loadParser = () =>
    (parser ??= import('../retrieval/parse/index.ts').then(({ openTreeSitterParser }) => openTreeSitterParser()))
  const index = openSqliteIndex({ path: join(options.home, 'index.db'), openScan: openVectorScan })
  const memory = openMemoryWith({
    ...options,
    codebase: () => codebaseOf(options.settings),
    clock: systemClock,
    index,
    code: index.code,
    health: index.health,
    lease: openLease(join(options.home, '.index-lease.db')),
    checkRoom: () => checkRoom({ settings: options.settings, freeSpace: () => freeSpace(options.home) }),
    documents: openDocuments(),
    models: openSearchModels(options.models),
    parser: loadParser,
  })
  return {
    ...memory,
    async close() {
      await memory.close()
      await (await parser)?.close()
    },
  }
}

function codebaseOf(settings: Settings) {
  const list = (name: string) => settings.get(name).value as string[]
  const bytes = (name: string) => toBytes(String(settings.get(name).value))!
  return {
    roots: list('codebase.roots'),
    limits: {
      exclude: list('codebase.exclude'),
      extensions: list('codebase.extensions'),
      maxFileSize: bytes('codebase.maxFileSize'),
      maxSize: bytes('codebase.maxSize'),
      maxFiles: Number(settings.get('codebase.maxFiles').value),
    },
  }
}
