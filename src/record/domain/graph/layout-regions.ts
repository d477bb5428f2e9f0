import { round, type Bounds } from './bounds.ts'
import type { Grouping } from './grouping.ts'

export interface Region extends Bounds {
  /** Index in the names of the grouping. */
  readonly group: number
  readonly count: number
  /** Size of the space for each decision. */
  readonly cell: { readonly width: number; readonly height: number }
}

export interface RegionLayout {
  readonly bounds: Bounds
  readonly regions: readonly Region[]
  readonly points: readonly { readonly x: number; readonly y: number; readonly r: number }[]
}

type Link = readonly [from: number, to: number]

/** Height of a heading, in pixels of the target screen. */
export const HEADING = 28
const GAP = 10
const PADDING = 10
/** Width to height of a cell; wide, because the name is below its dot. */
const CELL_SHAPE = 1.7
/** Keeps cells from growing huge if there are few decisions. */
const LARGEST_CELL = { width: 200, height: 118 }
/** Smallest area of a region, with room for its heading. */
const SMALLEST = 6400
const NARROWEST = 150

/**
 * Fills a screen with one region per group, in reading order, sized by its number of decisions; the decisions of a
 * region are in rows, linked ones next to each other. In pixels, so that headings have room.
 */
export function layoutRegions(
  grouping: Grouping,
  links: readonly Link[],
  screen: { readonly width: number; readonly height: number },
): RegionLayout {
  const degrees = countLinks(grouping.of.length, links)
  const members = membersOf(grouping, links)
  const weights = members.map(({ length }) =>
    Math.max(SMALLEST, length * LARGEST_CELL.width * LARGEST_CELL.height * 1.25),
  )
  const wanted = weights.reduce((sum, weight) => sum + weight, 0)
  const shrink = Math.min(1, Math.sqrt(wanted / (screen.width * screen.height)))
  const frame = { width: screen.width * shrink, height: screen.height * shrink }
  const floor = (SMALLEST / (frame.width * frame.height)) * members.length < 0.5 ? SMALLEST : 0
  const shares = members.map(({ length }) =>
    Math.max(floor, ((frame.width * frame.height) / grouping.of.length) * length),
  )
  const points: { x: number; y: number; r: number }[] = []
  const regions = inStrips(shares, frame).map((box, group): Region => {
    const inner = { ...box, width: box.width - GAP, height: box.height - GAP }
    const cell = fillRegion(points, { box: inner, places: members[group]!, degrees })
    return { group, count: members[group]!.length, cell, ...rounded(inner) }
  })
  return {
    bounds: {
      x: 0,
      y: 0,
      width: round(Math.max(1, frame.width - GAP)),
      height: round(Math.max(1, frame.height - GAP)),
    },
    regions,
    points,
  }
}

function countLinks(size: number, links: readonly Link[]): number[] {
  const degrees = Array.from({ length: size }, () => 0)
  for (const link of links) for (const place of link) degrees[place]!++
  return degrees
}

/** The decisions of every group: those that are linked follow one another, otherwise in order. */
function membersOf({ names, of }: Grouping, links: readonly Link[]): number[][] {
  const neighbours = new Map<number, number[]>()
  for (const [a, b] of links) {
    if (of[a] !== of[b]) continue
    neighbours.set(a, [...(neighbours.get(a) ?? []), b])
    neighbours.set(b, [...(neighbours.get(b) ?? []), a])
  }
  const members = names.map((): number[] => [])
  const seen = new Set<number>()
  for (const start of of.keys()) {
    const stack = [start]
    while (stack.length > 0) {
      const place = stack.pop()!
      if (seen.has(place)) continue
      seen.add(place)
      members[of[place]!]!.push(place)
      stack.push(...(neighbours.get(place) ?? []).toReversed())
    }
  }
  return members
}

/**
 * Rows of boxes that fill the frame, in order; of all ways to split them into rows, the one with the best-shaped boxes.
 */
function inStrips(shares: readonly number[], frame: { width: number; height: number }): Bounds[] {
  const total = shares.reduce((sum, share) => sum + share, 0)
  const areas = shares.map((share) => (share / total) * frame.width * frame.height)
  // best[i]: the least cost of the first i boxes, and where their last row begins.
  const best: { cost: number; from: number }[] = [{ cost: 0, from: 0 }]
  for (let to = 1; to <= areas.length; to++) {
    let least = { cost: Infinity, from: to - 1 }
    for (let from = 0; from < to; from++) {
      const cost = best[from]!.cost + misshape(areas.slice(from, to), frame.width)
      if (cost < least.cost) least = { cost, from }
    }
    best.push(least)
  }
  const rows: number[][] = []
  for (let to = areas.length; to > 0; to = best[to]!.from) rows.unshift(areas.slice(best[to]!.from, to))
  let y = 0
  return rows.flatMap((row) => {
    const height = row.reduce((sum, area) => sum + area, 0) / frame.width
    const top = y
    let x = 0
    y += height
    return row.map((area): Bounds => {
      const width = area / height
      x += width
      return { x: x - width, y: top, width, height }
    })
  })
}

/** How far the boxes of a row, without their headings, are from the ideal shape for their cells. */
function misshape(row: readonly number[], width: number): number {
  const height = row.reduce((sum, area) => sum + area, 0) / width
  const inner = Math.max(1, height - HEADING - GAP)
  return row.reduce((sum, area) => {
    const ratio = area / height / (inner * CELL_SHAPE)
    const narrow = Math.max(1, (NARROWEST * height) / area)
    return sum + Math.max(ratio, 1 / ratio) ** 2 * narrow ** 2
  }, 0)
}

interface Filling {
  readonly box: Bounds
  readonly places: readonly number[]
  readonly degrees: readonly number[]
}

/** Sets the points of one region, row by row below its heading; returns the cell size. */
function fillRegion(
  points: { x: number; y: number; r: number }[],
  { box, places, degrees }: Filling,
): { width: number; height: number } {
  const width = Math.max(1, box.width - 2 * PADDING)
  const height = Math.max(1, box.height - HEADING - PADDING)
  const columns = bestColumns(places.length, width, height)
  const rows = Math.max(1, Math.ceil(places.length / columns))
  const cell = { width: width / columns, height: height / rows }
  const least = Math.min(cell.width, cell.height)
  const radius = Math.min(6, Math.max(1.5, least * 0.17))
  places.forEach((place, i) => {
    points[place] = {
      x: round(box.x + PADDING + (columnOf(i, columns) + 0.5) * cell.width),
      // Names are below their dots, so a dot is in the upper part of its cell.
      y: round(box.y + HEADING + (Math.floor(i / columns) + 0.34) * cell.height),
      r: round(Math.min(radius * (1 + 0.22 * Math.sqrt(degrees[place]!)), radius * 2, least * 0.42)),
    }
  })
  return { width: round(cell.width), height: round(cell.height) }
}

/** Every other row runs backwards, so that the next decision after the end of a row is below it. */
const columnOf = (i: number, columns: number): number =>
  Math.floor(i / columns) % 2 === 0 ? i % columns : columns - 1 - (i % columns)

function bestColumns(count: number, width: number, height: number): number {
  let [best, least] = [1, Infinity]
  const ideal = Math.sqrt((count * width) / height / CELL_SHAPE)
  for (const columns of [Math.floor(ideal), Math.ceil(ideal)]) {
    if (columns < 1 || columns > Math.max(1, count)) continue
    const ratio = width / columns / (height / Math.ceil(count / columns)) / CELL_SHAPE
    const misfit = Math.max(ratio, 1 / ratio)
    if (misfit < least) [best, least] = [columns, misfit]
  }
  return best
}

const rounded = ({ x, y, width, height }: Bounds): Bounds => ({
  x: round(x),
  y: round(y),
  width: round(Math.max(1, width)),
  height: round(Math.max(1, height)),
})
