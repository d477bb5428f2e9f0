import { statSync } from 'node:fs'
import { cutDocument } from '../core/chunking/prepare-document.ts'
import { IndexDamaged } from '../core/index-damaged.ts'
import { hitVerdict } from '../core/ranking/hit-verdict.ts'
import { asksAboutOneself } from '../core/ranking/replies.ts'
import { quantize } from '../core/ranking/vector.ts'
import { redactPart } from '../core/secrets/redact-part.ts'
import { redactSecrets } from '../core/secrets/redact.ts'
import { analyseQuery, type QueryTerm } from '../core/text/analyse.ts'
import { snippetOf } from '../core/text/snippet.ts'
import { readLines } from '../core/text/text-lines.ts'
import type { Embedder } from '../ports/embedder.ts'
import type { MemoryAnswer, MemoryHit, MemoryQuestion } from '../ports/memory.ts'
import type { IndexHit, IndexQuestion, SearchIndex } from '../ports/search-index.ts'
import { inTime } from './in-time.ts'
import { readDocument } from './read-document.ts'
import type { JudgedHit, Refinement, Refiner, RefineRequest } from './refine.ts'

export interface SearchParts {
  readonly index: SearchIndex
  readonly embedder: () => Promise<Embedder | undefined>
  readonly refiner: Refiner
}

const LONGEST_QUERY = 10_000
// About what a cross-encoder of 512 tokens reads.
const LONGEST_PASSAGE = 2_000
// A model on this machine needs a millisecond; one behind a network must not keep the words waiting.
const EMBED_DEADLINE = 3_000
/**
 * How strongly a rare word of the question outweighs a common one. Chosen on LoCoMo; from .3 to .6 little changes, 1
 * loses CoSQA.
 */
export const RARITY_POWER = 0.4

export async function searchMemory(parts: SearchParts, question: MemoryQuestion): Promise<MemoryAnswer> {
  const text = question.text.slice(0, LONGEST_QUERY)
  if (text.trim() === '' || question.limit < 1) return { hits: [], stages: [], notes: [] }
  const isRefined = question.by === 'both'
  const asked = { ...question, text, limit: isRefined ? await parts.refiner.depth(question.limit) : question.limit }
  const first = await lookUp(parts, asked)
  const refined = isRefined
    ? await parts.refiner.refine(refineRequest(parts, asked, first.found))
    : { found: first.found, stages: [], notes: [] }
  const terms = analyseQuery(text)
  const hits = refined.found.slice(0, question.limit).map((hit) => toHit(hit, terms))
  return { hits, stages: [...first.stages, ...refined.stages], notes: [...first.notes, ...refined.notes] }
}

/** Looks for one wording, without any model but the embedder. */
async function lookUp(parts: SearchParts, question: MemoryQuestion): Promise<Refinement> {
  const notes: string[] = []
  const meant = question.by === 'words' ? undefined : await meaningOf(parts, question.text, notes)
  const by = meant === undefined ? 'words' : question.by
  const found = await parts.index.search({
    terms: analyseQuery(question.text),
    by,
    aboutAsker: asksAboutOneself(question.text),
    scope: question.scope,
    limit: question.limit,
    ...(meant && { meaning: meant.meaning }),
  })
  const calibration = meant?.embedder.calibration
  const judged = found
    .map((hit) => ({ ...hit, verdict: hitVerdict({ ...hit, calibration }) }))
    .filter(({ verdict }) => verdict !== 'none')
  return {
    found: judged,
    stages: [...(by === 'meaning' ? [] : ['lexical']), ...(meant === undefined ? [] : ['semantic'])],
    notes,
  }
}

function refineRequest(parts: SearchParts, question: MemoryQuestion, found: readonly JudgedHit[]): RefineRequest {
  return {
    text: question.text,
    found,
    lookUp: async (wording) => (await lookUp(parts, { ...question, text: wording })).found,
    async passageOf({ document, chunk }) {
      const part = textOfHit(document, chunk)
      return [document.title, part.heading, part.text]
        .filter((line) => line !== '')
        .join('\n')
        .slice(0, LONGEST_PASSAGE)
    },
  }
}

interface Meant {
  readonly embedder: Embedder
  readonly meaning: NonNullable<IndexQuestion['meaning']>
}

async function meaningOf(
  { index, embedder: load }: SearchParts,
  text: string,
  notes: string[],
): Promise<Meant | undefined> {
  try {
    const embedder = await inTime(load(), EMBED_DEADLINE, 'the embedder did not answer in time')
    if (embedder === undefined) {
      notes.push('No embedder is on, so only words were compared.')
      return undefined
    }
    const rarity = await index.rarity()
    const [vector] = await inTime(
      embedder.embed([text], 'query', (word) => rarity(word) ** RARITY_POWER),
      EMBED_DEADLINE,
      'the embedder did not answer in time',
    )
    return {
      embedder,
      meaning: { embedder: embedder.id, vector: quantize(vector!), beta: embedder.calibration?.weight },
    }
  } catch (error) {
    if (error instanceof IndexDamaged) throw error
    notes.push(`Only words were compared: ${error instanceof Error ? error.message : String(error)}.`)
    return undefined
  }
}

function toHit(
  { document, chunk, score, coverage, cosine, verdict }: JudgedHit,
  terms: readonly QueryTerm[],
): MemoryHit {
  const part = textOfHit(document, chunk)
  const piece = snippetOf(part.text, terms)
  return {
    id: `#${document.key}`,
    path: document.path,
    collection: document.collection,
    title: document.title,
    heading: part.heading,
    startLine: part.startLine,
    endLine: part.endLine,
    snippet: piece.text,
    score: Math.round(score * 1000) / 1000,
    verdict,
    foundBy: cosine === null || cosine <= 0 ? 'words' : coverage > 0 ? 'both' : 'meaning',
    origin: document.origin,
    trust: document.trust,
    tags: document.tags,
    modified: new Date(document.modified),
    supersededBy: document.supersededBy,
  }
}

/**
 * The lines of a chunk, redacted before anything is cut from them. In a file that changed since it was indexed the part
 * under the same heading is taken, or the nearest.
 */
function textOfHit(
  document: IndexHit['document'],
  chunk: IndexHit['chunk'],
): { text: string; startLine: number; endLine: number; heading: string } {
  const text = readDocument(document)
  if (text === undefined) return { ...chunk, text: 'The file is gone; `ken update` takes it out of the index.' }
  const stat = statSync(document.path, { throwIfNoEntry: false })
  if (stat?.size === document.size && stat.mtimeMs === document.mtime) {
    const lines = readLines(text)
    return { ...chunk, text: redactPart(text, lines.start(chunk.startLine - 1), lines.start(chunk.endLine)) }
  }
  const cut = cutDocument(document, redactSecrets(text).text)
  const distance = (startLine: number) => Math.abs(startLine - chunk.startLine)
  const [nearest] = cut.toSorted(
    (a, b) =>
      Number(b.heading === chunk.heading) - Number(a.heading === chunk.heading) ||
      distance(a.startLine) - distance(b.startLine),
  )
  return nearest ?? { ...chunk, text: '' }
}
