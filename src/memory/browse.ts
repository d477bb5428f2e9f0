import { readLines } from '../kernel/domain/text/text-lines.ts'
import { scopeFilter } from '../retrieval/domain/ranking/indexed-document.ts'
import type { JudgedHit } from './hit-text.ts'
import type { FoundDocument, MemoryBrowsing, MemoryPage, MemoryQuestion } from './ports/memory.ts'
import type { StoredDocument } from './ports/search-index.ts'
import { rankMemory, showHits, type SearchParts } from './search.ts'

/** Number of hits scanned for filters that the index cannot apply. */
const LOOKED_THROUGH = 2_000

/** A page of an answer. Texts are read only for the hits on it. */
export async function browseMemory(parts: SearchParts, question: MemoryBrowsing): Promise<MemoryPage> {
  const { from, limit, accepts } = question
  // One more than the page contains, to detect whether there is a next one.
  const depth = accepts === undefined ? from + limit + 1 : Math.max(LOOKED_THROUGH, from + limit + 1)
  const { found, text, stages, notes } = await rank(parts, question, depth)
  const taken = accepts === undefined ? found : await keep(found, accepts, from + limit + 1)
  const shown = taken.slice(from, from + limit)
  return {
    hits: await showHits(parts, text.trim() === '' ? await begun(parts, shown) : shown, text),
    stages,
    notes,
    text,
    more: taken.length > from + limit,
  }
}

export async function surveyMemory(parts: SearchParts, question: MemoryQuestion): Promise<readonly FoundDocument[]> {
  if (question.text.trim() === '') return (await newest(parts, question)).map(factsOf)
  const { found } = await rankMemory(parts, question)
  return found.slice(0, question.limit).map(factsOf)
}

async function rank(parts: SearchParts, question: MemoryBrowsing, depth: number) {
  if (question.text.trim() !== '') return rankMemory(parts, { ...question, limit: depth })
  return { found: (await newest(parts, question)).slice(0, depth), text: '', stages: [], notes: [] }
}

async function keep(
  found: readonly JudgedHit[],
  accepts: (document: FoundDocument) => Promise<boolean>,
  most: number,
): Promise<JudgedHit[]> {
  const kept: JudgedHit[] = []
  for (const hit of found) {
    if (kept.length >= most) break
    if (await accepts(factsOf(hit))) kept.push(hit)
  }
  return kept
}

function factsOf({ document, verdict }: JudgedHit): FoundDocument {
  const { path, collection, origin, trust, workspace, project, tags, modified } = document
  return { path, collection, origin, trust, workspace, project, tags, modified, verdict }
}

async function newest({ index }: SearchParts, { scope }: MemoryQuestion): Promise<JudgedHit[]> {
  // A note file is listed together with its notes and has no text of its own to read.
  const readable = (await index.documents({})).filter(({ origin, entry }) => origin !== 'note' || entry !== undefined)
  const inScope = readable.filter(scopeFilter(scope))
  return inScope.toSorted((a, b) => b.modified - a.modified).map(unasked)
}

const SHOWN_LINES = 40

/**
 * Sets the shown lines of hits without a query, which start at their beginning. Only for hits on the page: counting
 * lines requires reading the text.
 */
async function begun({ texts }: SearchParts, hits: readonly JudgedHit[]): Promise<JudgedHit[]> {
  const documents = await texts(hits.map(({ document }) => document))
  return hits.map((hit) => {
    const lines = readLines(documents.text(hit.document) ?? '').count
    return { ...hit, chunk: { ...hit.chunk, endLine: Math.max(1, Math.min(SHOWN_LINES, lines)) } }
  })
}

function unasked(document: StoredDocument): JudgedHit {
  return {
    document,
    chunk: { id: 0, startLine: 1, endLine: 1, heading: '' },
    parts: [],
    score: 0,
    coverage: 0,
    cosine: null,
    hasAllWords: false,
    isNamed: false,
    worth: 1,
    verdict: 'none',
  }
}
