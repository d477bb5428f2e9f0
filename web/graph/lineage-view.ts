import type { View } from './dots.ts'
import { html, svg } from './elements.ts'
import type { Kit } from './kit.ts'
import { createSurface } from './surface.ts'

/** What replaced what: every family of decisions as cards, oldest left. */
export function createLineageView(kit: Kit, host: HTMLElement): View {
  const { lineage, supersessions } = kit.data.layout
  const { width, height } = lineage.card
  const spots = new Map(lineage.cards.map((card) => [card.place, card]))
  const cards = new Map<number, SVGElement>()
  if (spots.size === 0) {
    if (kit.decisions.length > 0) host.append(html('p', { class: 'empty' }, 'No decision has replaced another yet.'))
    return { update() {}, show() {} }
  }
  const surface = createSurface(kit, host, {
    bounds: lineage.bounds,
    margin: { top: 0, left: 0 },
    closest: 1.15,
    farthest: 0.6,
  })

  for (const { place, x, y, lines } of lineage.cards) {
    const { label, date } = kit.decisions[place]!
    cards.set(
      place,
      svg(
        'g',
        { class: 'card ' + kit.look(place), transform: `translate(${x} ${y})`, 'data-place': place },
        svg('rect', { class: 'card-face', width, height, rx: 9 }),
        svg('circle', { class: 'dot ' + kit.look(place), cx: 17, cy: 19, r: 4.5 }),
        svg('text', { class: 'card-label', x: 29, y: 23 }, label),
        svg('text', { class: 'card-date', x: width - 13, y: 23 }, date),
        ...lines.map((line, i) => svg('text', { class: 'card-title', x: 13, y: 44 + i * 17 }, line)),
      ),
    )
  }
  const lines = supersessions.map(([from, to]) => {
    const [newer, older] = [spots.get(from)!, spots.get(to)!]
    const [x1, y1, x2, y2] = [older.x + width, older.y + height / 2, newer.x, newer.y + height / 2]
    const reach = Math.max(28, Math.abs(x2 - x1) / 2)
    return svg('path', {
      class: 'link replaces',
      d: `M${x1} ${y1}C${x1 + reach} ${y1} ${x2 - reach} ${y2} ${x2 - 4} ${y2}`,
    })
  })
  surface.world.append(...lines, ...cards.values())

  function update(): void {
    for (const [place, card] of cards) {
      card.classList.toggle('off', !kit.isShown(place))
      card.classList.toggle('chosen', place === kit.selected)
    }
  }

  return {
    update,
    show() {
      surface.measure()
      update()
      const spot = kit.selected === undefined ? undefined : spots.get(kit.selected)
      if (spot !== undefined) surface.reveal(spot.x + width / 2, spot.y + height / 2)
    },
  }
}
