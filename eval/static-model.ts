import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openStaticEmbedder } from '../src/retrieval/embed/static/index.ts'
import { printCalibration } from './calibration.ts'
import { scoreSet } from './hybrid-scores.ts'
import { modelSets, type LabelledPart } from './labelled-sets.ts'

// Measures retrieval with the bundled static model, alone and beside BM25, on labelled sets: mean nDCG@10.
// node eval/static-model.ts [--data <folder>] [--model <file>] [--calibrate]

const POWERS = [0, 0.5, 1]
const BETAS = [0.5, 0.75, 1]

const { values } = parseArgs({
  options: { data: { type: 'string' }, model: { type: 'string' }, calibrate: { type: 'boolean' } },
})
const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const data = values.data ?? process.env['KEN_EVAL_DATA'] ?? fromHere('../../shared/data')
const sets = existsSync(data) ? modelSets(data) : []
if (sets.length === 0) {
  console.error(`no labelled data in ${data}: name its folder with --data or KEN_EVAL_DATA`)
  process.exit(2)
}
const embedder = openStaticEmbedder(values.model ?? fromHere('../models/static-256/model.bin'))
if (values.calibrate) await printCalibration(sets, embedder)
else await printTable()
await embedder.close()

async function printTable(): Promise<void> {
  const rows = new Map<string, number[]>()
  for (const { parts } of sets) {
    const gains = new Map<string, number[]>()
    for (const part of parts) await measure(part, gains)
    for (const [system, list] of gains) rows.set(system, [...(rows.get(system) ?? []), mean(list)])
  }
  console.log(`| nDCG@10, ${embedder.id} | ${sets.map(({ name }) => name).join(' | ')} | mean |`)
  console.log(`|---|${sets.map(() => '---|').join('')}---|`)
  for (const [system, figures] of rows) {
    console.log(
      `| ${system} | ${[...figures, mean(figures)].map((figure) => figure.toFixed(3).replace(/^0/, '')).join(' | ')} |`,
    )
  }
}

async function measure(set: LabelledPart, gains: Map<string, number[]>): Promise<void> {
  const { lexical, cosines } = await scoreSet(set, embedder)
  for (const { text, relevant } of set.queries) {
    const record = (system: string, scores: readonly number[]) => {
      if (!gains.has(system)) gains.set(system, [])
      gains.get(system)?.push(gainOf(scores, relevant))
    }
    const covered = lexical(text)
    record('BM25', covered)
    for (const power of POWERS) {
      const near = await cosines(text, power)
      record(`static, idf^${power}`, near)
      if (power === 0.5) record('rank fusion k=60, idf^0.5', fuseRanks([covered, near]))
      for (const beta of power > 0 ? BETAS : []) {
        record(
          `cosine + ${beta}·lex, idf^${power}`,
          near.map((value, i) => value + beta * (covered[i] as number)),
        )
      }
    }
  }
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

/**
 * Number of documents ranked before this one. A score of exactly zero means no evidence: such a document is not ranked.
 */
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

function fuseRanks(lists: readonly (readonly number[])[]): number[] {
  const fused = lists[0]?.map(() => 0) ?? []
  for (const list of lists)
    rank(list).forEach(
      (document, position) => (fused[document] = (fused[document] as number) + 1 / (60 + position + 1)),
    )
  return fused
}

function rank(scores: readonly number[]): number[] {
  return scores
    .map((_, i) => i)
    .filter((i) => scores[i] !== 0)
    .sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b)
}

function mean(figures: readonly number[]): number {
  return figures.reduce((sum, figure) => sum + figure, 0) / figures.length
}
