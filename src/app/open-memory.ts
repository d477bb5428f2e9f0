import { join } from 'node:path'
import { systemClock } from '../adapters/clock/system/index.ts'
import { freeSpace } from '../adapters/free-space.ts'
import { toBytes } from '../core/settings.ts'
import type { CodeParser } from '../ports/code-parser.ts'
import type { Collections } from '../ports/collections.ts'
import type { Embedder } from '../ports/embedder.ts'
import type { Memory } from '../ports/memory.ts'
import type { Models } from '../ports/models.ts'
import type { Projects } from '../ports/projects.ts'
import type { Settings } from '../ports/settings.ts'
import type { UseLog } from '../ports/use-log.ts'

export interface MemoryOptions {
  readonly home: string
  readonly projects: Projects
  readonly collections: Collections
  readonly settings: Settings
  readonly embedder: () => Promise<Embedder | undefined>
  /** The same, where texts can be embedded while they are indexed. */
  readonly quickEmbedder: () => Promise<Embedder | undefined>
  readonly models: Pick<Models, 'expansion' | 'reranker'>
  readonly uses: UseLog
  readonly warn: (message: string) => void
}

/** The index of this user and everything that feeds it. Loaded apart, because most commands never search. */
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
    import('../adapters/index/sqlite/index.ts'),
    import('../adapters/lease/sqlite/index.ts'),
    import('../adapters/vectors/wasm/index.ts'),
    import('../adapters/documents/disk/index.ts'),
    import('../memory/open-memory.ts'),
    import('../memory/search-models.ts'),
    import('../memory/storage-limits.ts'),
  ])
  let parser: Promise<CodeParser> | undefined
  const loadParser = () =>
    (parser ??= import('../adapters/parse/tree-sitter/index.ts').then(({ openTreeSitterParser }) =>
      openTreeSitterParser(),
    ))
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
