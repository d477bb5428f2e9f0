import { find, html, svg, placeAt } from './elements.ts'
import type { Kit } from './kit.ts'
import { type Labelled, createLabels } from './labels.ts'
import type { Surface } from './surface.ts'

export interface View {
  /** Shows what filters, search, selection and pointer now say. */
  update(): void
  /** The view has become visible. */
  show(): void
}

export interface Dotted {
  readonly points: readonly Labelled[]
  /** The lines that end at a decision. */
  readonly links: ReadonlyMap<number, readonly SVGElement[]>
}

/**
 * Draws decisions as dots, filled while active and hollow once superseded; the one under the pointer shows its
 * neighbours.
 */
export function createDots(kit: Kit, surface: Surface, { points, links }: Dotted): View {
  const dots = new Map<number, SVGElement>()
  const spots = new Map(points.map((point) => [point.place, point]))
  const labels = createLabels(kit, surface, points)
  const tip = find('#tip')
  let hovered: number | undefined
  let lit: readonly SVGElement[] = []

  for (const { place, x, y, r } of points) {
    dots.set(place, svg('circle', { class: 'dot ' + kit.look(place), cx: x, cy: y, r, 'data-place': place }))
  }
  surface.world.append(svg('g', { class: 'dots' }, ...dots.values()))

  function update(): void {
    const centre = hovered ?? kit.selected
    const near = centre === undefined ? undefined : neighbourhood(kit, centre)
    let isFiltered = false
    for (const [place, dot] of dots) {
      const isShown = kit.isShown(place)
      isFiltered ||= !isShown
      dot.classList.toggle('off', !isShown)
      dot.classList.toggle('near', near?.has(place) ?? false)
      dot.classList.toggle('chosen', place === kit.selected)
    }
    surface.root.classList.toggle('focused', near !== undefined)
    surface.root.classList.toggle('filtered', isFiltered)
    for (const link of lit) link.classList.toggle('near', false)
    lit = centre === undefined ? [] : (links.get(centre) ?? [])
    for (const link of lit) link.classList.toggle('near', true)
    labels.update(near)
  }

  surface.root.addEventListener('pointermove', (event) => {
    const now = placeAt(event)
    if (now !== undefined) showTip(kit, tip, { place: now, x: event.clientX, y: event.clientY })
    if (now === hovered) return
    hovered = now
    tip.hidden = now === undefined
    update()
  })
  surface.root.addEventListener('pointerleave', () => {
    hovered = undefined
    tip.hidden = true
    update()
  })
  return {
    update,
    show() {
      surface.measure()
      update()
      const spot = kit.selected === undefined ? undefined : spots.get(kit.selected)
      if (spot !== undefined) surface.reveal(spot.x, spot.y)
    },
  }
}

/** A decision and all it is linked with. */
function neighbourhood(kit: Kit, place: number): Set<number> {
  const { replaces, replacedBy, cites, citedBy } = kit.relations[place]!
  return new Set([place, ...replaces, ...replacedBy, ...cites, ...citedBy])
}

function showTip(kit: Kit, tip: HTMLElement, at: { place: number; x: number; y: number }): void {
  const { label, title, date, status } = kit.decisions[at.place]!
  tip.replaceChildren(html('b', {}, title), html('span', {}, `${label} · ${date} · ${status}`))
  tip.hidden = false
  const box = tip.getBoundingClientRect()
  const stage = find('main').getBoundingClientRect()
  const left = Math.min(at.x + 14, stage.left + stage.width - box.width - 8)
  const top = at.y + 18 + box.height > stage.top + stage.height ? at.y - box.height - 12 : at.y + 18
  tip.style.setProperty('transform', `translate(${left}px, ${top}px)`)
}
