import { chunkDocument } from '../core/chunking/analyse-document.ts'
import { operationNamed } from '../core/named-operation.ts'
import { redactPart } from '../core/secrets/redact-part.ts'
import { redactSecrets } from '../core/secrets/redact.ts'
import type { QueryTerm } from '../core/text/analyse.ts'
import { snippetOf } from '../core/text/snippet.ts'
import { readLines } from '../core/text/text-lines.ts'
import type { Documents } from '../ports/documents.ts'
import type { MemoryHit } from '../ports/memory.ts'
import type { IndexHit } from '../ports/search-index.ts'

export interface JudgedHit extends IndexHit {
  readonly verdict: MemoryHit['verdict']
}

/** A hit as it is shown, with the lines of its file that say most about the query. */
export function showHit(
  documents: Pick<Documents, 'text' | 'stamp'>,
  hit: JudgedHit,
  terms: readonly QueryTerm[],
): MemoryHit {
  const { document, score, coverage, cosine, verdict } = hit
  const part = textOf(documents, hit)
  return {
    id: document.key,
    path: document.path,
    collection: document.collection,
    title: document.title,
    heading: part.heading,
    startLine: part.startLine,
    endLine: part.endLine,
    snippet: snippetOf(part.text, terms).text,
    score: Math.round(score * 1000) / 1000,
    verdict,
    foundBy: cosine === null || cosine <= 0 ? 'words' : coverage > 0 ? 'both' : 'meaning',
    origin: document.origin,
    trust: document.trust,
    tags: document.tags,
    modified: new Date(document.modified),
    laidAside: document.laidAside,
  }
}

// About what a cross-encoder of 512 tokens reads.
const LONGEST_PASSAGE = 2_000

/** What a reranker is given of a hit. */
export function passageOf(documents: Pick<Documents, 'text' | 'stamp'>, hit: IndexHit): string {
  const part = textOf(documents, hit)
  return [hit.document.title, part.heading, part.text]
    .filter((line) => line !== '')
    .join('\n')
    .slice(0, LONGEST_PASSAGE)
}

/** Whether a hit holds a text word for word, however it is spaced. */
export function isVerbatim(documents: Pick<Documents, 'text' | 'stamp'>, hit: IndexHit, wording: string): boolean {
  return folded(textOf(documents, hit).text).includes(folded(wording))
}

const folded = (text: string): string => text.replace(/\s+/g, ' ').trim().toLowerCase()

/**
 * The lines of a chunk, redacted before anything is cut from them. In a file that changed since it was indexed the part
 * under the same heading is taken, or the nearest.
 */
function textOf(
  documents: Pick<Documents, 'text' | 'stamp'>,
  { document, chunk }: IndexHit,
): { text: string; startLine: number; endLine: number; heading: string } {
  const text = documents.text(document)
  if (text === undefined)
    return { ...chunk, text: `The file is gone; ${operationNamed('memory_update')} takes it out of the index.` }
  const now = documents.stamp(document.path)
  if (now?.size === document.size && now.mtime === document.mtime) {
    const lines = readLines(text)
    return { ...chunk, text: redactPart(text, lines.start(chunk.startLine - 1), lines.start(chunk.endLine)) }
  }
  const cut = chunkDocument(document, redactSecrets(text).text)
  const distance = (startLine: number) => Math.abs(startLine - chunk.startLine)
  const [nearest] = cut.toSorted(
    (a, b) =>
      Number(b.heading === chunk.heading) - Number(a.heading === chunk.heading) ||
      distance(a.startLine) - distance(b.startLine),
  )
  return nearest ?? { ...chunk, text: '' }
}
