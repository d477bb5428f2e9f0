import { layoutLineage, type LineageLayout } from '../../src/record/domain/graph/layout-lineage.ts'
import { html } from './elements.ts'
import type { Kit } from './kit.ts'
import type { Label } from './label-layer.ts'
import { createOccupied } from './occupied.ts'
import { readPalette, type Palette } from './palette.ts'
import { createSurface, LABEL_FONT, type Surface } from './surface.ts'
import type { Tip } from './tip.ts'
import type { View } from './view.ts'
import { cut } from './wrap-lines.ts'

/** Below this scale the text on a card is unreadable; names are shown over the cards instead. */
const READABLE = 0.75

/** Supersessions: every family of decisions as cards, oldest left. */
export function createLineageView(kit: Kit, parts: { host: HTMLElement; root: HTMLElement; tip: Tip }): View {
  const families = kit.data.components.map((ids) => ids.map(kit.placeOf))
  const layout = layoutLineage(
    kit.decisions.map(({ title }) => title),
    families,
    kit.supersessions,
  )
  const spots = new Map(layout.cards.map((card) => [card.place, card]))
  if (spots.size === 0) {
    if (kit.decisions.length > 0) parts.host.append(html('p', { class: 'empty' }, 'No superseded decisions yet.'))
    return { camera: undefined, update() {}, show() {}, destroy() {} }
  }
  const { width, height } = layout.card
  const surface = createSurface(kit, {
    ...parts,
    name: `Lineage: ${spots.size} decisions in ${families.length} families. Arrow keys go from one to the next, Enter opens.`,
    framing: { bounds: layout.bounds, margin: { top: 0, left: 0, rest: 0 }, closest: 1.15, farthest: 0.9 },
    spot(place) {
      const card = spots.get(place)
      const { scale, x, y } = surface.view
      return card && { x: (card.x + width / 2) * scale + x, y: (card.y + height / 2) * scale + y }
    },
    hit(x, y) {
      const { view } = surface
      const [left, top] = [(x - view.x) / view.scale, (y - view.y) / view.scale]
      const isAt = (card: { x: number; y: number }): boolean =>
        left >= card.x && left <= card.x + width && top >= card.y && top <= card.y + height
      return layout.cards.find(isAt)?.place
    },
  })

  function draw(): void {
    const palette = readPalette(parts.root, kit.grouping())
    const { canvas, view } = surface
    canvas.clearRect(0, 0, view.width, view.height)
    canvas.save()
    canvas.translate(view.x, view.y)
    canvas.scale(view.scale, view.scale)
    drawLines(surface, layout, kit, palette)
    for (const card of layout.cards)
      if (isSeen(surface, card, layout)) drawCard(surface, kit, card, { layout, palette })
    canvas.restore()
    surface.names.show(view.scale < READABLE * 0.99 ? familyNames(surface, kit, families, spots) : [])
  }

  surface.onMove(draw)
  return {
    camera: surface,
    update: surface.moved,
    show() {
      surface.measure()
      const spot = kit.selected === undefined ? undefined : spots.get(kit.selected)
      if (spot !== undefined) surface.reveal(spot.x + width / 2, spot.y + height / 2)
    },
    destroy: surface.destroy,
  }
}

type Card = LineageLayout['cards'][number]

function isSeen({ view }: Surface, { x, y }: Card, { card }: LineageLayout): boolean {
  const [left, top] = [x * view.scale + view.x, y * view.scale + view.y]
  return (
    left < view.width && top < view.height && left + card.width * view.scale > 0 && top + card.height * view.scale > 0
  )
}

function drawLines({ canvas }: Surface, layout: LineageLayout, kit: Kit, palette: Palette): void {
  const spots = new Map(layout.cards.map((card) => [card.place, card]))
  const { width, height } = layout.card
  canvas.lineWidth = 1.4
  for (const [from, to] of kit.supersessions) {
    const [newer, older] = [spots.get(from)!, spots.get(to)!]
    const isLit = from === kit.hovered || to === kit.hovered || from === kit.selected || to === kit.selected
    const [x1, y1, x2, y2] = [older.x + width, older.y + height / 2, newer.x, newer.y + height / 2]
    const reach = Math.max(28, Math.abs(x2 - x1) / 2)
    canvas.strokeStyle = isLit ? palette.ink : palette.edge
    canvas.beginPath()
    canvas.moveTo(x1, y1)
    canvas.bezierCurveTo(x1 + reach, y1, x2 - reach, y2, x2 - 4, y2)
    canvas.stroke()
  }
}

function drawCard(
  { canvas, view }: Surface,
  kit: Kit,
  { place, x, y, lines }: Card,
  { layout, palette }: { readonly layout: LineageLayout; readonly palette: Palette },
): void {
  const { width, height } = layout.card
  const { label, date, status } = kit.decisions[place]!
  const isPast = status === 'superseded'
  const colour = palette.group(kit.grouping().of[place]!)
  canvas.globalAlpha = kit.isShown(place) ? 1 : 0.15
  canvas.beginPath()
  canvas.roundRect(x, y, width, height, 8)
  canvas.fillStyle = isPast ? palette.paper : palette.raised
  canvas.fill()
  canvas.setLineDash(isPast ? [4, 3] : [])
  const isChosen = place === kit.selected || place === kit.hovered
  canvas.strokeStyle = place === kit.selected ? palette.accent : isChosen ? palette.ink : palette.edge
  canvas.lineWidth = isChosen ? 2 : 1
  canvas.stroke()
  canvas.setLineDash([])
  canvas.beginPath()
  canvas.arc(x + 17, y + 19, 4.5, 0, 2 * Math.PI)
  canvas.fillStyle = canvas.strokeStyle = colour
  canvas.lineWidth = 1.6
  if (isPast) canvas.stroke()
  else canvas.fill()
  if (view.scale >= READABLE * 0.99) {
    canvas.font = LABEL_FONT
    canvas.fillStyle = palette.soft
    canvas.fillText(label, x + 29, y + 23)
    canvas.textAlign = 'right'
    canvas.fillStyle = palette.faint
    canvas.fillText(date, x + width - 13, y + 23)
    canvas.textAlign = 'left'
    canvas.font = LABEL_FONT.replace('12px', '13px')
    canvas.fillStyle = isPast ? palette.soft : palette.ink
    lines.forEach((line, i) => canvas.fillText(line, x + 13, y + 44 + i * 17, width - 24))
  }
  canvas.globalAlpha = 1
}

/** Names for a zoomed-out view: one per family, that of its newest active decision, or else of its last. */
function familyNames(
  { view, measureText }: Surface,
  kit: Kit,
  families: readonly (readonly number[])[],
  spots: ReadonlyMap<number, Card>,
): Label[] {
  const taken = createOccupied()
  return families.flatMap((family): Label[] => {
    const newest = family.findLast((place) => kit.decisions[place]!.status === 'active') ?? family.at(-1)!
    const card = spots.get(newest)!
    const lines = [cut(kit.decisions[newest]!.title, 200, measureText)]
    const [left, top] = [card.x * view.scale + view.x, card.y * view.scale + view.y - 17]
    const box = { left, right: left + measureText(lines[0]!) + 4, top, bottom: top + 15 }
    if (top < 0 || left < 0 || box.right > view.width || top > view.height || !taken.isFree(box)) return []
    taken.add(box)
    return [{ lines, box, look: 'name left', place: newest }]
  })
}
