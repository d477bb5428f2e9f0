import type { LabelledQuery } from './labelled-sets.ts'

interface Expectation {
  /** Result of other systems, or of plain BM25 when the data was prepared. */
  readonly baseline?: string
  /** Minimum for Ken's hybrid search over all questions. */
  readonly aim?: number
}

export interface Metric extends Expectation {
  readonly name: string
  /** `count`: number of faulty answers, so less is better. */
  readonly kind: 'mean' | 'count'
  of(ranking: readonly number[], query: LabelledQuery): number
}

const found = (ranking: readonly number[], query: LabelledQuery, depth: number): number =>
  ranking.slice(0, depth).filter((at) => query.relevant.has(at)).length

export const hit = (depth: number, expected: Expectation = {}): Metric => ({
  name: `Hit@${depth}`,
  kind: 'mean',
  ...expected,
  of: (ranking, query) => Math.min(1, found(ranking, query, depth)),
})
export const any = (depth: number, expected: Expectation = {}): Metric => ({
  ...hit(depth, expected),
  name: `any@${depth}`,
})
export const recall = (depth: number, expected: Expectation = {}): Metric => ({
  name: `recall@${depth}`,
  kind: 'mean',
  ...expected,
  of: (ranking, query) => found(ranking, query, depth) / query.relevant.size,
})
export const stale = (expected: Expectation = {}): Metric => ({
  name: 'stale returned',
  kind: 'count',
  ...expected,
  of: (ranking, query) => Number(ranking.some((at) => query.stale?.has(at))),
})

export const reciprocal = (expected: Expectation = {}): Metric => ({
  name: 'MRR@10',
  kind: 'mean',
  ...expected,
  of: (ranking, { relevant }) => 1 / (ranking.slice(0, 10).findIndex((at) => relevant.has(at)) + 1 || Infinity),
})

export const gain = (depth: number, expected: Expectation = {}): Metric => ({
  name: `nDCG@${depth}`,
  kind: 'mean',
  ...expected,
  of(ranking, { relevant }) {
    const sum = ranking
      .slice(0, depth)
      .reduce((total, at, i) => total + (relevant.has(at) ? 1 / Math.log2(i + 2) : 0), 0)
    let ideal = 0
    for (let i = 0; i < Math.min(depth, relevant.size); i++) ideal += 1 / Math.log2(i + 2)
    return sum / ideal
  },
})
