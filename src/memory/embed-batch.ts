import { rememberRecent } from '../kernel/domain/recent-values.ts'
import { redactSecrets } from '../kernel/domain/secrets/redact.ts'
import { throwIfStopped } from '../kernel/domain/stop.ts'
import type { CodeOutline } from '../retrieval/domain/chunking/code-outline.ts'
import { quantize } from '../retrieval/domain/ranking/vector.ts'
import type { Embedder } from '../retrieval/ports/embedder.ts'
import { chunkDocument, textToEmbed } from './domain/document/analyse-document.ts'
import type { Documents } from './ports/documents.ts'
import type { UpdateRequest } from './ports/memory.ts'
import type { SearchIndex, StoredDocument, UnembeddedChunk } from './ports/search-index.ts'

/** A document with those of its chunks that have no vector yet. */
export interface DocumentToEmbed {
  readonly document: StoredDocument
  readonly wanted: readonly UnembeddedChunk[]
}

export interface EmbedParts {
  readonly documents: Pick<Documents, 'text'>
  readonly index: Pick<SearchIndex, 'storeVectors'>
  readonly embedder: Embedder
  readonly outlineOf?: (text: string, path: string) => Promise<CodeOutline | undefined>
}

// Number of texts stored together: a transformer needs seconds for this many, and an interruption loses no more.
const TEXTS_AT_ONCE = 64
// Same limit for an embedder that is as fast as storing.
const TEXTS_AT_ONCE_QUICK = 1024

/**
 * Creates the vectors of some documents and returns how many. Files changed since they were indexed wait for the next
 * update. Runs in a worker if there are many.
 */
export async function embedBatch(
  parts: EmbedParts,
  batch: readonly DocumentToEmbed[],
  { signal, made = () => {} }: { signal?: UpdateRequest['signal']; made?: (count: number) => void } = {},
): Promise<number> {
  const { index, embedder } = parts
  const texts: TextToEmbed[] = []
  const redacted = rememberRedacted(parts)
  for (const one of batch) texts.push(...((await textsOf(parts, one, redacted(one.document))) ?? []))
  const atOnce = embedder.elsewhere === undefined ? TEXTS_AT_ONCE : TEXTS_AT_ONCE_QUICK
  for (let at = 0; at < texts.length; at += atOnce) {
    throwIfStopped(signal)
    const some = texts.slice(at, at + atOnce)
    const vectors = await embedder.embed(
      some.map(({ text }) => text),
      'document',
    )
    await index.storeVectors(
      embedder.id,
      some.map(({ chunk, epoch }, i) => ({ chunk, epoch, vector: quantize(vectors[i]!) })),
    )
    made(some.length)
  }
  return texts.length
}

interface TextToEmbed {
  readonly chunk: number
  readonly epoch: number
  readonly text: string
}

/** Texts to embed; undefined if the file changed since indexing. */
async function textsOf(
  { outlineOf }: EmbedParts,
  { document, wanted }: DocumentToEmbed,
  text: string | undefined,
): Promise<TextToEmbed[] | undefined> {
  if (text === undefined) return undefined
  const outline = document.origin === 'code' ? await outlineOf?.(text, document.path) : undefined
  const cut = chunkDocument(document, text, outline)
  if (wanted.some(({ at, startLine, endLine }) => cut[at]?.startLine !== startLine || cut[at]?.endLine !== endLine))
    return undefined
  return wanted.map(({ id, epoch, at, heading }) => ({
    chunk: id,
    epoch,
    text: textToEmbed(document.title, heading, cut[at]!.text),
  }))
}

// Number of files kept, for note files: each note is a document, and would otherwise read and redact its whole file.
const REMEMBERED = 8

/** The redacted text of a document's file. */
function rememberRedacted({ documents }: EmbedParts): (document: StoredDocument) => string | undefined {
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
