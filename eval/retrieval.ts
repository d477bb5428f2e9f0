/**
 * How well Ken finds, by words, by meaning and by both, on labelled sets: `npm run eval:retrieval [-- --data <folder>] [--only name]`.
 * Every document goes through the product's own path (cutting, analysing, embedding, index, ranking); plain BM25 over whole
 * documents runs beside it. Sets are read where they lie and are never shipped.
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openStaticEmbedder } from '../src/adapters/embed-static/index.ts'
import { openSqliteIndex } from '../src/adapters/index-sqlite/index.ts'
import { openVectorScan } from '../src/adapters/vectors-wasm/index.ts'
import { COVERAGE_WEIGHT } from '../src/core/search/answer-question.ts'
import { analyseQuery } from '../src/core/search/analyse.ts'
import { rankBm25 } from '../src/core/search/bm25.ts'
import { openPacker } from '../src/core/search/packed-postings.ts'
import { cutDocument, meaningOfChunk, prepareDocument, type DocumentPlace } from '../src/core/search/prepare-document.ts'
import { quantize } from '../src/core/search/vector.ts'
import type { Embedder } from '../src/ports/embedder.ts'
import type { SearchIndex } from '../src/ports/search-index.ts'
import { loadSets, type LabelledPart, type Metric } from './labelled-sets.ts'

const { values } = parseArgs({ options: { data: { type: 'string' }, model: { type: 'string' }, only: { type: 'string' }, half: { type: 'string' } } })
const inRepository = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const data = values.data ?? process.env['KEN_EVAL_DATA'] ?? inRepository('../../shared/data')
if (!existsSync(data)) {
  console.error(`no labelled data in ${data}: name its folder with --data or KEN_EVAL_DATA`)
  process.exit(2)
}
const model = values.model ?? inRepository('../models/static-256/model.bin')
const embedder = existsSync(model) ? openStaticEmbedder(model) : undefined
if (embedder === undefined) console.error(`no model at ${model}: only words are measured`)

const SYSTEMS = ['plain BM25', 'lexical', 'semantic', 'hybrid'] as const
console.log(`| set | measure | ${SYSTEMS.join(' | ')} | published or given baseline |\n|---|---|${SYSTEMS.map(() => '---|').join('')}---|`)
for (const set of loadSets(data, values.only)) {
  if (set.parts === undefined) {
    console.log(`| ${set.name} | not there: ${set.file} | | | | | |`)
    continue
  }
  const sums = new Map<string, { total: number; count: number }>()
  for (const part of halfOf(set.parts)) await measurePart(part, set.metrics, sums)
  for (const { name, baseline } of set.metrics) {
    const figures = SYSTEMS.map((system) => show(sums.get(`${system} ${name}`), name))
    console.log(`| ${set.name} | ${name} | ${figures.join(' | ')} | ${baseline ?? ''} |`)
  }
}
await embedder?.close()

async function measurePart(part: LabelledPart, metrics: readonly Metric[], sums: Map<string, { total: number; count: number }>): Promise<void> {
  const index = openSqliteIndex({ path: ':memory:', openScan: openVectorScan })
  const texts = await fill(index, part, embedder)
  const rarity = await index.rarity()
  for (const query of part.queries) {
    const limit = query.limit ?? 10
    const rankings: Partial<Record<(typeof SYSTEMS)[number], number[]>> = { 'plain BM25': rankBm25(texts, query.text, { k1: 1.2, b: 0.75, limit: limit + (query.exclude === undefined ? 0 : 1) }).map(({ index: at }) => at) }
    const terms = analyseQuery(query.text)
    const [vector] = embedder ? await embedder.embed([query.text], 'query', (word) => rarity(word) ** 0.5) : []
    const meaning = embedder && vector ? { embedder: embedder.id, vector: quantize(vector), beta: COVERAGE_WEIGHT } : undefined
    for (const [system, by] of [['lexical', 'words'], ['semantic', 'meaning'], ['hybrid', 'both']] as const) {
      if (by !== 'words' && meaning === undefined) continue
      const hits = await index.search({ terms, by, scope: {}, limit: limit + 1, ...(meaning && { meaning }) })
      rankings[system] = hits.map(({ document }) => Number(document.path))
    }
    for (const [system, ranking] of Object.entries(rankings)) {
      const kept = ranking.filter((at) => at !== query.exclude).slice(0, limit)
      for (const metric of metrics) {
        const value = metric.of(kept, query)
        const key = `${system} ${metric.name}`
        const sum = sums.get(key) ?? { total: 0, count: 0 }
        sums.set(key, { total: sum.total + value, count: sum.count + 1 })
      }
    }
  }
  await index.close()
}

/** Puts the documents into the index and gives their plain texts. */
async function fill(index: SearchIndex, part: LabelledPart, embedder: Embedder | undefined): Promise<string[]> {
  const packer = openPacker()
  const place = (at: number): DocumentPlace => ({ collection: 'set', path: String(at), origin: part.origin, trust: 'untrusted', workspace: 'global', project: undefined, size: 1, mtime: 1, hash: '' })
  const documents = part.documents.map((text, at) => prepareDocument(place(at), text, { take: packer.add }))
  await index.write({ documents, postings: packer.pack(), removed: [], restamped: [] })
  if (embedder) {
    const numberOf = new Map((await index.documents({})).map(({ id, path }) => [id, Number(path)]))
    for (const [id, chunks] of Map.groupBy(await index.unembedded(embedder.id, part.documents.length), ({ document }) => document)) {
      const at = numberOf.get(id)!
      const cut = cutDocument(place(at), part.documents[at]!)
      const vectors = await embedder.embed(chunks.map((chunk) => meaningOfChunk(documents[at]!.facts.title, chunk.heading, cut[chunk.at]!.text)), 'document')
      await index.storeVectors(embedder.id, chunks.map((chunk, i) => ({ chunk: chunk.id, vector: quantize(vectors[i]!) })))
    }
  }
  return [...part.documents]
}

/** `--half even|odd`: what is chosen on one half is judged on the other. Conversations go whole, single sets by question. */
function halfOf(parts: readonly LabelledPart[]): readonly LabelledPart[] {
  if (values.half === undefined) return parts
  const rest = values.half === 'odd' ? 1 : 0
  if (parts.length > 1) return parts.filter((_, at) => at % 2 === rest)
  return parts.map((part) => ({ ...part, queries: part.queries.filter((_, at) => at % 2 === rest) }))
}

function show(sum: { total: number; count: number } | undefined, name: string): string {
  if (sum === undefined) return '–'
  return name.startsWith('stale') ? `${sum.total} of ${sum.count}` : (sum.total / sum.count).toFixed(3).replace(/^0/, '')
}
