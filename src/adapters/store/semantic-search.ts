import { type Decision, embeddingText } from '../../core/decision/decision.ts'
import { parseDecision } from '../../core/decision/parse.ts'
import { quantize } from '../../core/ranking/vector.ts'
import { decisionVector } from '../../core/record/decision-vector.ts'
import { decisionPath } from '../../core/record/files.ts'
import type { JudgedMeaning, Meaning, SemanticQuery } from '../../core/record/rank-decisions.ts'
import { sampleOf, type Statement, statementOf } from '../../core/record/record-line.ts'
import type { Embedder } from '../../ports/embedder.ts'
import type { VectorScan } from '../../ports/vector-scan.ts'
import type { CacheDatabase } from './cache-database.ts'
import type { IndexedCorpus } from './corpus.ts'
import { openGenerality } from './generality.ts'
import { openLines } from './line-rows.ts'
import { openPlainScan, openVectorRows } from './vector-rows.ts'

export interface SemanticParts {
  /** In the order of the paths; undefined for what cannot be read. */
  readonly readTexts: (paths: readonly string[]) => Promise<readonly (string | undefined)[]>
  readonly cache: CacheDatabase
  readonly embedder: () => Promise<Embedder | undefined>
  readonly scan?: ((dimensions: number) => VectorScan) | undefined
  /** Milliseconds. */
  readonly now: () => number
}

export interface SemanticSearch {
  /** Undefined where no embedder is there, or nothing to embed. The line is that of `record`. */
  ask(corpus: IndexedCorpus, question: SemanticQuery, record: IndexedCorpus): Promise<JudgedMeaning | undefined>
  close(): void
}

const BATCH = 64
// The first question on a large record is answered with the vectors there are by then; later ones go on.
const BUDGET = 1_000
const SAMPLE = 256
// A handful of decisions may lie at one distance by chance.
const LEAST_DEVIATION = 0.02

/** Finds decisions by meaning. Vectors are made once per text and kept in the cache beside the embedder's id. */
export function openSemanticSearch(parts: SemanticParts): SemanticSearch {
  let rows: VectorRows | undefined
  let turn: Promise<unknown> = Promise.resolve()
  const generality = openGenerality(parts.cache)
  const lines = openLines(parts.cache)

  async function answer(
    corpus: IndexedCorpus,
    question: SemanticQuery,
    record: IndexedCorpus,
  ): Promise<JudgedMeaning | undefined> {
    const embedder = await parts.embedder()
    if (embedder === undefined || corpus.entries.length === 0) return undefined
    if (rows === undefined || rows.embedder !== embedder.id || rows.epoch !== parts.cache.epoch) {
      rows?.scan.close()
      rows = openVectorRows(parts.cache, embedder, parts.scan ?? openPlainScan)
    }
    const missing = await fill(parts, { embedder, corpus, rows, first: question.first })
    const look = lookWith({ embedder, rows, generality: await generality(embedder) })
    const meaning = await look(corpus, question)
    return (
      meaning && {
        ...meaning,
        line: await lines.of(record, {
          embedder: embedder.id,
          missing,
          statements: (most) => readStatements(parts, record, most),
          look: (asked) => look(record, asked),
        }),
      }
    )
  }

  return {
    // One at a time, or two questions would embed the same texts.
    ask(corpus, question, record) {
      const next = turn.then(() => answer(corpus, question, record))
      turn = next.catch(() => undefined)
      return next
    },
    close: () => rows?.scan.close(),
  }
}

type VectorRows = ReturnType<typeof openVectorRows>

/** Embeds what has no vector yet, the hits of the question first. Returns how many decisions still have none. */
async function fill(
  parts: SemanticParts,
  job: { embedder: Embedder; corpus: IndexedCorpus; rows: VectorRows; first: readonly number[] },
): Promise<number> {
  const { embedder, corpus, rows } = job
  const lacks = (index: number) => rows.rowOf(corpus.docs[index]!) < 0
  const missing = new Set(job.first.filter(lacks))
  for (let index = 0; index < corpus.docs.length; index++) if (lacks(index)) missing.add(index)
  const end = parts.now() + BUDGET
  const todo = [...missing]
  let at = 0
  for (; at < todo.length && (at === 0 || parts.now() < end); at += BATCH) {
    const batch = todo.slice(at, at + BATCH)
    const decisions = await readDecisions(parts, corpus, batch)
    const vectors = await embedder.embed(
      decisions.flatMap((decision) => (decision === undefined ? ['', ''] : [embeddingText(decision), decision.title])),
      'document',
    )
    rows.add(
      batch.map((index, i) => ({
        doc: corpus.docs[index]!,
        vector: decisionVector(vectors[2 * i]!, vectors[2 * i + 1]!),
      })),
    )
  }
  return Math.max(0, todo.length - at)
}

async function readStatements(parts: SemanticParts, record: IndexedCorpus, most?: number): Promise<Statement[]> {
  const sample = sampleOf(record, most)
  const decisions = await readDecisions(parts, record, sample)
  return sample.flatMap((index, i) => (decisions[i] === undefined ? [] : statementOf(index, decisions[i])))
}

/** Undefined for what cannot be read, or changed into nonsense since it was indexed; the next sweep sees it. */
async function readDecisions(
  { readTexts }: SemanticParts,
  { entries }: IndexedCorpus,
  indexes: readonly number[],
): Promise<(Decision | undefined)[]> {
  const stems = indexes.map((index) => entries[index]!.stem)
  const texts = await readTexts(stems.map(decisionPath))
  return stems.map((stem, i) => {
    try {
      return parseDecision(texts[i] ?? '', `${stem}.md`)
    } catch {
      return undefined
    }
  })
}

/** Compares a question with every decision of a corpus, in one scan. */
function lookWith({
  embedder,
  rows,
  generality,
}: {
  embedder: Embedder
  rows: VectorRows
  generality: Awaited<ReturnType<ReturnType<typeof openGenerality>>>
}) {
  return async (corpus: IndexedCorpus, question: SemanticQuery): Promise<Meaning | undefined> => {
    const [vector] = await embedder.embed([question.text], 'query', (word) => question.weigh(word))
    // No word that the model knows: it has no opinion.
    if (vector!.every((component) => component === 0)) return undefined
    const query = quantize(vector!)
    const scores = rows.scan.scores(query)
    // `Float32Array.from` with a function takes ten times as long.
    const cosines = new Float32Array(corpus.docs.length)
    for (let index = 0; index < cosines.length; index++)
      cosines[index] = scores[rows.rowOf(corpus.docs[index]!)] ?? Number.NaN
    return { cosines, scale: embedder.calibration ?? usualScale(cosines), generality: generality(query) }
  }
}

/** For an embedder that does not say what its cosines are worth: two and six deviations above the mean of a sample. */
function usualScale(cosines: Float32Array): Meaning['scale'] {
  const step = Math.max(1, Math.floor(cosines.length / SAMPLE))
  const scores = cosines.filter((cosine, i) => i % step === 0 && !Number.isNaN(cosine))
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length
  const variance = scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / scores.length
  const deviation = Math.max(Math.sqrt(variance), LEAST_DEVIATION)
  return { noise: mean + 2 * deviation, strong: mean + 6 * deviation }
}
