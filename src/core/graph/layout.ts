import type { DecisionGraph } from './graph.ts'
import { layoutClusters, type ClusterLayout } from './layout-clusters.ts'
import { layoutLineage, type LineageLayout } from './layout-lineage.ts'
import { layoutTimeline, type TimelineLayout } from './layout-timeline.ts'

/** Where everything stands in each view. Decisions are meant by their place in `graph.decisions`. */
export interface Layout {
  readonly clusters: ClusterLayout
  readonly lineage: LineageLayout
  readonly timeline: TimelineLayout
  /** The edges again, by place. */
  readonly supersessions: readonly (readonly [from: number, to: number])[]
  readonly citations: readonly (readonly [from: number, to: number])[]
}

/** Deterministic: no chance and no clock, so that the page of an unchanged record does not change. */
export function layoutGraph(graph: DecisionGraph): Layout {
  const places = new Map(graph.decisions.map((d, i) => [d.id, i]))
  const byPlace = (edge: { from: string; to: string }): [number, number] => [
    places.get(edge.from)!,
    places.get(edge.to)!,
  ]
  const supersessions = graph.supersessions.map(byPlace)
  const citations = graph.citations.map(byPlace)
  return {
    clusters: layoutClusters(graph.decisions, supersessions, citations),
    lineage: layoutLineage(
      graph.decisions,
      graph.components.map((ids) => ids.map((id) => places.get(id)!)),
      supersessions,
    ),
    timeline: layoutTimeline(graph.decisions),
    supersessions,
    citations,
  }
}
