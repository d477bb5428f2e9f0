import { round, type Bounds } from './bounds.ts'
import type { Grouping } from './grouping.ts'
import { dayNumber, SLOT, timeScale, type TimeScale } from './time-scale.ts'

export interface Lane {
  /** Index in the names of the grouping. */
  readonly group: number
  readonly y: number
  readonly height: number
  readonly count: number
}

export interface TimelineLayout {
  readonly bounds: Bounds
  readonly points: readonly { readonly x: number; readonly y: number; readonly r: number }[]
  readonly lanes: readonly Lane[]
  /** Undefined without decisions. */
  readonly scale: TimeScale | undefined
}

const DOT = 6
const MOST_ROWS = 8
const LANE_PADDING = 12
/**
 * Target shape. Lanes and periods grow until the drawing has this shape; otherwise a few decisions would be in a thin
 * strip.
 */
const HEIGHT_PER_WIDTH = 0.42

/**
 * A lane per group, time from left to right. Many decisions at one time grow downwards, then sideways, and shift later
 * ones to the right.
 */
export function layoutTimeline(
  dates: readonly string[],
  grouping: Grouping,
  shape = 1 / HEIGHT_PER_WIDTH,
): TimelineLayout {
  if (dates.length === 0)
    return { bounds: { x: 0, y: 0, width: 1, height: 1 }, points: [], lanes: [], scale: undefined }
  const days = dates.map(dayNumber)
  const inOrder = [...days.keys()].sort((a, b) => days[a]! - days[b]! || a - b)
  const byGroup = Map.groupBy(inOrder, (place) => grouping.of[place]!)
  const stacks = [...byGroup.values()]
  const narrow = timeScale(days, stacks, MOST_ROWS)
  const lowest = narrow.width / shape / byGroup.size
  const heights = new Map([...byGroup].map(([group, places]) => [group, laneHeight(days, places, narrow, lowest)]))
  let tall = 0
  for (const height of heights.values()) tall += height
  const scale = timeScale(days, stacks, MOST_ROWS, tall * shape - 48)
  const points: { x: number; y: number; r: number }[] = []
  const lanes: Lane[] = []
  let y = 0
  for (const group of grouping.names.keys()) {
    const places = byGroup.get(group)
    if (places === undefined) continue
    const height = heights.get(group)!
    fillLane(points, { days, places, scale, top: y, height })
    lanes.push({ group, y, height, count: places.length })
    y = round(y + height)
  }
  return { bounds: { x: -24, y: 0, width: round(scale.width + 48), height: y }, points, lanes, scale }
}

interface Filling {
  readonly days: readonly number[]
  readonly places: readonly number[]
  readonly scale: TimeScale
  readonly top: number
  readonly height: number
}

function laneHeight(days: readonly number[], places: readonly number[], scale: TimeScale, lowest: number): number {
  let rows = 1
  for (const { length } of Map.groupBy(places, (place) => scale.period(days[place]!)).values())
    rows = Math.max(rows, Math.min(MOST_ROWS, length))
  return round(Math.max(lowest, rows * SLOT + 2 * LANE_PADDING))
}

/** Sets the points of one lane, each stack vertically centred. */
function fillLane(points: { x: number; y: number; r: number }[], { days, places, scale, top, height }: Filling): void {
  for (const stack of Map.groupBy(places, (place) => scale.period(days[place]!)).values()) {
    const left = scale.start(scale.period(days[stack[0]!]!)) + SLOT / 2
    const above = top + (height - Math.min(stack.length, MOST_ROWS) * SLOT) / 2 + SLOT / 2
    stack.forEach((place, i) => {
      points[place] = {
        x: round(left + Math.floor(i / MOST_ROWS) * SLOT),
        y: round(above + (i % MOST_ROWS) * SLOT),
        r: DOT,
      }
    })
  }
}
