import { sha256 } from '../../kernel/domain/sha256.ts'
import { quantize, type QuantizedVector, quantizedDot } from '../../retrieval/domain/ranking/vector.ts'
import type { Embedder } from '../../retrieval/ports/embedder.ts'
import type { VectorScan } from '../../retrieval/ports/vector-scan.ts'
import { decisionVector } from '../domain/decision-vector.ts'
import { embeddingText } from '../domain/decision/decision-texts.ts'
import type { Decision } from '../domain/decision/decision.ts'
import { parseDecision } from '../domain/decision/parse.ts'
import { EVERYDAY_PROPOSALS, generalityOf } from '../domain/everyday-proposals.ts'
import { decisionPath } from '../domain/files.ts'
import type { JudgedMeaning, Meaning, SemanticQuery } from '../domain/rank-decisions.ts'
import { sampleOf, type Statement, statementOf, measureLine } from '../domain/record-line.ts'
import type { CacheDatabase } from './cache-database.ts'
import type { IndexedCorpus } from './corpus.ts'
import { openPlainScan, openVectorRows } from './vector-rows.ts'

export interface SemanticParts {
  /** In the order of the paths; undefined for files that cannot be read. */
  readonly readTexts: (paths: readonly string[]) => Promise<readonly (string | undefined)[]>
  readonly cache: CacheDatabase
  readonly embedder: () => Promise<Embedder | undefined>
  readonly scan?: ((dimensions: number) => VectorScan) | undefined
  /** Milliseconds. */
  readonly now: () => number
}

export interface SemanticSearch {
  /** Undefined if there is no embedder or nothing to embed. Uses the relevance line of `record`. */
  ask(corpus: IndexedCorpus, question: SemanticQuery, record: IndexedCorpus): Promise<JudgedMeaning | undefined>
  close(): void
}

const BATCH = 64
// The first query on a large record uses the vectors available by then; later ones continue.
const BUDGET = 1_000
const SAMPLE = 256
// A handful of decisions may have the same distance by chance.
const LEAST_DEVIATION = 0.02

/** Finds decisions by meaning. Vectors are computed once per text and cached under the embedder's id. */
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
    // Queries run one at a time, or two would embed the same texts.
    ask(corpus, question, record) {
      const next = turn.then(() => answer(corpus, question, record))
      turn = next.catch(() => undefined)
      return next
    },
    close: () => rows?.scan.close(),
  }
}

type VectorRows = ReturnType<typeof openVectorRows>

/** Embeds texts without a vector, the hits of the query first. Returns how many decisions still have none. */
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

/** Undefined for files that cannot be read, or became invalid since they were indexed; the next sweep detects them. */
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

/** Compares a query with every decision of a corpus, in one scan. */
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
    // The query has no word that is in the model's vocabulary, so no result.
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

/** For an embedder without a known cosine scale: two and six deviations above the mean of a sample. */
function usualScale(cosines: Float32Array): Meaning['scale'] {
  const step = Math.max(1, Math.floor(cosines.length / SAMPLE))
  const scores = cosines.filter((cosine, i) => i % step === 0 && !Number.isNaN(cosine))
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length
  const variance = scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / scores.length
  const deviation = Math.max(Math.sqrt(variance), LEAST_DEVIATION)
  return { noise: mean + 2 * deviation, strong: mean + 6 * deviation }
}

/** How generic a query is. The vectors of generic proposals are cached: some embedders are slow. */
function openGenerality(cache: CacheDatabase) {
  let known: { readonly embedder: string; readonly vectors: readonly QuantizedVector[] } | undefined
  return async (embedder: Embedder): Promise<(query: QuantizedVector) => number> => {
    if (known?.embedder !== embedder.id)
      known = { embedder: embedder.id, vectors: readVectors(cache, embedder) ?? (await makeVectors(cache, embedder)) }
    const { vectors } = known
    return (query) => generalityOf(vectors.map((vector) => quantizedDot(query, vector)))
  }
}

const PROPOSALS = sha256(EVERYDAY_PROPOSALS.join('\n'))

function readVectors(cache: CacheDatabase, { id, dimensions }: Embedder): QuantizedVector[] | undefined {
  const [row] = cache.rows('SELECT scales, data FROM everyday WHERE embedder = ? AND proposals = ?', id, PROPOSALS) as [
    Uint8Array,
    Uint8Array,
  ][]
  if (row?.[1].byteLength !== EVERYDAY_PROPOSALS.length * dimensions) return undefined
  const bytes = new Int8Array(row[1].slice().buffer)
  return Array.from(new Float32Array(row[0].slice().buffer), (scale, i) => ({
    bytes: bytes.subarray(i * dimensions, (i + 1) * dimensions),
    scale,
  }))
}

async function makeVectors(cache: CacheDatabase, embedder: Embedder): Promise<QuantizedVector[]> {
  const vectors = (await embedder.embed(EVERYDAY_PROPOSALS, 'query')).map(quantize)
  const data = new Uint8Array(vectors.length * embedder.dimensions)
  vectors.forEach(({ bytes }, i) => data.set(new Uint8Array(bytes.buffer), i * embedder.dimensions))
  const scales = new Uint8Array(Float32Array.from(vectors, ({ scale }) => scale).buffer)
  cache.run('INSERT OR REPLACE INTO everyday VALUES (?, ?, ?, ?)', embedder.id, PROPOSALS, scales, data)
  return vectors
}

interface LineJob {
  readonly embedder: string
  /** Decisions without a vector. */
  readonly missing: number
  /** Statements of at most `most` decisions. */
  readonly statements: (most?: number) => Promise<readonly Statement[]>
  readonly look: (question: SemanticQuery) => Promise<Meaning | undefined>
}

// One changed decision in a hundred moves the line less than another sample does, and measuring costs as much as 250
// checks.
const WORTH_MEASURING = 100
// While vectors are missing the line is provisional, and measured with fewer decisions.
const PROVISIONAL = 50

/** The relevance line of a record, measured again when the record has changed enough, including by another process. */
function openLines(cache: CacheDatabase) {
  // A corpus is invalid once the record changes.
  const measured = new WeakMap<IndexedCorpus, { readonly job: string; readonly line: number }>()
  return {
    async of(record: IndexedCorpus, job: LineJob): Promise<number> {
      const key = `${job.embedder} ${job.missing}`
      const known = measured.get(record)
      if (known?.job === key) return known.line
      const line = stored(cache, record, job) ?? (await measure(cache, record, job))
      measured.set(record, { job: key, line })
      return line
    },
  }
}

/** The stored line, if it is recent enough. While vectors are missing, any earlier line is accepted. */
function stored(cache: CacheDatabase, record: IndexedCorpus, { embedder, missing }: LineJob): number | undefined {
  const [row] = cache.rows('SELECT docs, decisions, line FROM lines WHERE embedder = ?', embedder) as [
    number,
    number,
    number,
  ][]
  if (row === undefined) return undefined
  const [docs, decisions, line] = row
  if (missing > 0) return line
  const changed = cache.number('next_doc') - docs + Math.abs(record.text.size - decisions)
  return changed === 0 || changed * WORTH_MEASURING < record.text.size ? line : undefined
}

async function measure(cache: CacheDatabase, record: IndexedCorpus, job: LineJob): Promise<number> {
  if (job.missing > 0) return measureLine(record, await job.statements(PROVISIONAL), job.look)
  const line = await measureLine(record, await job.statements(), job.look)
  const state = [cache.number('next_doc'), record.text.size]
  cache.run('INSERT OR REPLACE INTO lines VALUES (?, ?, ?, ?)', job.embedder, ...state, line)
  return line
}
