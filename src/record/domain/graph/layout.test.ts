import fc from 'fast-check'
import { expect, test } from 'vitest'
import { graphSource, manyDecisions, type Given } from '../../../../test/sample-record.ts'
import { variedDecisions } from '../../../../test/varied-record.ts'
import type { Bounds } from './bounds.ts'
import { buildGraph, type DecisionGraph } from './graph.ts'
import { GROUP_KINDS, type Grouping, type GroupKind } from './grouping.ts'
import { layoutLineage, type LineageLayout } from './layout-lineage.ts'
import { layoutRegions, type RegionLayout } from './layout-regions.ts'
import { layoutTimeline, type TimelineLayout } from './layout-timeline.ts'
import { dateOf } from './time-scale.ts'
import { timeTicks } from './time-ticks.ts'

const SCREENS = [
  { width: 1256, height: 660 },
  { width: 366, height: 900 },
]

interface Placed {
  readonly grouping: Grouping
  readonly dates: readonly string[]
  readonly regions: RegionLayout
  readonly lineage: LineageLayout
  readonly timeline: TimelineLayout
  readonly supersessions: readonly (readonly [number, number])[]
}

const graphOf = (decisions: readonly Given[]): DecisionGraph => buildGraph(graphSource(decisions), { bodies: true })

const placed = (decisions: readonly Given[], by?: GroupKind): Placed => place(graphOf(decisions), by)

function place(graph: DecisionGraph, by?: GroupKind, screen = SCREENS[0]!): Placed {
  const places = new Map(graph.decisions.map((d, i) => [d.id, i]))
  const toPlaces = (edge: { from: string; to: string }): [number, number] => [
    places.get(edge.from)!,
    places.get(edge.to)!,
  ]
  const supersessions = graph.supersessions.map(toPlaces)
  const grouping = graph.groupings.find((each) => each.by === by) ?? graph.groupings[0]!
  const dates = graph.decisions.map((d) => d.date)
  return {
    grouping,
    dates,
    supersessions,
    regions: layoutRegions(grouping, [...supersessions, ...graph.citations.map(toPlaces)], screen),
    lineage: layoutLineage(
      graph.decisions.map((d) => d.title),
      graph.components.map((ids) => ids.map((id) => places.get(id)!)),
      supersessions,
    ),
    timeline: layoutTimeline(dates, grouping),
  }
}

function overlaps(points: readonly { x: number; y: number; r: number }[]): number {
  let count = 0
  points.forEach((a, i) =>
    points.slice(i + 1).forEach((b) => (count += Math.hypot(a.x - b.x, a.y - b.y) < (a.r + b.r) * 0.98 ? 1 : 0)),
  )
  return count
}

const isInside = (bounds: Bounds, { x, y }: { x: number; y: number }): boolean =>
  x >= bounds.x && y >= bounds.y && x <= bounds.x + bounds.width && y <= bounds.y + bounds.height

const meet = (a: Bounds, b: Bounds): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

test('drawing is deterministic', () => {
  expect(placed(manyDecisions(60))).toEqual({ ...placed(manyDecisions(60)), timeline: expect.anything() })
  expect(placed(manyDecisions(60)).timeline.points).toEqual(placed(manyDecisions(60)).timeline.points)
})

const VARIED = [1, 9, 150].map((count) => graphOf(variedDecisions(count)))

test.each(GROUP_KINDS.flatMap((by) => SCREENS.map((screen) => [by, screen] as const)))(
  'grouped by %s, every decision is in the region of its group, and regions do not overlap: %j',
  (by, screen) => {
    for (const graph of VARIED) {
      const { grouping, regions } = place(graph, by, screen)
      expect(regions.points).toHaveLength(graph.decisions.length)
      expect(overlaps(regions.points)).toBe(0)
      regions.points.forEach((point, place) =>
        expect(isInside(regions.regions[grouping.of[place]!]!, point)).toBe(true),
      )
      regions.regions.forEach((a, i) => {
        expect(a.x >= 0 && a.y >= 0 && a.x + a.width <= screen.width && a.y + a.height <= screen.height).toBe(true)
        expect(regions.regions.slice(i + 1).filter((b) => meet(a, b))).toEqual([])
      })
    }
  },
)

test('a decision is beside or below one of its group that it superseded', () => {
  const { regions, supersessions, grouping } = placed(
    Array.from({ length: 40 }, (_, i): Given => ({
      num: i + 1,
      title: `Subject ${i}`,
      decision_type: i % 2 === 0 ? 'pattern' : 'architecture',
      ...(i + 20 < 40 ? { status: 'superseded', superseded_by: String(i + 21) } : {}),
    })),
    'type',
  )
  expect(supersessions).toHaveLength(20)
  for (const [a, b] of supersessions) {
    const { cell } = regions.regions[grouping.of[a]!]!
    const [p, q] = [regions.points[a]!, regions.points[b]!]
    expect(Math.abs(p.x - q.x) <= cell.width + 1 && Math.abs(p.y - q.y) <= cell.height + 1).toBe(true)
  }
})

test('draws links of any shape, including cycles, without overlap and with finite numbers', () => {
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
      const { regions, lineage, timeline, supersessions } = placed(decisions)
      expect(overlaps(regions.points)).toBe(0)
      expect(JSON.stringify([regions, lineage, timeline.points, timeline.lanes])).not.toMatch(/null|NaN/)
      expect(lineage.cards).toHaveLength(new Set(supersessions.flat()).size)
    }),
    { numRuns: 60 },
  )
})

test('a decision is to the right of everything it superseded, and cards do not touch', () => {
  const { lineage, supersessions } = placed(manyDecisions(200))
  const at = new Map(lineage.cards.map((card) => [card.place, card]))
  for (const [from, to] of supersessions) expect(at.get(from)!.x).toBeGreaterThan(at.get(to)!.x)
  const { width, height } = lineage.card
  const touching = lineage.cards.filter((a, i) =>
    lineage.cards.slice(i + 1).some((b) => Math.abs(a.x - b.x) < width && Math.abs(a.y - b.y) < height),
  )
  expect(touching).toEqual([])
})

test('an old decision merged late is in the column next to the merge, not at the far left', () => {
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
  const { timeline, grouping, dates } = placed(manyDecisions(120), 'type')
  expect(timeline.lanes).toHaveLength(grouping.names.length)
  for (const lane of timeline.lanes) {
    const inLane = [...dates.keys()].filter((place) => grouping.of[place] === lane.group)
    expect(inLane).toHaveLength(lane.count)
    for (const a of inLane) {
      const { y } = timeline.points[a]!
      expect(y > lane.y && y < lane.y + lane.height).toBe(true)
      for (const b of inLane)
        if (dates[a]! > dates[b]!) expect(timeline.points[a]!.x).toBeGreaterThanOrEqual(timeline.points[b]!.x)
    }
  }
  expect(overlaps(timeline.points)).toBe(0)
})

test('hundreds of decisions on one day do not overlap, and centuries between two still fit', () => {
  const sameDay = placed(
    Array.from({ length: 300 }, (_, i): Given => ({ num: i + 1, title: `T${i}`, decision_type: 'pattern' })),
  ).timeline
  expect(overlaps(sameDay.points)).toBe(0)
  const farApart = placed([
    { num: 1, title: 'A', date: '0001-01-01' },
    { num: 2, title: 'B', date: '9999-12-31' },
  ]).timeline
  expect(farApart.bounds.width).toBeLessThan(5000)
})

const RANGES: Given[][] = [
  [{ num: 1, title: 'A' }],
  [
    { num: 1, title: 'A', date: '2026-03-03' },
    { num: 2, title: 'B', date: '2026-03-19' },
  ],
  [
    { num: 1, title: 'A', date: '0001-01-01' },
    { num: 2, title: 'B', date: '9999-12-31' },
  ],
  manyDecisions(50),
  variedDecisions(200),
]

test.each(RANGES.map((decisions) => [decisions.length, decisions] as const))(
  'the dates of %i decisions are shown in order, with enough room, at every zoom',
  (_, decisions) => {
    const { timeline } = placed(decisions)
    const scale = timeline.scale!
    for (const zoom of [0.3, 1, 3, 12]) {
      for (const part of [0, 0.4, 0.9]) {
        const from = scale.width * part
        const ticks = timeTicks(scale, { from, to: from + 1100 / zoom, room: 62 / zoom })
        expect(ticks.length).toBeGreaterThan(0)
        expect(ticks.length).toBeLessThan(62)
        ticks.slice(1).forEach((tick, i) => expect(tick.x - ticks[i]!.x).toBeGreaterThanOrEqual(62 / zoom - 0.001))
      }
    }
  },
)

test('labels nine years by year when zoomed out and by month or day when zoomed in', () => {
  const scale = placed(variedDecisions(200)).timeline.scale!
  const far = timeTicks(scale, { from: 0, to: scale.width, room: scale.width / 20 })
  const years = Array.from({ length: 9 }, (_, i) => String(2018 + i))
  expect(far.filter((tick) => tick.major).map((tick) => tick.label)).toEqual(years)
  const near = timeTicks(scale, { from: scale.at(scale.first + 400), to: scale.at(scale.first + 700), room: 6 })
  expect(near.map((tick) => tick.label).join(' ')).toMatch(/May.*Jun/)
})

test('maps a position on the axis to its day and back', () => {
  const { scale } = placed(variedDecisions(300)).timeline
  for (let day = scale!.first; day <= scale!.last; day += 17) {
    expect(Math.abs(scale!.dayAt(scale!.at(day) + 0.001) - day)).toBeLessThanOrEqual(1)
    expect(dateOf(day)).toMatch(/^\d{4}-\d\d-\d\d$/)
  }
})

test('two thousand decisions do not overlap', () => {
  const { regions, timeline } = placed(variedDecisions(2000))
  expect(overlaps(regions.points)).toBe(0)
  expect(overlaps(timeline.points)).toBe(0)
})

test('an empty record has empty views', () => {
  expect(placed([])).toMatchObject({ regions: { points: [] }, lineage: { cards: [] }, timeline: { points: [] } })
})
