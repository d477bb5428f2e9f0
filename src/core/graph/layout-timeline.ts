import { DECISION_TYPES } from '../decision/decision.ts'
import { round, type Bounds } from './bounds.ts'
import type { GraphNode } from './graph.ts'
import { SLOT, timeScale, type TimeScale } from './time-scale.ts'
import { timeTicks, type Tick } from './time-ticks.ts'

export interface TimelineLayout {
  readonly bounds: Bounds
  readonly points: readonly { readonly x: number; readonly y: number; readonly r: number }[]
  readonly lanes: readonly {
    readonly type: string
    readonly y: number
    readonly height: number
    readonly count: number
  }[]
  readonly ticks: readonly Tick[]
}

const DOT = 6
const MOST_ROWS = 8
const LANE_PADDING = 12
/** Lanes grow until the whole is at least this high for its width, or a few decisions would lie in a thin strip. */
const HEIGHT_PER_WIDTH = 0.42

/**
 * A lane per type, time from left to right. Many decisions at one time grow downwards, then sideways, and push later
 * ones on.
 */
export function layoutTimeline(decisions: readonly GraphNode[]): TimelineLayout {
  if (decisions.length === 0) return { bounds: { x: 0, y: 0, width: 1, height: 1 }, points: [], lanes: [], ticks: [] }
  const inOrder = [...decisions.keys()].sort((a, b) =>
    decisions[a]!.date < decisions[b]!.date ? -1 : decisions[a]!.date > decisions[b]!.date ? 1 : a - b,
  )
  const byType = Map.groupBy(inOrder, (place) => decisions[place]!.decision_type ?? 'untyped')
  const scale = timeScale(decisions, [...byType.values()], MOST_ROWS)
  const points: { x: number; y: number; r: number }[] = []
  const lanes: { type: string; y: number; height: number; count: number }[] = []
  const lowest = (scale.width * HEIGHT_PER_WIDTH) / byType.size
  let y = 0
  for (const type of [...DECISION_TYPES, 'untyped'] as const) {
    const places = byType.get(type)
    if (places === undefined) continue
    const height = fillLane(points, { decisions, places, scale, top: y, lowest })
    lanes.push({ type, y, height, count: places.length })
    y += height
  }
  return { bounds: { x: -24, y: 0, width: round(scale.width + 48), height: y }, points, lanes, ticks: timeTicks(scale) }
}

interface Lane {
  readonly decisions: readonly GraphNode[]
  readonly places: readonly number[]
  readonly scale: TimeScale
  readonly top: number
  readonly lowest: number
}

/** Sets the points of one lane, each stack in the middle of its height; says that height. */
function fillLane(
  points: { x: number; y: number; r: number }[],
  { decisions, places, scale, top, lowest }: Lane,
): number {
  const stacks = [...Map.groupBy(places, (place) => scale.period(decisions[place]!.date)).values()]
  const rows = Math.min(MOST_ROWS, Math.max(...stacks.map((stack) => stack.length)))
  const height = round(Math.max(lowest, rows * SLOT + 2 * LANE_PADDING))
  for (const stack of stacks) {
    const left = scale.start(scale.period(decisions[stack[0]!]!.date)) + SLOT / 2
    const above = top + (height - Math.min(stack.length, MOST_ROWS) * SLOT) / 2 + SLOT / 2
    stack.forEach((place, i) => {
      points[place] = {
        x: round(left + Math.floor(i / MOST_ROWS) * SLOT),
        y: round(above + (i % MOST_ROWS) * SLOT),
        r: DOT,
      }
    })
  }
  return height
}
