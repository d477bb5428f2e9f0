import { type View, createDots } from './dots.ts'
import { svg } from './elements.ts'
import type { Kit } from './kit.ts'
import { createSurface } from './surface.ts'

/** When it was decided: one lane per type. Lane names and dates keep to the edges while the drawing moves. */
export function createTimelineView(kit: Kit, host: HTMLElement): View {
  const { bounds, points, lanes, ticks } = kit.data.layout.timeline
  const surface = createSurface(kit, host, {
    bounds,
    margin: { top: 44, left: 128 },
    closest: 1.9,
    farthest: 0,
  })
  const edges = svg('g', { class: 'edges' })
  surface.world.append(
    ...lanes.map(({ y, height, type }, i) =>
      svg('rect', { class: `lane t-${type}${i % 2 === 0 ? ' even' : ''}`, x: -50_000, y, width: 100_000, height }),
    ),
    ...ticks.map(({ x, major }) =>
      svg('line', { class: major ? 'tick major' : 'tick', x1: x, x2: x, y1: 0, y2: bounds.height }),
    ),
  )
  const dots = createDots(kit, surface, {
    points: points.map((point, place) => ({ place, ...point })),
    links: new Map(),
  })
  surface.overlay.append(edges)

  function drawEdges(): void {
    const { scale, x, y, width } = surface.view
    const top = Math.max(26, y - 10)
    let freeFrom = 0
    const dates = ticks.flatMap((tick) => {
      const left = tick.x * scale + x
      if (left < 120 || left < freeFrom || left > width) return []
      freeFrom = left + tick.label.length * 7 + 18
      return [
        svg('text', { class: tick.major ? 'tick-name major' : 'tick-name', x: left.toFixed(1), y: top }, tick.label),
      ]
    })
    const names = lanes.map((lane) => {
      const middle = (lane.y + lane.height / 2) * scale + y
      return svg(
        'text',
        { class: 'lane-name t-' + lane.type, x: 20, y: (middle + 4).toFixed(1) },
        kit.wordOf(lane.type),
      )
    })
    edges.replaceChildren(svg('rect', { class: 'edge', x: 0, y: 0, width: 112, height: '100%' }), ...names, ...dates)
  }

  surface.onMove(drawEdges)
  return dots
}
