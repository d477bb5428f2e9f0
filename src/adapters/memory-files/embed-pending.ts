import { readFileSync } from 'node:fs'
import { cutDocument, meaningOfChunk } from '../../core/search/prepare-document.ts'
import { quantize } from '../../core/search/vector.ts'
import type { Embedder } from '../../ports/embedder.ts'
import type { UpdateRequest } from '../../ports/memory.ts'
import type { SearchIndex, StoredDocument, UnembeddedChunk } from '../../ports/search-index.ts'
import type { CutCode } from './cut-code.ts'

const DOCUMENTS_AT_ONCE = 128

/** Makes the vectors that are missing and says how many it made. Files that changed since they were indexed wait for the next update. */
export async function embedPending(index: SearchIndex, embedder: Embedder, job: { cutCode: CutCode; progress: UpdateRequest['progress'] }): Promise<number> {
  const { chunks, vectors } = await index.status()
  const total = chunks - (vectors[embedder.id] ?? 0)
  if (total === 0) return 0
  const waiting = new Set<number>()
  const documents = new Map((await index.documents({})).map((document) => [document.id, document]))
  let made = 0
  for (;;) {
    const pending = (await index.unembedded(embedder.id, DOCUMENTS_AT_ONCE + waiting.size)).filter(({ document }) => !waiting.has(document))
    if (pending.length === 0) return made
    const texts: { chunk: number; text: string }[] = []
    for (const [id, wanted] of Map.groupBy(pending, ({ document }) => document)) {
      const document = documents.get(id)
      const own = document && (await textsOf(index, document, { wanted, cutCode: job.cutCode }))
      if (own === undefined) waiting.add(id)
      else texts.push(...own)
    }
    const made_ = await embedder.embed(texts.map(({ text }) => text), 'document')
    await index.storeVectors(embedder.id, texts.map(({ chunk }, i) => ({ chunk, vector: quantize(made_[i]!) })))
    made += texts.length
    job.progress('embedding', made, total)
  }
}

/** Undefined when the file is not what was indexed. */
async function textsOf(index: SearchIndex, document: StoredDocument, { wanted, cutCode }: { wanted: readonly UnembeddedChunk[]; cutCode: CutCode }): Promise<{ chunk: number; text: string }[] | undefined> {
  const text = readIfThere(document.path)
  if (text === undefined) return undefined
  const outline = document.origin === 'code' ? await cutCode(text, document.path) : undefined
  const cut = cutDocument(document, text, outline)
  const chunks = await index.chunks(document.id)
  if (cut.length !== chunks.length || cut.some(({ startLine }, i) => startLine !== chunks[i]!.startLine)) return undefined
  const ids = new Set(wanted.map(({ id }) => id))
  return chunks.flatMap(({ id, heading }, i) => (ids.has(id) ? [{ chunk: id, text: meaningOfChunk(document.title, heading, cut[i]!.text) }] : []))
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
