/**
 * Measures retrieval by words, by meaning and by both on labelled sets: `npm run eval:retrieval [-- --data <folder>]
 * [--only name] [--embedder onnx:<name>]`. Every document goes through the product's own path (chunking, analysing,
 * embedding, index, ranking); the peer is plain BM25 over whole documents. Sets are read in place and never shipped;
 * those about Ken's own record, guides and code are always available. `--rerank <url> [--rerank-model name]` adds the
 * ranking of the best thirty by a /rerank endpoint; its key, if any, is in KEN_EVAL_RERANK_KEY.
 *
 * The halves (by whole conversation, in other sets by question) show how much a figure depends on its questions; the
 * ranking constants were tuned on both. Exits with 1 if the hybrid misses an aim or falls below plain BM25 by more than
 * one question.
 */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openHttpReranker } from '../src/retrieval/adapters/http-rerank.ts'
import { readEmbedderChoice } from '../src/retrieval/domain/embedding/embedder-choice.ts'
import { rankBm25 } from '../src/retrieval/domain/ranking/bm25.ts'
import { onnx } from '../src/retrieval/embed/onnx/index.ts'
import { openStaticEmbedder } from '../src/retrieval/embed/static/index.ts'
import type { Embedder } from '../src/retrieval/ports/embedder.ts'
import type { Reranker } from '../src/retrieval/ports/reranker.ts'
import { productSets, type LabelledPart, type LabelledSet } from './labelled-sets.ts'
import type { Metric } from './metrics.ts'
import { ownSets } from './own-sets.ts'
import { indexPart } from './product-index.ts'
import { HALVES, type Figure, type Half, type SuiteOptions } from './suite.ts'
import { openTally, type Tally } from './tally.ts'

const inRepository = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const BUNDLED = inRepository('../models/static-256/model.bin')

interface Models {
  readonly embedder: Embedder | undefined
  readonly reranker?: Reranker | undefined
}

/** Figures on questions about Ken's own record, guides and code, half of them held out. */
export async function ownRetrievalFigures(): Promise<Figure[]> {
  const embedder = openStaticEmbedder(BUNDLED)
  const figures: Figure[] = []
  for (const set of ownSets()) {
    const tally = await tallyOf(set, set.parts, { embedder })
    for (const metric of set.metrics)
      // Tolerates a loss of two questions: the guides and the code change daily, and the results of a question or two
      // with them.
      for (const [at, half] of HALVES.entries())
        figures.push(figureOf(tally, { set, metric, half, at }, { system: 'hybrid', questions: 2 }))
  }
  await embedder.close()
  return figures
}

/** Figures on public sets; the ranking constants were tuned on them, so they have no held-out half. */
export async function publicRetrievalFigures({ data, leaveOut }: SuiteOptions): Promise<Figure[]> {
  const embedder = openStaticEmbedder(BUNDLED)
  const figures: Figure[] = []
  for (const set of productSets(data!, undefined)) {
    if (set.parts === undefined) {
      leaveOut(set.name, `there is no ${set.file}`)
      continue
    }
    const tally = await tallyOf(set, set.parts, { embedder })
    for (const metric of set.metrics)
      for (const system of ['hybrid', 'lexical', 'semantic'] as const)
        figures.push(figureOf(tally, { set, metric, half: 'all', at: undefined }, { system, questions: 1 }))
  }
  await embedder.close()
  return figures
}

interface Place {
  readonly set: LabelledSet
  readonly metric: Metric
  readonly half: Half
  /** Index of the half in the tally; undefined for all questions. */
  readonly at: number | undefined
}

const BY = { hybrid: '', lexical: ', by words', semantic: ', by meaning' } as const

/** Figure for one search mode beside plain BM25; a loss of `questions` questions is tolerated. */
function figureOf(
  tally: Tally,
  { set, metric, half, at }: Place,
  { system, questions }: { readonly system: keyof typeof BY; readonly questions: number },
): Figure {
  const { value, of, asked } = tally.figure(system, metric, at)!
  return {
    set: set.name,
    half,
    measure: `${metric.name}${BY[system]}`,
    value,
    ...(of !== undefined && { of }),
    better: metric.kind === 'count' ? 'lower' : 'higher',
    peer: { name: 'plain BM25', value: tally.figure('plain BM25', metric, at)!.value },
    tolerance: of === undefined ? Math.ceil((questions / asked) * 1_000) / 1_000 : questions,
  }
}

async function tallyOf(set: LabelledSet, parts: readonly LabelledPart[], models: Models): Promise<Tally> {
  const tally = openTally(set.metrics)
  for (const [at, part] of parts.entries())
    await measure(part, {
      tally,
      models,
      halfOf: (query) => part.queries[query]!.half ?? (parts.length > 1 ? at : query) % 2,
    })
  return tally
}

interface Measuring {
  readonly tally: Tally
  readonly models: Models
  halfOf(query: number): number
}

async function measure(part: LabelledPart, { tally, models, halfOf }: Measuring): Promise<void> {
  const { embedder, reranker } = models
  const index = await indexPart(part, { embedder })
  const judged = reranker && (await indexPart(part, { embedder, reranker }))
  const texts = part.documents.map(({ file }) => file)
  for (const [at, query] of part.queries.entries()) {
    const limit = query.limit ?? 10
    const half = halfOf(at)
    const plain = rankBm25(texts, query.text, { k1: 1.2, b: 0.75, limit }).map(({ index: found }) => found)
    tally.add('plain BM25', { ranking: plain, query, half })
    for (const [system, by] of [
      ['lexical', 'words'],
      ['semantic', 'meaning'],
      ['hybrid', 'both'],
    ] as const) {
      if (by === 'words' || embedder)
        tally.add(system, { ranking: await index.search(query.text, by, limit), query, half })
    }
    if (judged) tally.add('hybrid + rerank', { ranking: await judged.search(query.text, 'both', limit), query, half })
  }
  await index.close()
  await judged?.close()
}

if (import.meta.main) process.exitCode = (await print()) ? 0 : 1

async function print(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      model: { type: 'string', default: BUNDLED },
      only: { type: 'string' },
      embedder: { type: 'string' },
      models: { type: 'string' },
      rerank: { type: 'string' },
      'rerank-model': { type: 'string' },
    },
  })
  const data = values.data ?? process.env['KEN_EVAL_DATA'] ?? inRepository('../../shared/data')
  if (!existsSync(data)) console.error(`no labelled data in ${data}: name its folder with --data or KEN_EVAL_DATA`)
  const embedder = await openEmbedder(values)
  if (embedder === undefined) console.error(`no model at ${values.model}: only words are measured`)
  const reranker =
    values.rerank === undefined
      ? undefined
      : openHttpReranker({
          url: values.rerank,
          model: values['rerank-model'],
          key: process.env['KEN_EVAL_RERANK_KEY'],
          redactor: { redact: async (text) => ({ text, count: 0 }) },
        })
  const systems = ['plain BM25', 'lexical', 'semantic', 'hybrid', ...(reranker ? ['hybrid + rerank'] : [])]
  console.log(
    `| set | measure | ${systems.join(' | ')} | hybrid: even half, odd half | aim | given baseline |\n|---|---|${systems.map(() => '---|').join('')}---|---|---|`,
  )
  const faults: string[] = []
  const isAsked = ({ name }: LabelledSet) => name.toLowerCase().includes(values.only?.toLowerCase() ?? '')
  for (const set of [...(existsSync(data) ? productSets(data, values.only) : []), ...ownSets().filter(isAsked)]) {
    if (set.parts === undefined) {
      console.log(`| ${set.name} | not there: ${set.file} |${systems.map(() => ' |').join('')} | | |`)
      continue
    }
    const tally = await tallyOf(set, set.parts, { embedder, reranker })
    for (const metric of set.metrics) {
      console.log(lineOf(set, metric, tally, systems))
      if (embedder === undefined) continue
      if (!tally.reaches('hybrid', metric)) faults.push(`${set.name}, ${metric.name}: the aim is missed.`)
      if (tally.isBelow('hybrid', 'plain BM25', metric)) faults.push(`${set.name}, ${metric.name}: below plain BM25.`)
    }
  }
  await embedder?.close()
  for (const fault of faults) console.log(`\n${fault}`)
  return faults.length === 0
}

function lineOf(set: LabelledSet, metric: Metric, tally: Tally, systems: readonly string[]): string {
  const figures = systems.map((system) => tally.show(system, metric))
  const aim =
    metric.aim === undefined
      ? ''
      : `${metric.kind === 'count' ? '≤' : '≥'} ${String(metric.aim).replace(/^0/, '')}: ${tally.reaches('hybrid', metric) ? 'met' : 'missed'}`
  return `| ${set.name} | ${metric.name} | ${figures.join(' | ')} | ${tally.show('hybrid', metric, 0)}, ${tally.show('hybrid', metric, 1)} | ${aim} | ${metric.baseline ?? ''} |`
}

/**
 * Opens the chosen embedder: `onnx:<name>` as installed by `ken models pull`, in ~/.ken/models or in the folder given
 * by --models.
 */
async function openEmbedder(choice: {
  embedder?: string | undefined
  model: string
  models?: string | undefined
}): Promise<Embedder | undefined> {
  if (choice.embedder === undefined) return existsSync(choice.model) ? openStaticEmbedder(choice.model) : undefined
  const { kind, model } = readEmbedderChoice(choice.embedder)
  const folder = choice.models ?? join(process.env['KEN_HOME'] ?? join(homedir(), '.ken'), 'models')
  const found = kind === 'onnx' ? await onnx.open({ model, bundledModel: '', modelsFolder: folder }) : undefined
  if (found === undefined) throw new Error(`--embedder takes onnx:<name>, not ${choice.embedder}`)
  return found
}
