import type { Bounds } from '../../src/record/domain/graph/bounds.ts'
import type { Grouping } from '../../src/record/domain/graph/grouping.ts'
import type { Framing } from './camera.ts'
import { drawDots, type Dots } from './draw-dots.ts'
import { drawLinks } from './draw-links.ts'
import type { Kit } from './kit.ts'
import type { Label } from './label-layer.ts'
import { nameDots } from './name-dots.ts'
import { createOccupied, type Box, type Occupied } from './occupied.ts'
import { readPalette, type Palette } from './palette.ts'
import { createSurface, type Surface } from './surface.ts'
import type { Tip } from './tip.ts'
import type { View } from './view.ts'

/** Content of a dot view, laid out for a screen. */
export interface DotPlan {
  readonly framing: Framing
  readonly points: readonly { readonly x: number; readonly y: number; readonly r: number }[]
  readonly grouping: Grouping
  /** Curvature of the links. */
  readonly bend: number
  /** Space of a decision in the world; undefined if it has none. */
  cell(place: number): { readonly width: number; readonly height: number } | undefined
  /** Bounds for the name of a decision; undefined for the whole screen. */
  region(place: number): Bounds | undefined
  /** Draws the background behind the dots. */
  back(surface: Surface, palette: Palette): void
  /** Names of groups and dates; reserves their space. */
  headings(surface: Surface, palette: Palette, taken: Occupied): Label[]
}

export interface DotViewParts {
  readonly host: HTMLElement
  readonly root: HTMLElement
  readonly tip: Tip
  readonly name: string
  plan(width: number, height: number): DotPlan
}

/**
 * Delay before names are placed again after the drawing moved. `CARRIED` is the distance in pixels up to which they
 * move along until then.
 */
const NAMES_REST_MS = 90
const CARRIED = 240

/** Decisions as dots on a canvas, with names if there is room. */
export function createDotView(kit: Kit, parts: DotViewParts): View {
  const size = kit.decisions.length
  const dots: Dots = { x: new Float32Array(size), y: new Float32Array(size), r: new Float32Array(size) }
  let plan = parts.plan(1200, 700)
  let planned = ''
  let before = { width: 0, height: 0 }
  let palette: Palette | undefined
  let order: readonly number[] = []
  let named = { x: 0, y: 0, scale: 0 }
  let later: ReturnType<typeof setTimeout> | undefined

  const surface = createSurface(kit, {
    ...parts,
    framing: plan.framing,
    spot: (place) => ({
      x: plan.points[place]!.x * surface.view.scale + surface.view.x,
      y: plan.points[place]!.y * surface.view.scale + surface.view.y,
    }),
    hit: (x, y) => hitDot(kit, dots, x, y) ?? surface.names.at(x, y),
  })

  function replan(): void {
    const key = `${kit.by} ${surface.view.width} ${surface.view.height}`
    if (key === planned || surface.view.width === 0) return
    const isSame = planned.startsWith(kit.by + ' ')
    const { scale, x, y, width, height } = surface.view
    const middle = isSame
      ? nearest(plan.points, (before.width / 2 - x) / scale, (before.height / 2 - y) / scale)
      : undefined
    before = { width, height }
    planned = key
    plan = parts.plan(width, height)
    order = inTurns(kit, plan.grouping)
    // After a resize everything is laid out again; the focused decision stays in the middle.
    surface.frame(plan.framing, middle === undefined ? undefined : plan.points[middle])
  }

  function project(): void {
    const { scale, x, y } = surface.view
    // Dots grow more slowly than the drawing, so that zooming in makes room for names.
    const growth = scale > 1 ? scale ** 0.5 : scale
    for (const [place, point] of plan.points.entries()) {
      dots.x[place] = point.x * scale + x
      dots.y[place] = point.y * scale + y
      dots.r[place] = Math.max(1.4, point.r * growth)
    }
  }

  function draw(): void {
    replan()
    palette ??= readPalette(parts.root, plan.grouping)
    project()
    const { width, height } = surface.view
    const centre = kit.hovered ?? kit.selected
    const near = centre === undefined ? undefined : neighbourhood(kit, centre)
    surface.canvas.clearRect(0, 0, width, height)
    plan.back(surface, palette)
    drawLinks(surface, kit, dots, { palette, centre, bend: plan.bend, of: plan.grouping.of })
    drawDots(surface, kit, dots, { palette, of: plan.grouping.of, near })
    name(near)
  }

  /** Places the names. While the drawing is dragged they move along, and are placed again when it stops. */
  function name(near: ReadonlySet<number> | undefined): void {
    const { scale, x, y } = surface.view
    const taken = createOccupied()
    surface.headings.show(plan.headings(surface, palette!, taken))
    const moved = { x: x - named.x, y: y - named.y }
    const isCarried =
      scale === named.scale && (moved.x !== 0 || moved.y !== 0) && Math.hypot(moved.x, moved.y) < CARRIED
    clearTimeout(later)
    if (isCarried) {
      surface.names.shift(moved.x, moved.y)
      later = setTimeout(() => {
        named = { ...named, scale: 0 }
        surface.moved()
      }, NAMES_REST_MS)
      return
    }
    named = { x, y, scale }
    const cellAt = (place: number): { width: number; height: number } | undefined => {
      const cell = plan.cell(place)
      return cell && { width: cell.width * scale, height: cell.height * scale }
    }
    const { view, measureText } = surface
    surface.names.show(
      nameDots(kit, {
        dots,
        screen: view,
        order,
        near,
        of: plan.grouping.of,
        cell: cellAt,
        region: (place) => onScreen(plan.region(place), view),
        taken,
        measure: measureText,
      }),
    )
  }

  surface.onMove(draw)
  return {
    camera: surface,
    update() {
      palette = undefined
      surface.moved()
    },
    show() {
      palette = undefined
      surface.measure()
      replan()
      const spot = kit.selected === undefined ? undefined : plan.points[kit.selected]
      if (spot !== undefined) surface.reveal(spot.x, spot.y)
    },
    destroy() {
      clearTimeout(later)
      surface.destroy()
    },
  }
}

function onScreen(box: Bounds | undefined, { scale, x, y }: Surface['view']): Box | undefined {
  if (box === undefined) return undefined
  const [left, top] = [box.x * scale + x, box.y * scale + y]
  return { left, top, right: left + box.width * scale, bottom: top + box.height * scale }
}

function nearest(points: DotPlan['points'], x: number, y: number): number | undefined {
  let [best, least] = [undefined as number | undefined, Infinity]
  for (const [place, point] of points.entries()) {
    const distance = Math.hypot(point.x - x, point.y - y)
    if (distance < least) [best, least] = [place, distance]
  }
  return best
}

/** The decision nearest to a point, within reach of a click. */
function hitDot(kit: Kit, dots: Dots, x: number, y: number): number | undefined {
  let [best, least] = [undefined as number | undefined, 0]
  for (const place of kit.decisions.keys()) {
    if (!kit.isShown(place)) continue
    const gap = Math.hypot(dots.x[place]! - x, dots.y[place]! - y) - dots.r[place]! - 5
    if (gap < least) [best, least] = [place, gap]
  }
  return best
}

/** A decision and all its linked decisions. */
function neighbourhood(kit: Kit, place: number): Set<number> {
  const { replaces, replacedBy, cites, citedBy } = kit.relations[place]!
  return new Set([place, ...replaces, ...replacedBy, ...cites, ...citedBy])
}

/** The first dot of every group, then the second of every group, so that all parts of the drawing have names. */
function inTurns(kit: Kit, { of }: Grouping): number[] {
  const turns = new Map<number, number>()
  const counts = new Map<number, number>()
  for (const place of kit.ranked) {
    const turn = counts.get(of[place]!) ?? 0
    turns.set(place, turn)
    counts.set(of[place]!, turn + 1)
  }
  return kit.ranked.toSorted((a, b) => turns.get(a)! - turns.get(b)!)
}
