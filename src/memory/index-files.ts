import { setImmediate } from 'node:timers/promises'
import { redactSecrets } from '../kernel/domain/secrets/redact.ts'
import { throwIfStopped, type StopSignal } from '../kernel/domain/stop.ts'
import { languageOfFile } from '../retrieval/domain/chunking/code-files.ts'
import type { CodeOutline } from '../retrieval/domain/chunking/code-outline.ts'
import type { CodeParser } from '../retrieval/ports/code-parser.ts'
import type { Embedder } from '../retrieval/ports/embedder.ts'
import { inBatches } from './in-batches.ts'
import { indexBatch, type Counts, type FileToIndex } from './index-batch.ts'
import { inThreads } from './index-threads.ts'
import type { Documents } from './ports/documents.ts'
import type { SearchIndex } from './ports/search-index.ts'

/** The outline of a source file; undefined if it has none: it is then split as plain lines. */
export type OutlineCode = (text: string, path: string) => Promise<CodeOutline | undefined>

export interface IndexParts {
  readonly documents: Documents
  readonly index: SearchIndex
  readonly outlineCode: OutlineCode
}

/** `IndexParts` for an update that makes vectors along with the words. */
export interface QuickIndexParts extends IndexParts {
  readonly quick?: Embedder | undefined
}

// Below this, starting a worker takes longer than the work itself.
const WORTH_A_WORKER = 4 * 1024 * 1024
// A larger file would hold up other work on this thread, and nothing could stop it.
const LARGEST_HERE = 512 * 1024
const CODE_AT_ONCE = 100

/**
 * Adds files to the index, batch by batch, and yields the counts of each batch in no particular order. Throws `stopped`
 * when the signal fires.
 */
export async function* indexFiles(
  parts: QuickIndexParts,
  all: readonly FileToIndex[],
  signal?: StopSignal,
): AsyncGenerator<Counts> {
  const { documents, index, quick } = parts
  const code = all.filter(({ place }) => place.origin === 'code')
  for (let at = 0; at < code.length; at += CODE_AT_ONCE)
    yield await indexCode(parts, code.slice(at, at + CODE_AT_ONCE), signal)
  const files = all.filter(({ place }) => place.origin !== 'code')
  const bytes = files.reduce((sum, { place }) => sum + place.size, 0)
  const batches = inBatches(files, ({ place }) => place.size)
  const largest = files.reduce((most, { place }) => Math.max(most, place.size), 0)
  if (index.elsewhere !== undefined && (bytes >= WORTH_A_WORKER || largest > LARGEST_HERE)) {
    const modules = { documents: documents.module, index: index.elsewhere, embedder: quick?.elsewhere }
    return yield* inThreads({ ...modules, largest, signal }, 'index', batches, (batch) => indexBatch(parts, batch))
  }
  for (const batch of batches) {
    throwIfStopped(signal)
    yield await indexBatch(parts, batch)
    await setImmediate()
  }
}

export function outlineWith(parser: () => Promise<CodeParser>): OutlineCode {
  return async (text, path) => {
    const language = languageOfFile(path)
    return language === undefined ? undefined : (await parser()).parse(text, language)
  }
}

/** The parser runs on this thread and yields to other work between files. */
async function indexCode(
  parts: QuickIndexParts,
  files: readonly FileToIndex[],
  signal: StopSignal | undefined,
): Promise<Counts> {
  const outlines = new Map<string, CodeOutline | undefined>()
  for (const { path } of files.map(({ place }) => place)) {
    throwIfStopped(signal)
    const read = parts.documents.contents(path)
    if (read !== undefined && 'text' in read)
      outlines.set(path, await parts.outlineCode(redactSecrets(read.text).text, path))
  }
  return indexBatch(parts, files, (_text, path) => outlines.get(path))
}
