/**
 * How well Ken finds, by words, by meaning and by both, on labelled sets: `npm run eval:retrieval [-- --data <folder>]
 * [--only name] [--embedder onnx:<name>]`. Every document goes through the product's own path (cutting, analysing,
 * embedding, index, ranking); plain BM25 over whole documents runs beside it. Sets are read where they lie and are
 * never shipped. `--rerank <url> [--rerank-model name]` adds what a /rerank endpoint makes of the best thirty; its key,
 * if any, is in KEN_EVAL_RERANK_KEY.
 *
 * The halves (conversations go whole, other sets by question) show how much a figure hangs on the questions it was
 * taken from; the constants of the ranking were chosen with both in view. Ends with 1 when the hybrid misses an aim or
 * falls below plain BM25 by more than one question.
 */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { onnx } from '../src/adapters/embed/onnx/index.ts'
import { openStaticEmbedder } from '../src/adapters/embed/static/index.ts'
import { openHttpReranker } from '../src/adapters/rerank/http/index.ts'
import { readEmbedderChoice } from '../src/core/embedding/embedder-choice.ts'
import { rankBm25 } from '../src/core/ranking/bm25.ts'
import type { Embedder } from '../src/ports/embedder.ts'
import { productSets, type LabelledPart, type LabelledSet } from './labelled-sets.ts'
import { indexPart } from './product-index.ts'
import { openTally, type Tally } from './tally.ts'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    model: { type: 'string' },
    only: { type: 'string' },
    embedder: { type: 'string' },
    models: { type: 'string' },
    rerank: { type: 'string' },
    'rerank-model': { type: 'string' },
  },
})
const inRepository = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const data = values.data ?? process.env['KEN_EVAL_DATA'] ?? inRepository('../../shared/data')
if (!existsSync(data)) {
  console.error(`no labelled data in ${data}: name its folder with --data or KEN_EVAL_DATA`)
  process.exit(2)
}
const model = values.model ?? inRepository('../models/static-256/model.bin')
const embedder =
  values.embedder === undefined
    ? existsSync(model)
      ? openStaticEmbedder(model)
      : undefined
    : await openNamed(values.embedder)
if (embedder === undefined) console.error(`no model at ${model}: only words are measured`)
const reranker =
  values.rerank === undefined
    ? undefined
    : openHttpReranker({
        url: values.rerank,
        model: values['rerank-model'],
        key: process.env['KEN_EVAL_RERANK_KEY'],
        redactor: { redact: async (text) => ({ text, count: 0 }) },
      })

const SYSTEMS = ['plain BM25', 'lexical', 'semantic', 'hybrid', ...(reranker ? ['hybrid + rerank'] : [])]
const faults: string[] = []
console.log(
  `| set | measure | ${SYSTEMS.join(' | ')} | hybrid: even half, odd half | aim | given baseline |\n|---|---|${SYSTEMS.map(() => '---|').join('')}---|---|---|`,
)
for (const set of productSets(data, values.only)) {
  if (set.parts === undefined)
    console.log(`| ${set.name} | not there: ${set.file} |${SYSTEMS.map(() => ' |').join('')} | | |`)
  else await report(set, set.parts)
}
await embedder?.close()
for (const fault of faults) console.log(`\n${fault}`)
if (faults.length > 0) process.exitCode = 1

async function report(set: LabelledSet, parts: readonly LabelledPart[]): Promise<void> {
  const tally = openTally(set.metrics)
  for (const [at, part] of parts.entries()) await measure(part, tally, (query) => (parts.length > 1 ? at : query) % 2)
  for (const metric of set.metrics) {
    const figures = SYSTEMS.map((system) => tally.show(system, metric))
    const aim =
      metric.aim === undefined
        ? ''
        : `${metric.kind === 'count' ? '≤' : '≥'} ${String(metric.aim).replace(/^0/, '')}: ${tally.reaches('hybrid', metric) ? 'met' : 'missed'}`
    console.log(
      `| ${set.name} | ${metric.name} | ${figures.join(' | ')} | ${tally.show('hybrid', metric, 0)}, ${tally.show('hybrid', metric, 1)} | ${aim} | ${metric.baseline ?? ''} |`,
    )
    if (embedder === undefined) continue
    if (!tally.reaches('hybrid', metric)) faults.push(`${set.name}, ${metric.name}: the aim is missed.`)
    if (tally.isBelow('hybrid', 'plain BM25', metric)) faults.push(`${set.name}, ${metric.name}: below plain BM25.`)
  }
}

async function measure(part: LabelledPart, tally: Tally, halfOf: (query: number) => number): Promise<void> {
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

/** `onnx:<name>` as `ken models pull` left it, in ~/.ken/models or in the folder that --models names. */
async function openNamed(choice: string): Promise<Embedder> {
  const { kind, model: name } = readEmbedderChoice(choice)
  const folder = values.models ?? join(process.env['KEN_HOME'] ?? join(homedir(), '.ken'), 'models')
  const found = kind === 'onnx' ? await onnx.open({ model: name, bundledModel: '', modelsFolder: folder }) : undefined
  if (found === undefined) throw new Error(`--embedder takes onnx:<name>, not ${choice}`)
  return found
}
