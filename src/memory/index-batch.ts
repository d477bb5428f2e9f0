import { createHash } from 'node:crypto'
import { redactSecrets } from '../kernel/domain/secrets/redact.ts'
import type { CodeOutline } from '../retrieval/domain/chunking/code-outline.ts'
import { openPacker } from '../retrieval/domain/ranking/packed-postings.ts'
import { quantize } from '../retrieval/domain/ranking/vector.ts'
import type { Embedder } from '../retrieval/ports/embedder.ts'
import { analyseDocument, type DocumentPlace, type AnalysedDocument } from './domain/document/analyse-document.ts'
import { notesIn } from './domain/note/note-facts.ts'
import type { Documents } from './ports/documents.ts'
import type { UpdateReport } from './ports/memory.ts'
import type { IndexBatch, SearchIndex } from './ports/search-index.ts'

/** A file that is new or may have changed. */
export interface FileToIndex {
  readonly place: Omit<DocumentPlace, 'hash'>
  /** Hash of the file in the index. */
  readonly knownHash: string | undefined
  /** Hashes of the file's notes in the index, by name. */
  readonly knownEntries?: ReadonlyMap<string, string> | undefined
}

/** Source and target of a batch. */
export interface BatchParts {
  readonly documents: Pick<Documents, 'contents'>
  readonly index: Pick<SearchIndex, 'write'>
  /** Embedder that makes the vectors along with the words; undefined if they are made later or not at all. */
  readonly quick?: Embedder | undefined
}

export type Counts = Pick<UpdateReport, 'added' | 'changed' | 'removed' | 'unchanged' | 'embedded' | 'skipped'>

type OutlineOf = (text: string, path: string) => CodeOutline | undefined

/** Reads some files and adds them to the index, all or none. Runs in a worker if there are many. */
export async function indexBatch(
  { documents, index, quick }: BatchParts,
  files: readonly FileToIndex[],
  outlineOf: OutlineOf = () => undefined,
): Promise<Counts> {
  const known = new Set(files.filter(({ knownHash }) => knownHash !== undefined).map(({ place }) => place.path))
  const texts: string[] | undefined = quick && []
  const { skipped, ...batch } = readBatch(documents, files, { outlineOf, texts })
  const removed = [
    ...skipped.filter(({ path }) => known.has(path)).map(({ collection, path }) => ({ collection, path })),
    ...batch.goneEntries,
  ]
  const vectors = quick && (await vectorsOf(quick, texts!))
  if (batch.documents.length + batch.restamped.length + removed.length > 0)
    await index.write({ ...batch, vectors, removed })
  const whole = batch.documents.filter(({ facts }) => facts.entry === undefined)
  const changed = whole.filter(({ facts }) => known.has(facts.path)).length
  return {
    added: whole.length - changed,
    changed,
    removed: removed.length - batch.goneEntries.length,
    unchanged: batch.restamped.length,
    embedded: vectors?.all.length ?? 0,
    skipped: skipped.map(({ path, reason }) => ({ path, reason })),
  }
}

/** Undefined if the model fails: the words must not wait for it, and the later embedding run reports why. */
async function vectorsOf(quick: Embedder, texts: readonly string[]): Promise<IndexBatch['vectors']> {
  try {
    return { embedder: quick.id, all: (await quick.embed(texts, 'document')).map(quantize) }
  } catch {
    return undefined
  }
}

export const noCounts = () => ({
  added: 0,
  changed: 0,
  removed: 0,
  unchanged: 0,
  embedded: 0,
  skipped: [] as Counts['skipped'][number][],
})

export function addCounts(total: ReturnType<typeof noCounts>, more: Counts): void {
  total.added += more.added
  total.changed += more.changed
  total.removed += more.removed
  total.unchanged += more.unchanged
  total.embedded += more.embedded
  total.skipped.push(...more.skipped)
}

interface BatchRead extends Omit<IndexBatch, 'removed' | 'vectors'> {
  readonly goneEntries: IndexBatch['removed']
  readonly skipped: readonly { readonly path: string; readonly reason: string; readonly collection: string }[]
}

const packer = openPacker()

/**
 * Reads, splits and analyses files; `texts` receives the texts to embed. Redacts first, so that no secret becomes a
 * word of the index.
 */
function readBatch(
  documents: Pick<Documents, 'contents'>,
  files: readonly FileToIndex[],
  { outlineOf, texts }: { outlineOf: OutlineOf; texts: string[] | undefined },
): BatchRead {
  packer.begin()
  const take: Parameters<typeof analyseDocument>[2]['take'] = (tokens, toEmbed) => {
    packer.add(tokens)
    texts?.push(toEmbed())
  }
  const analysed: AnalysedDocument[] = []
  const restamped: IndexBatch['restamped'][number][] = []
  const skipped: BatchRead['skipped'][number][] = []
  const goneEntries: IndexBatch['removed'][number][] = []
  for (const { place, knownHash, knownEntries } of files) {
    const { collection, path, size, mtime } = place
    const read = documents.contents(path)
    // A file deleted meanwhile is handled by the next update.
    if (read === undefined) continue
    const gone = new Set(knownEntries?.keys())
    if ('reason' in read) {
      skipped.push({ path, collection, reason: read.reason })
    } else if (read.hash === knownHash) {
      restamped.push({ collection, path, size, mtime })
      gone.clear()
    } else {
      const { text } = redactSecrets(read.text)
      const outline = outlineOf(text, path)
      analysed.push(analyseDocument({ ...place, hash: read.hash }, text, { take, outline }))
      for (const { entry, source } of place.origin === 'note' ? notesIn(text) : []) {
        const hash = createHash('sha256').update(source).digest('hex')
        gone.delete(entry)
        if (knownEntries?.get(entry) !== hash) analysed.push(analyseDocument({ ...place, entry, hash }, text, { take }))
      }
    }
    for (const entry of gone) goneEntries.push({ collection, path, entry })
  }
  return { documents: analysed, postings: packer.pack(), restamped, skipped, goneEntries }
}
