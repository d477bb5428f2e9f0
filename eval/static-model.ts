import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openStaticEmbedder } from '../src/adapters/embed-static/index.ts'
import { coverage, indexTokens, scoreTokens } from '../src/core/search/bm25.ts'
import { decisionTokens } from '../src/core/search/decision-tokens.ts'
import { stem } from '../src/core/search/stem.ts'
import type { Embedder } from '../src/ports/embedder.ts'
import { loadRetrievalSets, type RetrievalSet } from './retrieval-sets.ts'

// Prints how well the bundled static model finds, alone and beside BM25, on labelled sets: mean nDCG@10.
// node eval/static-model.ts [--data <folder>] [--model <file>]

const SATURATION = { k1: 1.2, b: 0.75 }
const POWERS = [0, 0.5, 1]
const BETAS = [0.5, 1]

const { values } = parseArgs({ options: { data: { type: 'string' }, model: { type: 'string' }, json: { type: 'boolean' } } })
const inRepository = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const data = values.data ?? process.env['KEN_EVAL_DATA'] ?? inRepository('../../shared/data')
const sets = existsSync(data) ? loadRetrievalSets(data) : []
if (sets.length === 0) {
  console.error(`no labelled data in ${data}: name its folder with --data or KEN_EVAL_DATA`)
  process.exit(2)
}
const embedder = openStaticEmbedder(values.model ?? inRepository('../models/static-256/model.bin'))
const rows = new Map<string, number[]>()
for (const { name, parts } of sets) {
  const gains = new Map<string, number[]>()
  for (const part of parts) await measure(part, gains)
  for (const [system, list] of gains) rows.set(system, [...(rows.get(system) ?? []), list.reduce((sum, gain) => sum + gain, 0) / list.length])
  if (!values.json) console.error(`${name}: ${parts.reduce((sum, { queries }) => sum + queries.length, 0)} queries`)
}
await embedder.close()
console.log(`| nDCG@10, ${embedder.id} | ${sets.map(({ name }) => name).join(' | ')} | mean |`)
console.log(`|---|${sets.map(() => '---|').join('')}---|`)
for (const [system, figures] of rows) {
  const mean = figures.reduce((sum, figure) => sum + figure, 0) / figures.length
  console.log(`| ${system} | ${[...figures, mean].map((figure) => figure.toFixed(3).replace(/^0/, '')).join(' | ')} |`)
}

async function measure(set: RetrievalSet, gains: Map<string, number[]>): Promise<void> {
  const index = indexTokens(set.documents.map(({ text }) => decisionTokens(text)))
  const owners = set.documents.flatMap(({ chunks }, document) => chunks.map(() => document))
  const chunks = await embedder.embed(set.documents.flatMap((document) => document.chunks), 'document')
  const all = set.documents.map((_, i) => i)
  const record = (system: string, gain: number) => gains.set(system, [...(gains.get(system) ?? []), gain])
  for (const { text, relevant } of set.queries) {
    const tokens = decisionTokens(text)
    const lexical = coverage(tokens, index, { ...SATURATION, docs: all })
    const bm25 = new Float64Array(all.length)
    for (const { index: document } of scoreTokens(tokens, index, SATURATION)) bm25[document] = lexical[document] as number
    record('BM25', gainOf([...bm25], relevant))
    for (const power of POWERS) {
      const cosines = await cosinesOf(text, { chunks, owners, weigh: (word) => rarity(word, index) ** power })
      record(`static, idf^${power}`, gainOf(cosines, relevant))
      if (power === 0.5) record('rank fusion k=60, idf^0.5', gainOf(fuseRanks([[...bm25], cosines]), relevant))
      if (power === 0) continue
      for (const beta of BETAS) record(`cosine + ${beta}·lex, idf^${power}`, gainOf(cosines.map((value, i) => value + beta * (lexical[i] as number)), relevant))
    }
  }
}

type Index = ReturnType<typeof indexTokens>
type Chunks = { chunks: readonly Float32Array[]; owners: readonly number[]; weigh: Parameters<Embedder['embed']>[2] & {} }

/** The cosine of a document is that of its best chunk. */
async function cosinesOf(query: string, { chunks, owners, weigh }: Chunks): Promise<number[]> {
  const [vector] = (await embedder.embed([query], 'query', weigh)) as [Float32Array]
  const best: number[] = []
  chunks.forEach((chunk, i) => {
    let dot = 0
    for (let d = 0; d < chunk.length; d += 1) dot += (chunk[d] as number) * (vector[d] as number)
    const owner = owners[i] as number
    best[owner] = Math.max(best[owner] ?? -1, dot)
  })
  return best
}

function rarity(word: string, index: Index): number {
  const found = index.postings(stem(word))?.docs.length ?? 0
  return Math.log(1 + (index.size - found + 0.5) / (found + 0.5))
}

function gainOf(scores: readonly number[], relevant: ReadonlySet<number>): number {
  let gain = 0
  for (const document of relevant) {
    const position = positionOf(document, scores)
    if (position < 10) gain += 1 / Math.log2(position + 2)
  }
  let ideal = 0
  for (let i = 0; i < Math.min(10, relevant.size); i += 1) ideal += 1 / Math.log2(i + 2)
  return gain / ideal
}

/** How many documents come before this one. A score of exactly zero means that nothing speaks for it: it is not ranked. */
function positionOf(document: number, scores: readonly number[]): number {
  const score = scores[document] as number
  if (score === 0) return Infinity
  let before = 0
  for (let i = 0; i < scores.length; i += 1) {
    const other = scores[i] as number
    if (other !== 0 && (other > score || (other === score && i < document))) before += 1
  }
  return before
}

function rank(scores: readonly number[]): number[] {
  return scores.map((_, i) => i).filter((i) => scores[i] !== 0).sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b)
}

function fuseRanks(lists: readonly (readonly number[])[]): number[] {
  const fused = lists[0]?.map(() => 0) ?? []
  for (const list of lists) rank(list).forEach((document, position) => (fused[document] = (fused[document] as number) + 1 / (60 + position + 1)))
  return fused
}
