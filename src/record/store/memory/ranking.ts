import { decisionTokens } from '../../../kernel/domain/text/decision-tokens.ts'
import { indexTokens } from '../../../retrieval/domain/ranking/bm25.ts'
import { type QuantizedVector, quantize, quantizedDot } from '../../../retrieval/domain/ranking/vector.ts'
import type { Embedder } from '../../../retrieval/ports/embedder.ts'
import { decisionVector } from '../../domain/decision-vector.ts'
import type { CatalogueEntry } from '../../domain/decision/catalogue.ts'
import { decisionNames, embeddingText, indexText, reasonsText } from '../../domain/decision/decision-texts.ts'
import { type Decision, isSeed } from '../../domain/decision/decision.ts'
import { EVERYDAY_PROPOSALS, generalityOf } from '../../domain/everyday-proposals.ts'
import { type DecisionCorpus, stopWords } from '../../domain/find-by-words.ts'
import type { JudgedMeaning, Meaning, SemanticQuery } from '../../domain/rank-decisions.ts'
import { measureLine, sampleOf, statementOf } from '../../domain/record-line.ts'
import type { RankQuery } from '../../ports/store.ts'

export type CorpusChoice = Pick<RankQuery, 'among' | 'check'>

export interface ReadDecision {
  readonly stem: string
  readonly decision: Decision
  readonly entry: CatalogueEntry
}

export interface MemoryCorpus extends DecisionCorpus {
  readonly decisions: readonly Decision[]
  /** Undefined until the first query, like `line`. */
  vectors?: readonly QuantizedVector[]
  line?: number
}

/** One corpus for each choice of `among` and `check`. */
export function openCorpora(decisions: readonly ReadDecision[]): (choice: CorpusChoice) => MemoryCorpus {
  const made = new Map<string, MemoryCorpus>()
  return (choice) => {
    const key = `${choice.among} ${choice.check}`
    const corpus = made.get(key) ?? toCorpus(decisions, choice)
    made.set(key, corpus)
    return corpus
  }
}

function toCorpus(decisions: readonly ReadDecision[], { among, check }: CorpusChoice): MemoryCorpus {
  const members = decisions.filter(({ decision }) => !(check && isSeed(decision)))
  const isCounted = ({ decision }: ReadDecision) => among === 'all' || decision.status === 'active'
  const extra = members.filter((one) => !isCounted(one))
  const chosen = [...members.filter(isCounted), ...extra]
  const index = (tokens: (decision: Decision) => string[]) =>
    indexTokens(
      chosen.map(({ decision }) => tokens(decision)),
      extra.length,
    )
  const words = stopWords(check)
  return {
    entries: chosen.map(({ entry }) => entry),
    decisions: chosen.map(({ decision }) => decision),
    text: index((decision) => decisionTokens(indexText(decision), words)),
    reasons: index((decision) => decisionTokens(reasonsText(decision), words)),
    names: index((decision) => [...decisionNames(decision).keys()]),
  }
}

interface EmbeddedTexts {
  readonly load: () => Promise<Embedder | undefined>
  /** By text, so that none is embedded twice; quantized, as other back ends compare them. */
  readonly vectors: Map<string, QuantizedVector>
  /** The corpus that determines the relevance line. */
  readonly record: MemoryCorpus
}

export async function judgedMeaning(
  corpus: MemoryCorpus,
  question: SemanticQuery,
  { load, vectors, record }: EmbeddedTexts,
): Promise<JudgedMeaning | undefined> {
  const embedder = await load()
  if (embedder === undefined || corpus.entries.length === 0) return undefined
  const meaning = await meaningOf(corpus, question, { embedder, vectors })
  if (meaning === undefined) return undefined
  record.line ??= await measureLine(
    record,
    sampleOf(record).map((index) => statementOf(index, record.decisions[index]!)),
    (asked) => meaningOf(record, asked, { embedder, vectors }),
  )
  return { ...meaning, line: record.line }
}

interface Embedding {
  readonly embedder: Embedder
  readonly vectors: EmbeddedTexts['vectors']
}

async function meaningOf(
  corpus: MemoryCorpus,
  question: SemanticQuery,
  embedding: Embedding,
): Promise<Meaning | undefined> {
  const { embedder } = embedding
  corpus.vectors ??= await decisionVectors(corpus.decisions, embedding)
  const everyday = await everydayVectors(embedding)
  const [asked] = await embedder.embed([question.text], 'query', (word) => question.weigh(word))
  if (asked!.every((component) => component === 0)) return undefined
  const query = quantize(asked!)
  return {
    cosines: Float32Array.from(corpus.vectors, (vector) => quantizedDot(query, vector)),
    scale: { noise: embedder.calibration?.noise ?? 0, strong: embedder.calibration?.strong ?? 1 },
    generality: generalityOf(everyday.map((vector) => quantizedDot(query, vector))),
  }
}

async function decisionVectors(
  decisions: readonly Decision[],
  embedding: Embedding,
): Promise<readonly QuantizedVector[]> {
  const { vectors, embedder } = embedding
  const keyOf = (decision: Decision) => `${decision.title}\0${embeddingText(decision)}`
  const missing = [...new Map(decisions.map((decision) => [keyOf(decision), decision]))].filter(
    ([key]) => !vectors.has(key),
  )
  const made = await embedder.embed(
    missing.flatMap(([, decision]) => [embeddingText(decision), decision.title]),
    'document',
  )
  missing.forEach(([key], i) => vectors.set(key, decisionVector(made[2 * i]!, made[2 * i + 1]!)))
  return decisions.map((decision) => vectors.get(keyOf(decision))!)
}

async function everydayVectors({ vectors, embedder }: Embedding): Promise<readonly QuantizedVector[]> {
  const missing = EVERYDAY_PROPOSALS.filter((text) => !vectors.has(text))
  const made = await embedder.embed(missing, 'query')
  missing.forEach((text, i) => vectors.set(text, quantize(made[i]!)))
  return EVERYDAY_PROPOSALS.map((text) => vectors.get(text)!)
}
