import { boundsOf, round, type Bounds } from './bounds.ts'
import { wrapTitle } from './wrap-title.ts'

export interface LineageLayout {
  readonly bounds: Bounds
  readonly card: { readonly width: number; readonly height: number }
  readonly cards: readonly {
    readonly place: number
    readonly x: number
    readonly y: number
    readonly lines: readonly string[]
  }[]
}

type Link = readonly [from: number, to: number]

interface Spot {
  readonly place: number
  readonly x: number
  readonly y: number
}

const CARD = { width: 240, height: 74 }
const GAP = { x: 64, y: 18, family: 46 }
const TITLE_COLUMNS = 30
const NARROWEST_SHELF = 1100

/** Every family of decisions linked by supersession as columns, oldest left; families are on stacked shelves. */
export function layoutLineage(
  titles: readonly string[],
  families: readonly (readonly number[])[],
  supersessions: readonly Link[],
): LineageLayout {
  const familyOf = new Map(families.flatMap((family, i) => family.map((place) => [place, i])))
  const links = Map.groupBy(supersessions, ([from]) => familyOf.get(from))
  const spots = shelve(families.map((family, i) => arrange(family, links.get(i) ?? [])))
  return {
    bounds: boundsOf(
      spots.map(({ x, y }) => ({ x, y, ...CARD })),
      40,
    ),
    card: CARD,
    cards: spots.map(({ place, x, y }) => ({
      place,
      x: round(x),
      y: round(y),
      lines: wrapTitle(titles[place]!, TITLE_COLUMNS, 2),
    })),
  }
}

/** One family as a layered drawing; its top left corner is the origin. */
function arrange(family: readonly number[], links: readonly Link[]): Spot[] {
  const columns = untangle(toColumns(family, links), links)
  const tallest = Math.max(...columns.map((column) => column.length))
  return columns.flatMap((column, depth) =>
    column.map((place, row) => ({
      place,
      x: depth * (CARD.width + GAP.x),
      y: (row + (tallest - column.length) / 2) * (CARD.height + GAP.y),
    })),
  )
}

/** Places each decision to the right of everything it superseded. */
function toColumns(family: readonly number[], links: readonly Link[]): number[][] {
  const replaced = Map.groupBy(links, ([from]) => from)
  const placed = new Set<number>()
  const columns: number[][] = []
  let waiting = [...family]
  while (waiting.length > 0) {
    const ready = waiting.filter((place) => (replaced.get(place) ?? []).every(([, to]) => placed.has(to)))
    // Only a cycle leaves no decision ready: a damaged record is still drawn, starting at its oldest decision.
    const column = ready.length > 0 ? ready : [waiting[0]!]
    for (const place of column) placed.add(place)
    waiting = waiting.filter((place) => !placed.has(place))
    columns.push(column)
  }
  return pulledRight(columns, links)
}

/**
 * Moves a decision that superseded nothing next to its successor: lines that skip columns would run behind other cards.
 */
function pulledRight(columns: readonly (readonly number[])[], links: readonly Link[]): number[][] {
  const depths = new Map(columns.flatMap((column, depth) => column.map((place) => [place, depth])))
  const successors = Map.groupBy(links, ([, to]) => to)
  const pulled = columns.map((): number[] => [])
  columns.forEach((column, depth) => {
    for (const place of column) {
      const next = (successors.get(place) ?? []).map(([from]) => depths.get(from)! - 1)
      pulled[depth === 0 && next.length > 0 ? Math.max(0, Math.min(...next)) : depth]!.push(place)
    }
  })
  return pulled
}

/** Orders each column by the mean row of its neighbours, back and forth, so that few lines cross. */
function untangle(columns: readonly (readonly number[])[], links: readonly Link[]): number[][] {
  const ordered = columns.map((column) => [...column])
  const neighbours = Map.groupBy([...links, ...links.map(([from, to]): Link => [to, from])], ([from]) => from)
  for (let sweep = 0; sweep < 4; sweep++) {
    for (const column of sweep % 2 === 0 ? ordered : ordered.toReversed()) {
      const rows = new Map(ordered.flatMap((members) => members.map((place, row) => [place, row - members.length / 2])))
      const middle = new Map(
        column.map((place) => [place, mean(neighbours.get(place)!.map(([, other]) => rows.get(other)!))]),
      )
      column.sort((a, b) => middle.get(a)! - middle.get(b)! || a - b)
    }
  }
  return ordered
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** Places blocks side by side until a shelf is full, then below. */
function shelve(blocks: readonly (readonly Spot[])[]): Spot[] {
  const sizes = blocks.map((spots) => ({
    width: Math.max(...spots.map((spot) => spot.x)) + CARD.width + GAP.family,
    height: Math.max(...spots.map((spot) => spot.y)) + CARD.height + GAP.family,
  }))
  const area = sizes.reduce((sum, size) => sum + size.width * size.height, 0)
  const shelfWidth = Math.max(NARROWEST_SHELF, 1.5 * Math.sqrt(area), ...sizes.map((size) => size.width))
  let [x, y, shelfHeight] = [0, 0, 0]
  return blocks.flatMap((spots, i) => {
    const { width, height } = sizes[i]!
    if (x > 0 && x + width > shelfWidth) [x, y, shelfHeight] = [0, y + shelfHeight, 0]
    const moved = spots.map((spot) => ({ place: spot.place, x: spot.x + x, y: spot.y + y }))
    x += width
    shelfHeight = Math.max(shelfHeight, height)
    return moved
  })
}
