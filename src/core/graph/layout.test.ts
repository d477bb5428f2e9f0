import fc from 'fast-check'
import { expect, test } from 'vitest'
import { graphSource, manyDecisions, type Given } from '../../../test/sample-record.ts'
import type { Bounds } from './bounds.ts'
import { buildGraph, type DecisionGraph } from './graph.ts'
import { layoutGraph, type Layout } from './layout.ts'

const graphOf = (decisions: readonly Given[]): DecisionGraph => buildGraph(graphSource(decisions), { bodies: false })
const placed = (decisions: readonly Given[]): Layout => layoutGraph(graphOf(decisions))

function overlaps(points: readonly { x: number; y: number; r: number }[]): number {
  let count = 0
  points.forEach((a, i) =>
    points.slice(i + 1).forEach((b) => (count += Math.hypot(a.x - b.x, a.y - b.y) < (a.r + b.r) * 0.98 ? 1 : 0)),
  )
  return count
}

const isInside = (bounds: Bounds, { x, y }: { x: number; y: number }): boolean =>
  x >= bounds.x && y >= bounds.y && x <= bounds.x + bounds.width && y <= bounds.y + bounds.height

test('the same record is always drawn the same', () => {
  expect(placed(manyDecisions(60))).toEqual(placed(manyDecisions(60)))
})

test('every decision has its own place in the graph and on the timeline', () => {
  const layout = placed(manyDecisions(150))
  for (const view of [layout.clusters, layout.timeline]) {
    expect(view.points).toHaveLength(150)
    expect(view.points.every((point) => isInside(view.bounds, point))).toBe(true)
    expect(overlaps(view.points)).toBe(0)
  }
})

test('links of any shape, circles too, are drawn without overlap and with finite numbers', () => {
  const records = fc.integer({ min: 1, max: 24 }).chain((size) =>
    fc
      .array(fc.tuple(fc.integer({ min: 1, max: size }), fc.integer({ min: 1, max: size }), fc.boolean()), {
        maxLength: 40,
      })
      .map((links) => ({ size, links })),
  )
  fc.assert(
    fc.property(records, ({ size, links }) => {
      const decisions = Array.from({ length: size }, (_, i): Given => ({
        num: i + 1,
        title: `T${i + 1}`,
        rationale: 'Why.',
      }))
      for (const [from, to, isCitation] of links) {
        const given = decisions[from - 1]!
        decisions[from - 1] = isCitation
          ? { ...given, rationale: `${given.rationale} D${to}.` }
          : { ...given, status: 'superseded', superseded_by: String(to) }
      }
      const layout = placed(decisions)
      expect(overlaps(layout.clusters.points)).toBe(0)
      expect(JSON.stringify(layout)).not.toMatch(/null|NaN/)
      expect(layout.lineage.cards).toHaveLength(new Set(layout.supersessions.flat()).size)
    }),
    { numRuns: 60 },
  )
})

test('a decision stands right of everything it replaced, and cards do not touch', () => {
  const { lineage, supersessions } = placed(manyDecisions(200))
  const at = new Map(lineage.cards.map((card) => [card.place, card]))
  for (const [from, to] of supersessions) expect(at.get(from)!.x).toBeGreaterThan(at.get(to)!.x)
  const { width, height } = lineage.card
  const touching = lineage.cards.filter((a, i) =>
    lineage.cards.slice(i + 1).some((b) => Math.abs(a.x - b.x) < width && Math.abs(a.y - b.y) < height),
  )
  expect(touching).toEqual([])
})

test('a late merge takes in an old decision from the next column, not from the far left', () => {
  const { lineage, supersessions } = placed([
    { num: 1, title: 'First', status: 'superseded', superseded_by: '2' },
    { num: 2, title: 'Second', status: 'superseded', superseded_by: '4' },
    { num: 3, title: 'Stood alone', status: 'superseded', superseded_by: '4' },
    { num: 4, title: 'Merge' },
  ])
  const x = new Map(lineage.cards.map((card) => [card.place, card.x]))
  expect(supersessions).toHaveLength(3)
  expect(x.get(2)).toBe(x.get(1))
})

test('time runs from left to right within every lane', () => {
  const graph = graphOf(manyDecisions(120))
  const { points, lanes, ticks } = layoutGraph(graph).timeline
  for (const lane of lanes) {
    const inLane = [...graph.decisions.keys()].filter(
      (place) => (graph.decisions[place]!.decision_type ?? 'untyped') === lane.type,
    )
    expect(inLane).toHaveLength(lane.count)
    for (const a of inLane)
      for (const b of inLane)
        if (graph.decisions[a]!.date > graph.decisions[b]!.date)
          expect(points[a]!.x).toBeGreaterThanOrEqual(points[b]!.x)
    for (const place of inLane) expect(points[place]!.y > lane.y && points[place]!.y < lane.y + lane.height).toBe(true)
  }
  expect(ticks[0]?.label).toBe('1 Jan 2025')
  const places = ticks.map((tick) => tick.x)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})

test('hundreds of decisions on one day, and centuries between two, still fit', () => {
  const sameDay = placed(
    Array.from({ length: 300 }, (_, i): Given => ({ num: i + 1, title: `T${i}`, decision_type: 'pattern' })),
  ).timeline
  expect(overlaps(sameDay.points)).toBe(0)
  const farApart = placed([
    { num: 1, title: 'A', date: '0001-01-01' },
    { num: 2, title: 'B', date: '9999-12-31' },
  ]).timeline
  expect(farApart.bounds.width).toBeLessThan(5000)
  expect(farApart.ticks.length).toBeLessThan(60)
})

test('two thousand decisions keep their places apart', () => {
  const layout = placed(manyDecisions(2000))
  expect(overlaps(layout.clusters.points)).toBeLessThan(4)
  expect(overlaps(layout.timeline.points)).toBe(0)
})

test('an empty record has empty views', () => {
  expect(placed([])).toMatchObject({ clusters: { points: [] }, lineage: { cards: [] }, timeline: { points: [] } })
})
