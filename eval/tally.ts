import type { LabelledQuery } from './labelled-sets.ts'
import type { Metric } from './metrics.ts'

export interface Answer {
  readonly ranking: readonly number[]
  readonly query: LabelledQuery
  readonly half: number
}

export interface Tally {
  add(system: string, answer: Answer): void
  /** The metric as text, over all questions or one half; a dash for a system that did not run. */
  show(system: string, metric: Metric, half?: number): string
  /** The same as numbers, with the number of questions; undefined for a system that did not run. */
  figure(system: string, metric: Metric, half?: number): { value: number; of?: number; asked: number } | undefined
  /** True for a metric without an aim or without a measurement. */
  reaches(system: string, metric: Metric): boolean
  /** Whether a system is worse by more than one question, which is six points on a set of sixteen. */
  isBelow(system: string, other: string, metric: Metric): boolean
}

interface Sum {
  readonly total: number
  readonly count: number
}

/** Collects the results of systems on one set. */
export function openTally(metrics: readonly Metric[]): Tally {
  const sums = new Map<string, Sum>()
  const keyOf = (system: string, { name }: Metric, half: number) => `${system}\0${name}\0${half}`
  const over = (system: string, metric: Metric, halves: readonly number[]): Sum | undefined => {
    const own = halves.flatMap((half) => sums.get(keyOf(system, metric, half)) ?? [])
    return own.length === 0 ? undefined : own.reduce((a, b) => ({ total: a.total + b.total, count: a.count + b.count }))
  }

  return {
    add(system, { ranking, query, half }) {
      for (const metric of metrics) {
        const key = keyOf(system, metric, half)
        const { total, count } = sums.get(key) ?? { total: 0, count: 0 }
        sums.set(key, { total: total + metric.of(ranking, query), count: count + 1 })
      }
    },
    show(system, metric, half) {
      const sum = over(system, metric, half === undefined ? [0, 1] : [half])
      if (sum === undefined) return '–'
      return metric.kind === 'count'
        ? `${sum.total} of ${sum.count}`
        : (sum.total / sum.count).toFixed(3).replace(/^0/, '')
    },
    figure(system, metric, half) {
      const sum = over(system, metric, half === undefined ? [0, 1] : [half])
      if (sum === undefined) return undefined
      const { total, count: asked } = sum
      return metric.kind === 'count' ? { value: total, of: asked, asked } : { value: total / asked, asked }
    },
    reaches(system, metric) {
      const sum = over(system, metric, [0, 1])
      if (sum === undefined || metric.aim === undefined) return true
      return metric.kind === 'count' ? sum.total <= metric.aim : sum.total / sum.count >= metric.aim
    },
    isBelow(system, other, metric) {
      const [own, theirs] = [over(system, metric, [0, 1]), over(other, metric, [0, 1])]
      if (own === undefined || theirs === undefined) return false
      const lost = metric.kind === 'count' ? own.total - theirs.total : theirs.total - own.total
      // Rounding in a sum of fractions may put it just above a whole question.
      return lost > 1 + 1e-9
    },
  }
}
