import type { Embedder } from '../src/retrieval/ports/embedder.ts'
import { scoreSet } from './hybrid-scores.ts'
import type { LabelledPart } from './labelled-sets.ts'

/** Small sets of decisions and facts, similar to a project record. */
const RECORDS = ['semantic-suite', 'retrieval-suite', 'ADR title→body']
const STRANGERS = 'LoCoMo turns'
const POWER = 0.5

/**
 * Prints three populations of the best score a query reaches: with its answer present, with the answer removed, and for
 * unrelated questions. The calibration's `noise` and `strong` are read off these.
 */
export async function printCalibration(
  sets: readonly { name: string; parts: readonly LabelledPart[] }[],
  embedder: Embedder,
): Promise<void> {
  const strangers =
    sets.find(({ name }) => name === STRANGERS)?.parts.flatMap(({ queries }) => queries.map(({ text }) => text)) ?? []
  const sample = strangers.filter((_, i) => i % 5 === 0)
  for (const beta of [0, embedder.calibration?.beta ?? 1]) {
    console.log(beta === 0 ? '\ncosine alone' : `\ncosine + ${beta}·lex`)
    for (const { name, parts } of sets.filter((set) => RECORDS.includes(set.name))) {
      const found = { right: [] as number[], wrong: [] as number[], strange: [] as number[] }
      for (const part of parts) await collect(part, { beta, sample, found, embedder })
      console.log(
        `  ${name}, 10/50/90 %: right ${spread(found.right)}, without the answer ${spread(found.wrong)}, strangers ${spread(found.strange)}`,
      )
      console.log(
        `    AUC right/without ${auc(found.right, found.wrong)}, right/strangers ${auc(found.right, found.strange)}`,
      )
      const limits = beta === 0 ? [0.3, 0.32, 0.34, 0.36, 0.38] : [0.6, 0.65, 0.7, 0.75, 0.8, 0.85]
      for (const limit of limits)
        console.log(
          `    from ${limit}: ${Object.entries(found)
            .map(([kind, scores]) => `${kind} ${shareFrom(limit, scores)}`)
            .join(', ')}`,
        )
    }
  }
}

interface Collecting {
  readonly beta: number
  readonly sample: readonly string[]
  readonly found: { right: number[]; wrong: number[]; strange: number[] }
  readonly embedder: Embedder
}

async function collect(set: LabelledPart, { beta, sample, found, embedder }: Collecting): Promise<void> {
  const { lexical, cosines } = await scoreSet(set, embedder)
  const scores = async (query: string) => {
    const covered = lexical(query)
    return (await cosines(query, POWER)).map((value, i) => value + beta * (covered[i] as number))
  }
  for (const { text, relevant } of set.queries) {
    const all = await scores(text)
    found.right.push(Math.max(...all.filter((_, i) => relevant.has(i))))
    found.wrong.push(Math.max(...all.filter((_, i) => !relevant.has(i))))
  }
  for (const text of sample) found.strange.push(Math.max(...(await scores(text))))
}

const quantile = (values: readonly number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.floor(share * (values.length - 1))] as number
const spread = (values: readonly number[]) =>
  [0.1, 0.5, 0.9].map((share) => quantile(values, share).toFixed(2)).join('/')

function auc(higher: readonly number[], lower: readonly number[]): string {
  let wins = 0
  for (const a of higher) for (const b of lower) wins += a > b ? 1 : a === b ? 0.5 : 0
  return (wins / (higher.length * lower.length)).toFixed(3)
}

function shareFrom(limit: number, scores: readonly number[]): string {
  return `${((100 * scores.filter((score) => score >= limit).length) / scores.length).toFixed(0)} %`
}
