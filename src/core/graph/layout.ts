import type { DecisionGraph } from './graph.ts'
import { layoutClusters, type ClusterLayout } from './layout-clusters.ts'
import { layoutLineage, type LineageLayout } from './layout-lineage.ts'
import { layoutTimeline, type TimelineLayout } from './layout-timeline.ts'

/** A rectangle that holds everything drawn. */
export interface Bounds {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

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

export function boundsOf(boxes: readonly Bounds[], margin: number): Bounds {
  if (boxes.length === 0) return { x: 0, y: 0, width: 1, height: 1 }
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const box of boxes) {
    left = Math.min(left, box.x)
    top = Math.min(top, box.y)
    right = Math.max(right, box.x + box.width)
    bottom = Math.max(bottom, box.y + box.height)
  }
  return {
    x: round(left - margin),
    y: round(top - margin),
    width: round(right - left + 2 * margin),
    height: round(bottom - top + 2 * margin),
  }
}

/** A tenth of a pixel is enough to draw with and halves the size of the page. */
export const round = (value: number): number => Math.round(value * 10) / 10
