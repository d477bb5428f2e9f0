import type { CatalogueEntry } from '../decision/catalogue.ts'
import { CONFIDENCES, DECISION_TYPES } from '../decision/decision.ts'
import type { Edge } from './edges.ts'
import type { GraphQuestion } from './graph.ts'

export interface GraphStats {
  readonly decisions: number
  readonly active: number
  readonly superseded: number
  readonly by_type: Readonly<Record<string, number>>
  readonly by_confidence: Readonly<Record<string, number>>
  readonly supersessions: number
  readonly citations: number
  readonly components: number
  /** Decisions without any link. */
  readonly isolated: number
  readonly open_questions: number
  readonly duplicate_numbers: readonly number[]
  readonly first_date: string | null
  readonly last_date: string | null
  readonly most_cited: Insight | null
  readonly largest_consolidation: Insight | null
  readonly most_questioned: Insight | null
  readonly busiest_day: { readonly date: string; readonly count: number } | null
}

export interface Insight {
  readonly id: string
  readonly count: number
}

export interface Linked {
  readonly decisions: readonly CatalogueEntry[]
  readonly supersessions: readonly Edge[]
  readonly citations: readonly Edge[]
  readonly components: readonly (readonly string[])[]
  readonly questions: readonly GraphQuestion[]
}

export function summarize({ decisions, supersessions, citations, components, questions }: Linked): GraphStats {
  const linked = new Set([...supersessions, ...citations].flatMap((edge) => [edge.from, edge.to]))
  const active = decisions.filter((d) => d.status === 'active').length
  const dates = decisions.map((d) => d.date).sort()
  const busiest = mostFrequent(dates, 2)
  return {
    decisions: decisions.length,
    active,
    superseded: decisions.length - active,
    by_type: countBy(
      [...DECISION_TYPES, 'untyped'],
      decisions.map((d) => d.decision_type ?? 'untyped'),
    ),
    by_confidence: countBy(
      CONFIDENCES,
      decisions.map((d) => d.confidence),
    ),
    supersessions: supersessions.length,
    citations: citations.length,
    components: components.length,
    isolated: decisions.filter((d) => !linked.has(d.stem)).length,
    open_questions: questions.length,
    duplicate_numbers: [...Map.groupBy(decisions, (d) => d.num)]
      .filter(([, sharing]) => sharing.length > 1)
      .map(([num]) => num),
    first_date: dates[0] ?? null,
    last_date: dates.at(-1) ?? null,
    most_cited: mostFrequent(
      citations.map((edge) => edge.to),
      2,
    ),
    largest_consolidation: mostFrequent(
      supersessions.map((edge) => edge.from),
      2,
    ),
    most_questioned: mostFrequent(
      questions.flatMap((q) => q.decisions),
      1,
    ),
    busiest_day: busiest === null ? null : { date: busiest.id, count: busiest.count },
  }
}

function countBy(names: readonly string[], values: readonly string[]): Record<string, number> {
  const groups = Map.groupBy(values, (value) => value)
  return Object.fromEntries(names.map((name) => [name, groups.get(name)?.length ?? 0]))
}

/** The most frequent value, or the first if several tie; null if no value occurs `least` times. */
function mostFrequent(values: readonly string[], least: number): Insight | null {
  let best: Insight | null = null
  for (const [id, { length: count }] of Map.groupBy(values, (value) => value)) {
    if (count >= least && (best === null || count > best.count)) best = { id, count }
  }
  return best
}
