import { analyseQuery, openTokenCounter } from '../kernel/domain/text/analyse.ts'
import { stem } from '../kernel/domain/text/stem.ts'
import type { Clock } from '../kernel/ports/clock.ts'
import { IndexDamaged } from '../retrieval/domain/index-damaged.ts'
import { idf } from '../retrieval/domain/ranking/bm25.ts'
import { fuseWordings } from '../retrieval/domain/ranking/query-expansion.ts'
import { readQuestion } from '../retrieval/domain/ranking/read-question.ts'
import { orderByRelevance } from '../retrieval/domain/ranking/rerank.ts'
import { namesIn, type WeighedTerm } from '../retrieval/domain/ranking/speakers.ts'
import { cosine, quantize } from '../retrieval/domain/ranking/vector.ts'
import { hitVerdict, isTold, personVerdict } from '../retrieval/domain/ranking/verdict.ts'
import type { Embedder } from '../retrieval/ports/embedder.ts'
import { correctSpelling } from './correct-spelling.ts'
import { withDeadline } from './deadline.ts'
import { isSmallTalk } from './domain/question/small-talk.ts'
import type { WorthOf } from './domain/session/exchange-snippet.ts'
import { isAsking } from './domain/session/ken-calls.ts'
import { originals } from './domain/session/repeated-session.ts'
import { toolKind } from './domain/session/tool-kind.ts'
import { isVerbatim, passageOf, personIn, showHit, type JudgedHit } from './hit-text.ts'
import type { Documents } from './ports/documents.ts'
import type { MemoryAnswer, MemoryHit, MemoryQuestion } from './ports/memory.ts'
import type { IndexHit, IndexQuestion, SearchIndex, StoredDocument } from './ports/search-index.ts'
import type { SearchModels } from './search-models.ts'

export interface SearchParts {
  /**
   * Clock of the machine whose sessions are searched; undefined for a shared memory, which contains no running
   * sessions.
   */
  readonly clock?: Clock
  readonly index: SearchIndex
  readonly texts: TextsOf
  readonly embedder: () => Promise<Embedder | undefined>
  readonly models: SearchModels
}

/** Loads the texts of some documents; other texts need not be available. */
export type TextsOf = (documents: readonly StoredDocument[]) => Promise<Texts>
export interface Texts extends Pick<Documents, 'text' | 'stamp'> {
  /** The person who shared a document, if not the user. */
  author?(document: StoredDocument): string | undefined
}

const LONGEST_QUERY = 10_000
/** Number of the best hits passed to a reranker. */
const RERANKED = 30
// A local model needs a millisecond; a remote one must not delay the search by words.
const EMBED_DEADLINE = 3_000
/**
 * How strongly a rare word of the question outweighs a common one. Chosen on LoCoMo; values from .3 to .6 make little
 * difference, and with 1 CoSQA gets worse.
 */
const RARITY_POWER = 0.4

/** Searches the memory and returns the best hits. */
export async function searchMemory(parts: SearchParts, question: MemoryQuestion): Promise<MemoryAnswer> {
  const { found, text, stages, notes } = await rankMemory(parts, question)
  return { hits: await showHits(parts, found.slice(0, question.limit), text), stages, notes }
}

export async function showHits(
  parts: Pick<SearchParts, 'index' | 'texts' | 'embedder'>,
  hits: readonly JudgedHit[],
  text: string,
): Promise<MemoryHit[]> {
  const documents = await parts.texts(hits.map(({ document }) => document))
  const asked = { terms: analyseQuery(text), worthOf: sentenceWorth(parts, text) }
  return Promise.all(hits.map((hit, at) => showHit(documents, hit, { ...asked, isFirst: at === 0 })))
}

/** Whether a line of a session file is a tool call that ran a command. */
const isCommand = (line: string): boolean => {
  const name = /^tool ([^\s:"]+): /.exec(line)?.[1]
  return name !== undefined && toolKind(name, undefined) === 'command'
}
const WORTH_OF_COMMAND = 0.3

/**
 * Relevance of sentences to a question: by words, and by meaning if the embedder runs in this process, as the bundled
 * one does.
 */
function sentenceWorth({ index, embedder: load }: Pick<SearchParts, 'index' | 'embedder'>, text: string): WorthOf {
  const asksCommand = /\b(?:commands?|invocations?|scripts?|ran|run)\b/i.test(text)
  let weighed: Promise<readonly WeighedTerm[]> | undefined
  let asked: Promise<Float32Array> | undefined
  return async (sentences) => {
    const terms = await (weighed ??= weighTerms(index, text))
    const whole = Math.max(
      1e-6,
      terms.reduce((sum, { weight }) => sum + weight, 0),
    )
    // A counter is used at once: other work may renumber the tokens.
    const counters = terms.map(({ term, parts }) => openTokenCounter([term, ...parts]))
    const shares = sentences.map(
      (sentence) =>
        counters.reduce((sum, count, at) => sum + (count(sentence) > 0 ? terms[at]!.weight : 0), 0) / whole +
        (asksCommand && isCommand(sentence) ? WORTH_OF_COMMAND : 0),
    )
    const embedder = await load().catch(() => undefined)
    if (embedder?.elsewhere === undefined) return shares
    asked ??= weighedVector(index, embedder, text)
    const [question, vectors] = await Promise.all([asked, embedder.embed(sentences, 'document')])
    return shares.map((share, at) => share + Math.max(0, cosine(question, vectors[at]!)))
  }
}

/** The words of a query with their weight in this index. */
async function weighTerms(index: SearchParts['index'], text: string): Promise<readonly WeighedTerm[]> {
  const terms = analyseQuery(text)
  const { chunks, of } = await index.frequencies(terms.map(({ term }) => term))
  return terms.map((term) => ({ ...term, weight: idf(of(term.term), chunks), isIndexed: of(term.term) > 0 }))
}

/**
 * Lowers the verdicts on hits of conversations in which the query's words are about someone other than the person that
 * it names. If the best hit is one of those, so is the answer: the others match less.
 */
async function aboutPerson(
  { index, texts }: SearchParts,
  text: string,
  found: readonly JudgedHit[],
  { notes }: Trail,
): Promise<readonly JudgedHit[]> {
  const told = found.filter(
    ({ document, verdict, isNamed }) => mayBeConversation(document) && isTold(verdict) && !isNamed,
  )
  const names = namesIn(text)
  if (told.length === 0 || names.size === 0) return found
  const [documents, terms] = await Promise.all([texts(told.map(({ document }) => document)), weighTerms(index, text)])
  const evidence = new Map(told.map((hit) => [hit, personIn(documents, hit, { text, names, terms })]))
  const best = evidence.get(found[0]!)
  const isAboutOther = best !== undefined && personVerdict('strong', best.lead) === 'weak'
  if (isAboutOther) notes.push(`The nearest conversation has this about someone other than ${best.person}.`)
  return found.map((hit) => {
    const own = evidence.get(hit)
    if (own === undefined) return hit
    return { ...hit, verdict: personVerdict(hit.verdict, isAboutOther ? -Infinity : own.lead) }
  })
}

const mayBeConversation = ({ origin, entry }: StoredDocument): boolean =>
  entry === undefined && (origin === 'session' || origin === 'document')

export interface Ranked extends Trail {
  /** Best first, and perhaps more than requested. */
  readonly found: readonly JudgedHit[]
  /** The query after spelling correction. */
  readonly text: string
}

/** Retrieval by words and meaning, query expansion, reranking. */
export async function rankMemory(parts: SearchParts, question: MemoryQuestion): Promise<Ranked> {
  const trail: Trail = { stages: [], notes: [] }
  const asked = question.text.slice(0, LONGEST_QUERY)
  if (asked.trim() === '' || question.limit < 1) return { found: [], text: asked, ...trail }
  if (question.by !== 'words' && isSmallTalk(asked)) {
    trail.notes.push('There is nothing to look for in this.')
    return { found: [], text: asked, ...trail }
  }
  const { text, note } = await correctSpelling(asked, parts)
  if (note !== undefined) trail.notes.push(note)
  const deeper = { ...question, text, limit: await depthOf(parts.models, { ...question, text }) }
  let found = await retrieve(parts, deeper, trail)
  if (question.by === 'both') {
    found = await expand(parts, deeper, found, trail)
    found = await rerank(parts, text, found, trail)
  }
  const evidence = await verbatimFirst(parts, text, await withoutAsker(parts, found))
  const hits = await foldRepeats(parts, evidence)
  return { found: question.by === 'both' ? await aboutPerson(parts, text, hits, trail) : hits, text, ...trail }
}

/** Number of best hits that are searched for repeated sessions. */
const FOLDED = 20

/** Forks and retries of a session have the same content: only the best of them stays a hit, and names the others. */
async function foldRepeats({ texts }: SearchParts, found: readonly JudgedHit[]): Promise<readonly JudgedHit[]> {
  const sessions = found.slice(0, FOLDED).filter(({ document }) => document.origin === 'session')
  if (sessions.length < 2) return found
  const documents = await texts(sessions.map(({ document }) => document))
  const original = originals(sessions.map(({ document }) => documents.text(document) ?? ''))
  return found.flatMap((hit) => {
    const at = sessions.indexOf(hit)
    if (at < 0) return [hit]
    const repeats = sessions.filter((_, other) => other !== at && original[other] === at)
    return original[at] !== at ? [] : repeats.length === 0 ? [hit] : [{ ...hit, repeats }]
  })
}

/** A question that waits longer for its answer was interrupted. */
const ASKING_MS = 10 * 60_000

/** Removes the sessions that issued the query: their agents already know the content, which includes the question. */
async function withoutAsker({ texts, clock }: SearchParts, found: readonly JudgedHit[]): Promise<readonly JudgedHit[]> {
  const since = clock === undefined ? Infinity : clock.now().getTime() - ASKING_MS
  const live = found.filter(({ document }) => document.origin === 'session' && document.modified > since)
  if (live.length === 0) return found
  const documents = await texts(live.map(({ document }) => document))
  const asking = new Set(live.filter(({ document }) => isAsking(documents.text(document) ?? '')))
  return asking.size === 0 ? found : found.filter((hit) => !asking.has(hit))
}

/** Number of the best hits checked for an exact wording: a hit that contains all of it is hardly ever ranked lower. */
const WORDED = 15
/** Fewer than four words are keywords rather than a wording. */
const isWording = (text: string): boolean => text.trim().split(/\s+/, 4).length === 4

/** A pasted error message or sentence should find the place with the exact text. */
async function verbatimFirst(
  { texts }: SearchParts,
  text: string,
  found: readonly JudgedHit[],
): Promise<readonly JudgedHit[]> {
  if (!isWording(text)) return found
  const likely = found.filter((hit) => hit.hasAllWords && !hit.isNamed)
  if (likely.length === 0) return found
  const documents = await texts(likely.map(({ document }) => document))
  const first = likely.filter((hit) => isVerbatim(documents, hit, text))
  if (first.length === 0) return found
  const named = found.filter(({ isNamed }) => isNamed)
  const top = found[0]!.score
  return [
    ...named,
    ...first.map((hit) => ({ ...hit, score: Math.max(hit.score, top) })),
    ...found.filter((hit) => !hit.isNamed && !first.includes(hit)),
  ]
}

/** Completed stages, and the reasons why others did not run. */
interface Trail {
  readonly stages: string[]
  readonly notes: string[]
}

/** Reordering an answer needs more hits than requested. */
async function depthOf(models: SearchModels, { text, by, limit }: MemoryQuestion): Promise<number> {
  if (by === 'both' && ((await models.isOn('expansion')) || (await models.isOn('rerank'))))
    return Math.max(limit, RERANKED)
  return isWording(text) ? Math.max(limit, WORDED) : limit
}

/** Searches for one wording, with no model but the embedder. */
async function retrieve(parts: SearchParts, question: MemoryQuestion, trail: Trail): Promise<readonly JudgedHit[]> {
  const meant = question.by === 'words' ? undefined : await embedQuery(parts, question.text, trail.notes)
  const by = meant === undefined ? 'words' : question.by
  const asked = readQuestion(question.text)
  const found = await parts.index.search({
    ...asked,
    by,
    scope: question.scope,
    limit: question.limit,
    ...(meant && { meaning: meant.meaning }),
  })
  if (by !== 'meaning') trail.stages.push('lexical')
  if (meant !== undefined) trail.stages.push('semantic')
  const calibration = meant?.embedder.calibration
  // An identifier is matched by its letters.
  const isByWords = by === 'words' || asked.isIdentifier
  const judged = (hit: IndexHit): MemoryHit['verdict'] =>
    hitVerdict({
      ...hit,
      score: ownScore(hit, calibration?.weight ?? 0),
      by: isByWords && hit.coverage > 0 ? 'words' : by,
      calibration,
    })
  return found
    .map((hit) => ({ ...hit, verdict: hit.isNamed ? ('strong' as const) : judged(hit) }))
    .filter(({ verdict }) => verdict !== 'none')
}

/**
 * The score of a hit; if that only places a superseded document below its successor, a comparable score from its words
 * and meaning.
 */
const ownScore = ({ score, worth, coverage, cosine }: IndexHit, weight: number): number =>
  worth === 1 ? score : cosine === null ? coverage : cosine + weight * coverage

/** The query as a vector for the index; undefined, with a note, if only its words can be searched. */
async function embedQuery(
  { index, embedder: load }: SearchParts,
  text: string,
  notes: string[],
): Promise<{ embedder: Embedder; meaning: NonNullable<IndexQuestion['meaning']> } | undefined> {
  try {
    const embedder = await withDeadline(load(), EMBED_DEADLINE, 'the embedder did not answer in time')
    if (embedder === undefined) {
      notes.push('No embedder is on, so only words were compared.')
      return undefined
    }
    const vector = await withDeadline(
      weighedVector(index, embedder, text),
      EMBED_DEADLINE,
      'the embedder did not answer in time',
    )
    return {
      embedder,
      meaning: { embedder: embedder.id, vector: quantize(vector), beta: embedder.calibration?.weight },
    }
  } catch (error) {
    if (error instanceof IndexDamaged) throw error
    notes.push(`Only words were compared: ${error instanceof Error ? error.message : String(error)}.`)
    return undefined
  }
}

/** Only the model determines which words it reads in a text: the first pass collects them, the second weights them. */
async function weighedVector(index: SearchParts['index'], embedder: Embedder, text: string): Promise<Float32Array> {
  const words = new Set<string>()
  const [plain] = await embedder.embed([text], 'query', (word) => {
    words.add(word)
    return 1
  })
  if (words.size === 0) return plain!
  const { chunks, of } = await index.frequencies([...words].map(stem))
  const [weighed] = await embedder.embed([text], 'query', (word) => idf(of(stem(word)), chunks) ** RARITY_POWER)
  return weighed!
}

/** Also searches for other wordings if there is no strong hit yet. */
async function expand(
  parts: SearchParts,
  question: MemoryQuestion,
  found: readonly JudgedHit[],
  { stages, notes }: Trail,
): Promise<readonly JudgedHit[]> {
  if (!(await parts.models.isOn('expansion'))) return found
  if (found.some(({ verdict }) => verdict === 'strong')) {
    notes.push('No expansion: there is a strong hit.')
    return found
  }
  const wordings = await parts.models.expand(question.text, notes)
  if (wordings === undefined) return found
  const others = wordings.map((text) => retrieve(parts, { ...question, text }, { stages: [], notes: [] }))
  stages.push('expansion')
  return fuseWordings(found, await Promise.all(others))
}

/** Hits after the reranked ones have no relevance and stay after them. */
async function rerank(
  { models, texts }: SearchParts,
  query: string,
  found: readonly JudgedHit[],
  { stages, notes }: Trail,
): Promise<readonly JudgedHit[]> {
  if (found.length < 2 || !(await models.isOn('rerank'))) return found
  const best = found.slice(0, RERANKED)
  const documents = await texts(best.map(({ document }) => document))
  const passages = best.map((hit) => passageOf(documents, hit))
  const relevance = await models.rerank(query, passages, notes)
  if (relevance === undefined) return found
  stages.push('rerank')
  const scored = found.map(({ score, worth }, at) => ({ score, relevance: relevance[at] ?? 0, worth }))
  return orderByRelevance(scored).map(({ at, score }) => ({ ...found[at]!, score }))
}
