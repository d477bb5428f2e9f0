import { svg } from './elements.ts'
import type { Kit } from './kit.ts'
import type { Surface } from './surface.ts'

export interface Labelled {
  readonly place: number
  readonly x: number
  readonly y: number
  readonly r: number
}

interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/**
 * Names decisions beside their dots wherever that hides no other dot or name, the most linked ones first; closer zoom
 * makes room for more. With `only`, names just those.
 */
export function createLabels(
  kit: Kit,
  surface: Surface,
  points: readonly Labelled[],
): { update(only?: ReadonlySet<number>): void } {
  const MOST = 60
  // Where dots lie too close for any name to stand free, these many hubs are named across them, for orientation.
  const HUBS = 14
  const layer = svg('g', { class: 'labels' })
  const pool: SVGElement[] = []
  const ranked = byImportance(kit, points)
  let chosen: ReadonlySet<number> | undefined
  surface.overlay.append(layer)

  const onScreen = ({ x, y, r }: Labelled) => ({
    x: x * surface.view.scale + surface.view.x,
    y: y * surface.view.scale + surface.view.y,
    r: r * surface.view.scale,
  })

  function draw(): void {
    const { width, height } = surface.view
    const edge = surface.freeWidth()
    const shown = ranked
      .filter(({ place }) => chosen?.has(place) ?? kit.isShown(place))
      .map((point) => ({ place: point.place, ...onScreen(point) }))
    const visible = shown.filter(({ x, y }) => x > 0 && x < width && y > 0 && y < height)
    const dots: Box[] = visible.map(({ x, y, r }) => ({ left: x - r, right: x + r, top: y - r, bottom: y + r }))
    const names: Box[] = []
    const meets = (box: Box, others: readonly Box[]) =>
      others.some(
        (other) => box.left < other.right && box.right > other.left && box.top < other.bottom && box.bottom > other.top,
      )
    const isFree = (box: Box) =>
      box.left > surface.framing.margin.left &&
      box.right < edge &&
      !meets(box, names) &&
      (!meets(box, dots) || (isCrowded && names.length < HUBS))
    const isCrowded = visible.length > 200
    // Trying every one of thousands would cost more than a frame has; the first few hundred fill the screen.
    for (const { place, x, y, r } of visible.slice(0, 300)) {
      if (names.length >= MOST) break
      // Of the few that are chosen each gets at least its number.
      const words = [shortName(kit, place), ...(chosen === undefined ? [] : [kit.decisions[place]!.label])]
      const spots = words.flatMap((word) => labelSpots(word, { x, y, r }))
      const spot = spots.find(({ box }) => isFree(box))
      if (spot === undefined) continue
      const text = (pool[names.length] ??= svg('text', {}))
      names.push(spot.box)
      text.textContent = spot.word
      text.setAttribute('text-anchor', spot.anchor)
      text.setAttribute('x', spot.x.toFixed(1))
      text.setAttribute('y', (y + 4).toFixed(1))
    }
    layer.replaceChildren(...pool.slice(0, names.length))
  }

  surface.onMove(draw)
  return {
    update(only) {
      chosen = only
      draw()
    },
  }
}

/** Where a word may stand beside a dot: right of it, else left of it. */
function labelSpots(
  word: string,
  { x, y, r }: { x: number; y: number; r: number },
): { word: string; anchor: string; x: number; box: Box }[] {
  const [left, right, width] = [x - r - 5, x + r + 5, word.length * 6.4]
  return [
    { word, anchor: 'start', x: right, box: { left: right - 1, right: right + width, top: y - 8, bottom: y + 8 } },
    { word, anchor: 'end', x: left, box: { left: left - width, right: left + 1, top: y - 8, bottom: y + 8 } },
  ]
}

/** The most linked first, of equals the newest. */
function byImportance(kit: Kit, points: readonly Labelled[]): Labelled[] {
  const weights = kit.relations.map(
    (r, place) =>
      r.replaces.length +
      r.replacedBy.length +
      r.cites.length +
      r.citedBy.length +
      (kit.decisions[place]!.status === 'active' ? 0.5 : 0),
  )
  return [...points].sort((a, b) => weights[b.place]! - weights[a.place]! || b.place - a.place)
}

function shortName(kit: Kit, place: number): string {
  const { label, title } = kit.decisions[place]!
  const characters = [...title]
  return label + '  ' + (characters.length > 34 ? characters.slice(0, 33).join('').trimEnd() + '…' : title)
}
