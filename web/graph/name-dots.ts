import type { Dots } from './draw-dots.ts'
import type { Kit } from './kit.ts'
import type { Label } from './label-layer.ts'
import { createOccupied, type Box, type Occupied } from './occupied.ts'
import { cut, wrapLines } from './wrap-lines.ts'

const LINE = 15
const MOST = 140
/** Trying thousands of names would take longer than a frame; this many fill any screen. */
const TRIED = 700
const WIDEST = 190
/** Up to this many decisions may have long names. */
const FEW = 50
const WIDEST_OF_FEW = 320
const NARROWEST_CELL = 88
const NARROWEST = 70
/**
 * If the dots are too close for any name to fit, this many names per group are drawn across the dots, for orientation.
 */
const ACROSS = 2

export interface Naming {
  readonly dots: Dots
  readonly screen: { readonly width: number; readonly height: number }
  /** Order in which decisions are named while there is room. */
  readonly order: readonly number[]
  /** Decisions that are named before all others: the focused one and its links. */
  readonly near: ReadonlySet<number> | undefined
  /** The group of every decision. */
  readonly of: readonly number[]
  /** Screen space reserved for a decision, with its dot in the upper part. */
  cell(place: number): { readonly width: number; readonly height: number } | undefined
  /** Bounds for its name; undefined for the whole screen. */
  region(place: number): Box | undefined
  /** Areas that names may not cover: headings, controls. */
  readonly taken: Occupied
  measure(text: string): number
}

/**
 * Names decisions if the name hides no other name: in lines below the dot if the decision has reserved space, otherwise
 * in one line next to it, the most important decisions first.
 */
export function nameDots(kit: Kit, naming: Naming): Label[] {
  const { dots, screen, near } = naming
  const isSeen = (place: number): boolean =>
    kit.isShown(place) &&
    dots.x[place]! > 0 &&
    dots.x[place]! < screen.width &&
    dots.y[place]! > 0 &&
    dots.y[place]! < screen.height
  const visible = naming.order.filter(isSeen)
  const others = createOccupied()
  for (const place of visible) others.add(dotBox(dots, place))
  const first = near === undefined ? [] : visible.filter((place) => near.has(place))
  const widest = visible.length < FEW ? WIDEST_OF_FEW : WIDEST
  const labels: Label[] = []
  const named = new Map<number, number>()
  for (const place of [...first, ...visible.filter((place) => near?.has(place) !== true)].slice(0, TRIED)) {
    if (labels.length >= MOST) break
    const isNear = near?.has(place) === true
    const spots = [...inCell(kit, place, naming), ...beside(kit, place, naming, widest)]
    const group = naming.of[place]!
    const count = named.get(group) ?? 0
    const region = naming.region(place)
    const open = spots.filter(({ box }) => isOpen(box, region, naming))
    const isDense = count < ACROSS && (naming.cell(place)?.height ?? Infinity) < 2 * dots.r[place]! + LINE + 3
    const spot = open.find(({ box }) => others.isFree(box)) ?? (isNear || isDense ? open[0] : undefined)
    if (spot === undefined) continue
    named.set(group, count + 1)
    naming.taken.add(spot.box)
    labels.push({ ...spot, place, look: lookOf(kit, place, near) })
  }
  return labels
}

const lookOf = (kit: Kit, place: number, near: ReadonlySet<number> | undefined): string =>
  [
    'name',
    ...(place === kit.selected ? ['chosen'] : []),
    ...(near !== undefined && !near.has(place) ? ['dim'] : []),
    ...(kit.decisions[place]!.status === 'superseded' ? ['past'] : []),
  ].join(' ')

const isOpen = (box: Box, region: Box | undefined, { taken, screen }: Naming): boolean =>
  box.left >= Math.max(2, (region?.left ?? 0) + 3) &&
  box.right <= Math.min(screen.width - 2, (region?.right ?? Infinity) - 3) &&
  box.top >= Math.max(0, region?.top ?? 0) &&
  box.bottom <= Math.min(screen.height, (region?.bottom ?? Infinity) - 1) &&
  taken.isFree(box)

function dotBox(dots: Dots, place: number): Box {
  const [x, y, r] = [dots.x[place]!, dots.y[place]!, dots.r[place]!]
  return { left: x - r, right: x + r, top: y - r, bottom: y + r }
}

type Spot = Pick<Label, 'lines' | 'box'>

/** In lines within the space reserved for the decision, so that names of neighbours cannot overlap. */
function inCell(kit: Kit, place: number, { dots, cell, measure }: Naming): Spot[] {
  const room = cell(place)
  if (room === undefined || room.width < NARROWEST_CELL) return []
  const { label, title } = kit.decisions[place]!
  const top = dots.y[place]! + dots.r[place]! + 3
  const width = Math.min(room.width - 10, 230)
  // Number of lines down to the dot below, or in the last row to the edge of the region.
  const most = Math.floor((room.height - 2 * dots.r[place]! - 8) / LINE)
  const least = Math.floor((room.height * 0.66 - dots.r[place]! - 6) / LINE)
  return [...new Set([Math.min(4, most), Math.min(4, least)])]
    .filter((lines) => lines > 0)
    .map((lines) => {
      const rows = wrapLines(title, width, lines, measure)
      const text = rows.length < lines && lines > 2 ? [label, ...rows] : rows
      const widest = Math.max(0, ...text.map(measure)) + 4
      const left = dots.x[place]! - widest / 2
      return { lines: text, box: { left, right: left + widest, top, bottom: top + text.length * LINE } }
    })
}

/** In one line: below, above, right or left of the dot. */
function beside(kit: Kit, place: number, { dots, measure, region }: Naming, widest: number): Spot[] {
  const [x, y, r] = [dots.x[place]!, dots.y[place]!, dots.r[place]!]
  const box = region(place)
  const room = box === undefined ? widest : Math.min(widest, box.right - box.left - 14)
  if (room < NARROWEST) return []
  const lines = [cut(kit.decisions[place]!.title.replace(/\s+/g, ' '), room, measure)]
  const width = measure(lines[0]!) + 4
  const boxAt = (left: number, top: number): Spot => ({
    lines,
    box: { left, right: left + width, top, bottom: top + LINE },
  })
  // Near the edge of its region a name moves inwards.
  const middle = Math.max((box?.left ?? 0) + 4, Math.min(x - width / 2, (box?.right ?? Infinity) - 4 - width))
  return [
    boxAt(middle, y + r + 2),
    boxAt(middle, y - r - 2 - LINE),
    boxAt(x + r + 4, y - LINE / 2),
    boxAt(x - r - 4 - width, y - LINE / 2),
  ]
}
