import { embeddingText } from '../../core/decision/decision.ts'
import { parseDecision } from '../../core/decision/parse.ts'
import { type QuantizedVector, quantize } from '../../core/ranking/vector.ts'
import { EVERYDAY_PROPOSALS } from '../../core/record/everyday-proposals.ts'
import { decisionPath } from '../../core/record/files.ts'
import type { SemanticHits, SemanticQuery } from '../../core/record/rank-decisions.ts'
import type { Embedder } from '../../ports/embedder.ts'
import type { VectorScan } from '../../ports/vector-scan.ts'
import type { CacheDatabase } from './cache-database.ts'
import type { IndexedCorpus } from './corpus.ts'
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
  /** Undefined where no embedder is there, or nothing to embed. */
  ask(corpus: IndexedCorpus, question: SemanticQuery): Promise<SemanticHits | undefined>
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
  let rows: ReturnType<typeof openVectorRows> | undefined
  let turn: Promise<unknown> = Promise.resolve()

  async function answer(corpus: IndexedCorpus, question: SemanticQuery): Promise<SemanticHits | undefined> {
    const embedder = await parts.embedder()
    if (embedder === undefined || corpus.entries.length === 0) return undefined
    if (rows === undefined || rows.embedder !== embedder.id || rows.epoch !== parts.cache.epoch) {
      rows?.scan.close()
      rows = openVectorRows(parts.cache, embedder, parts.scan ?? openPlainScan)
    }
    await fill(parts, { embedder, corpus, rows, first: question.hits })
    const [vector] = await embedder.embed([question.text], 'query', (word) => question.weigh(word))
    // No word that the model knows: it has no opinion.
    if (vector!.every((component) => component === 0)) return undefined
    return {
      ...search(rows, corpus, { question, query: quantize(vector!), scale: embedder.calibration }),
      everyday: await everydayCosines({ cache: parts.cache, corpus, rows, embedder }),
    }
  }

  return {
    // One at a time, or two questions would embed the same texts.
    ask(corpus, question) {
      const next = turn.then(() => answer(corpus, question))
      turn = next.catch(() => undefined)
      return next
    },
    close: () => rows?.scan.close(),
  }
}

type VectorRows = ReturnType<typeof openVectorRows>

/** Embeds what has no vector yet, the hits of the question first. */
async function fill(
  { readTexts, now }: SemanticParts,
  job: { embedder: Embedder; corpus: IndexedCorpus; rows: VectorRows; first: readonly number[] },
): Promise<void> {
  const { embedder, corpus, rows } = job
  const lacks = (index: number) => rows.rowOf(corpus.docs[index]!) < 0
  const missing = new Set(job.first.filter(lacks))
  for (let index = 0; index < corpus.docs.length; index++) if (lacks(index)) missing.add(index)
  const end = now() + BUDGET
  const todo = [...missing]
  for (let at = 0; at < todo.length && (at === 0 || now() < end); at += BATCH) {
    const batch = todo.slice(at, at + BATCH)
    const stems = batch.map((index) => corpus.entries[index]!.stem)
    const texts = await readTexts(stems.map(decisionPath))
    const vectors = await embedder.embed(
      stems.map((stem, i) => meaningOf(stem, texts[i] ?? '')),
      'document',
    )
    rows.add(batch.map((index, i) => ({ doc: corpus.docs[index]!, vector: quantize(vectors[i]!) })))
  }
}

function meaningOf(stem: string, text: string): string {
  try {
    return embeddingText(parseDecision(text, `${stem}.md`))
  } catch {
    // Changed into nonsense since it was indexed; the next sweep sees it.
    return ''
  }
}

function search(
  rows: VectorRows,
  corpus: IndexedCorpus,
  ask: { question: SemanticQuery; query: QuantizedVector; scale: SemanticHits['scale'] | undefined },
): Omit<SemanticHits, 'everyday'> {
  const { question, query } = ask
  const hits = question.hits.map((index) => rows.rowOf(corpus.docs[index]!))
  const own = new Map(rows.scan.top(query, hits.length, maskOf(rows, hits)).map(({ row, score }) => [row, score]))
  const others = maskWithout(allowedRows(rows, corpus, question.allows), hits)
  const scale = ask.scale ?? usualScale(rows, query, others)
  const nearest = rows.scan.top(query, question.limit, others).filter(({ score }) => score > scale.noise)
  return {
    cosines: hits.map((row) => own.get(row)),
    nearest: nearest.map(({ row, score }) => ({ index: corpus.indexOf[rows.docOf(row)]!, cosine: score })),
    scale: { noise: scale.noise, strong: scale.strong },
  }
}

// Most questions allow everything, and a mask over 10,000 rows takes longer to make than to scan by.
const wholeMasks = new WeakMap<IndexedCorpus, { readonly vectors: number; readonly mask: Uint8Array }>()

function allowedRows(rows: VectorRows, corpus: IndexedCorpus, allows: SemanticQuery['allows']): Uint8Array {
  const known = allows === undefined ? wholeMasks.get(corpus) : undefined
  if (known?.vectors === rows.scan.size) return known.mask
  const chosen = Array.from(corpus.docs, (doc, index) => (allows?.(index) === false ? -1 : rows.rowOf(doc)))
  const mask = maskOf(rows, chosen)
  if (allows === undefined) wholeMasks.set(corpus, { vectors: rows.scan.size, mask })
  return mask
}

function maskWithout(mask: Uint8Array, left: readonly number[]): Uint8Array {
  const rest = mask.slice()
  for (const row of left) if (row >= 0) rest[row >> 3]! &= ~(1 << (row & 7))
  return rest
}

interface EverydayJob {
  readonly cache: CacheDatabase
  readonly corpus: IndexedCorpus
  readonly rows: VectorRows
  readonly embedder: Embedder
}

// A corpus is void once the record changes; only its vectors may still be coming in.
const measured = new WeakMap<IndexedCorpus, { readonly vectors: number; readonly cosines: readonly number[] }>()

async function everydayCosines(job: EverydayJob): Promise<readonly number[]> {
  const known = measured.get(job.corpus)
  const vectors = job.rows.scan.size
  if (known?.vectors === vectors) return known.cosines
  const cosines = await measureEveryday(job)
  measured.set(job.corpus, { vectors, cosines })
  return cosines
}

/** Once for each state of the record; a new process finds it in the cache. */
async function measureEveryday({ cache, corpus, rows, embedder }: EverydayJob): Promise<number[]> {
  const embedded = [...corpus.docs].map((doc) => rows.rowOf(doc)).filter((row) => row >= 0)
  const state = `${cache.number('generation')} ${corpus.entries.length} ${embedded.length}`
  const [known] = cache.rows('SELECT cosines FROM everyday WHERE embedder = ? AND state = ?', embedder.id, state) as [
    string,
  ][]
  if (known !== undefined) return JSON.parse(known[0]) as number[]
  const mask = maskOf(rows, embedded)
  const proposals = await embedder.embed(EVERYDAY_PROPOSALS, 'query')
  const cosines = proposals.map((vector) => rows.scan.top(quantize(vector), 1, mask)[0]?.score ?? 0)
  cache.run('INSERT OR REPLACE INTO everyday VALUES (?, ?, ?)', embedder.id, state, JSON.stringify(cosines))
  return cosines
}

/** For an embedder that does not say what its cosines are worth: two and six deviations above the mean of a sample. */
function usualScale(rows: VectorRows, query: QuantizedVector, allowed: Uint8Array): SemanticHits['scale'] {
  const step = Math.max(1, Math.floor(allowed.length / SAMPLE))
  const scores = rows.scan
    .top(
      query,
      SAMPLE,
      allowed.map((bits, i) => (i % step === 0 ? bits : 0)),
    )
    .map(({ score }) => score)
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length
  const variance = scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / scores.length
  const deviation = Math.max(Math.sqrt(variance), LEAST_DEVIATION)
  return { noise: mean + 2 * deviation, strong: mean + 6 * deviation }
}

function maskOf(rows: VectorRows, allowed: Iterable<number>): Uint8Array {
  const mask = new Uint8Array(Math.ceil(rows.scan.size / 8))
  for (const row of allowed) if (row >= 0) mask[row >> 3]! |= 1 << (row & 7)
  return mask
}
