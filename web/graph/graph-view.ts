import { type View, createDots } from './dots.ts'
import { html, svg } from './elements.ts'
import type { Kit } from './kit.ts'
import { createSurface } from './surface.ts'

/** All decisions at once: clusters of linked ones, and one disc per type for those without links. */
export function createGraphView(kit: Kit, host: HTMLElement): View {
  const { clusters, supersessions, citations } = kit.data.layout
  const surface = createSurface(kit, host, {
    bounds: clusters.bounds,
    margin: { top: 0, left: 0 },
    closest: 2.2,
    farthest: 0,
  })
  const links = new Map<number, SVGElement[]>()

  function link(kind: string, from: number, to: number): SVGElement {
    const line = svg('path', {
      class: 'link ' + kind,
      d: linkPath(clusters.points[to]!, clusters.points[from]!, kind === 'cites' ? 0.12 : 0),
    })
    for (const place of [from, to]) links.set(place, [...(links.get(place) ?? []), line])
    return line
  }

  surface.world.append(
    svg(
      'defs',
      {},
      svg(
        'marker',
        { id: 'arrow', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 5, markerHeight: 5, orient: 'auto' },
        svg('path', { d: 'M0 .8 7 4 0 7.2z' }),
      ),
    ),
    ...clusters.fields.flatMap(({ x, y, r, type }) => [
      svg('circle', { class: 'field', cx: x, cy: y, r }),
      svg('text', { class: 'field-name', x, y: y + r + 4 }, kit.wordOf(type)),
    ]),
    ...citations.map(([from, to]) => link('cites', from, to)),
    ...supersessions.map(([from, to]) => link('replaces', from, to)),
  )
  host.append(
    html(
      'p',
      { class: 'legend' },
      html('i', { class: 'line' }),
      'replaced by',
      html('i', { class: 'line dashed' }),
      'cites',
    ),
  )
  return createDots(kit, surface, {
    points: clusters.points.map((point, place) => ({ place, ...point })),
    links,
  })
}

/** A line between two discs, from rim to rim, bent to one side by a part of its length. */
function linkPath(
  from: { x: number; y: number; r: number },
  to: { x: number; y: number; r: number },
  bend: number,
): string {
  const dx = to.x - from.x
  const dy = to.y - from.y
  const length = Math.hypot(dx, dy) || 1
  const [ux, uy] = [dx / length, dy / length]
  const points = [
    [from.x + ux * (from.r + 1), from.y + uy * (from.r + 1)],
    [(from.x + to.x) / 2 - dy * bend, (from.y + to.y) / 2 + dx * bend],
    [to.x - ux * (to.r + 3), to.y - uy * (to.r + 3)],
  ]
  const [start, middle, end] = points.map((point) => point.map((value) => value.toFixed(1)).join(' '))
  return bend === 0 ? `M${start}L${end}` : `M${start}Q${middle} ${end}`
}
