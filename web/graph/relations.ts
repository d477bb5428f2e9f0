import type { DecisionGraph } from '../../src/record/domain/graph/graph.ts'

export type Link = readonly [from: number, to: number]

/** Relations of one decision to others, by place. */
export interface Relations {
  readonly replaces: number[]
  readonly replacedBy: number[]
  readonly cites: number[]
  readonly citedBy: number[]
  readonly questions: { readonly id: string; readonly body: string }[]
}

export interface Related {
  readonly relations: readonly Relations[]
  /** `from` replaced `to`. */
  readonly supersessions: readonly Link[]
  /** `from` mentions `to`. */
  readonly citations: readonly Link[]
}

/** The edges of a graph, by place, stored for both ends. */
export function relate(data: DecisionGraph, places: ReadonlyMap<string, number>): Related {
  const relations = data.decisions.map((): Relations => ({
    replaces: [],
    replacedBy: [],
    cites: [],
    citedBy: [],
    questions: [],
  }))
  const byPlace = (edge: { from: string; to: string }): Link => [places.get(edge.from)!, places.get(edge.to)!]
  const supersessions = data.supersessions.map(byPlace)
  const citations = data.citations.map(byPlace)
  for (const [from, to] of supersessions) {
    relations[from]!.replaces.push(to)
    relations[to]!.replacedBy.push(from)
  }
  for (const [from, to] of citations) {
    relations[from]!.cites.push(to)
    relations[to]!.citedBy.push(from)
  }
  for (const question of data.questions)
    for (const id of question.decisions) relations[places.get(id)!]!.questions.push(question)
  return { relations, supersessions, citations }
}
