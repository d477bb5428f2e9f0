import { chunkDocument, textToEmbed } from '../core/chunking/analyse-document.ts'
import { quantize } from '../core/ranking/vector.ts'
import { rememberRecent } from '../core/recent-values.ts'
import { redactSecrets } from '../core/secrets/redact.ts'
import { throwIfStopped } from '../core/stop.ts'
import type { Embedder } from '../ports/embedder.ts'
import type { UpdateRequest } from '../ports/memory.ts'
import type { StoredDocument, UnembeddedChunk } from '../ports/search-index.ts'
import type { IndexParts } from './index-files.ts'

const DOCUMENTS_AT_ONCE = 128
// What is stored together: a transformer needs seconds for so many, and whoever stops it loses no more.
const TEXTS_AT_ONCE = 64

export interface EmbedJob {
  /** When more are missing than this, none is made: someone has left them for later. */
  readonly most?: number
  readonly signal?: UpdateRequest['signal']
  progress: UpdateRequest['progress']
}

/**
 * Makes the vectors that are missing and says how many it made. Files that changed since they were indexed wait for the
 * next update.
 */
export async function embedPending(parts: IndexParts, embedder: Embedder, job: EmbedJob): Promise<number> {
  const { index } = parts
  const { chunks, vectors } = await index.status()
  const total = chunks - (vectors[embedder.id] ?? 0)
  if (total === 0 || total > (job.most ?? Infinity)) return 0
  const waiting = new Set<number>()
  const documents = new Map((await index.documents({})).map((document) => [document.id, document]))
  const textOf = rememberRedacted(parts)
  let made = 0
  for (;;) {
    throwIfStopped(job.signal)
    const pending = (await index.unembedded(embedder.id, DOCUMENTS_AT_ONCE + waiting.size)).filter(
      ({ document }) => !waiting.has(document),
    )
    if (pending.length === 0) return made
    const texts: { chunk: number; text: string }[] = []
    for (const [id, wanted] of Map.groupBy(pending, ({ document }) => document)) {
      const document = documents.get(id)
      const own = document && (await textsOf(parts, { document, wanted, text: textOf(document) }))
      if (own === undefined) waiting.add(id)
      else texts.push(...own)
    }
    for (let at = 0; at < texts.length; at += TEXTS_AT_ONCE) {
      throwIfStopped(job.signal)
      const batch = texts.slice(at, at + TEXTS_AT_ONCE)
      const vectorsOf = await embedder.embed(
        batch.map(({ text }) => text),
        'document',
      )
      await index.storeVectors(
        embedder.id,
        batch.map(({ chunk }, i) => ({ chunk, vector: quantize(vectorsOf[i]!) })),
      )
      made += batch.length
      job.progress('embedding', made, total)
    }
  }
}

/** Undefined when the file is not what was indexed. */
async function textsOf(
  { outlineCode }: IndexParts,
  {
    document,
    wanted,
    text,
  }: { document: StoredDocument; wanted: readonly UnembeddedChunk[]; text: string | undefined },
): Promise<{ chunk: number; text: string }[] | undefined> {
  if (text === undefined) return undefined
  const outline = document.origin === 'code' ? await outlineCode(text, document.path) : undefined
  const cut = chunkDocument(document, text, outline)
  if (wanted.some(({ at, startLine, endLine }) => cut[at]?.startLine !== startLine || cut[at]?.endLine !== endLine))
    return undefined
  return wanted.map(({ id, at, heading }) => ({
    chunk: id,
    text: textToEmbed(document.title, heading, cut[at]!.text),
  }))
}

// Files of notes: each note is a document, and would read and redact all of its file.
const REMEMBERED = 8

/** The redacted text of the file of a document. */
function rememberRedacted({ documents }: IndexParts): (document: StoredDocument) => string | undefined {
  const known = rememberRecent<string>(REMEMBERED)
  return (document) => {
    const { path, entry } = document
    const before = entry === undefined ? undefined : known.get(path)
    if (before !== undefined) return before
    const raw = documents.text(document)
    const text = raw === undefined ? undefined : redactSecrets(raw).text
    if (text !== undefined && entry !== undefined) known.set(path, text)
    return text
  }
}
