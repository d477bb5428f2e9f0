import { layoutTimeline, type TimelineLayout } from '../../src/record/domain/graph/layout-timeline.ts'
import { timeTicks, type Tick } from '../../src/record/domain/graph/time-ticks.ts'
import { createDotView, type DotPlan } from './dot-view.ts'
import type { Kit } from './kit.ts'
import type { Label } from './label-layer.ts'
import { nameAndCount } from './name-and-count.ts'
import type { Occupied } from './occupied.ts'
import type { Palette } from './palette.ts'
import type { Surface } from './surface.ts'
import type { Tip } from './tip.ts'
import type { View } from './view.ts'
import { cutName } from './wrap-lines.ts'

const AXIS = 30
const WIDEST_COLUMN = 230
const NARROW = 640
/** Minimum distance of two readable dates, in pixels. */
const DATE_ROOM = 62

/** Decisions by date: one lane per group, years along the top, arcs from a superseded decision to its successor. */
export function createTimelineView(kit: Kit, parts: { host: HTMLElement; root: HTMLElement; tip: Tip }): View {
  const dates = kit.decisions.map(({ date }) => date)

  function plan(width: number, height: number): DotPlan {
    const grouping = kit.lanes()
    const column = width < NARROW ? 0 : Math.min(WIDEST_COLUMN, width * 0.2)
    const shape = (width - column) / (height - AXIS)
    const layout = layoutTimeline(dates, grouping, width < NARROW ? undefined : shape)
    return {
      framing: {
        bounds: layout.bounds,
        margin: { top: AXIS + 4, left: column, rest: 10 },
        closest: 1.9,
        // On a phone lanes would be hairlines, so they fill the height and the view is panned.
        farthest: width < NARROW ? Math.max(0.5, Math.min(1.2, (height - AXIS - 14) / layout.bounds.height)) : 0.3,
      },
      points: layout.points,
      grouping,
      bend: 0.35,
      cell: () => undefined,
      region: () => undefined,
      back: (surface, palette) => drawBack(surface, layout, ticksOf(surface, layout, column), palette),
      headings: (surface, palette, taken) => [
        ...laneNames(surface, layout, { names: grouping.names, column, palette, taken }),
        ...dateNames(ticksOf(surface, layout, column), surface, taken),
      ],
    }
  }

  return createDotView(kit, {
    ...parts,
    name: `Timeline of ${kit.decisions.length} decisions. Arrow keys go from one to the next, Enter opens, plus and minus zoom.`,
    plan,
  })
}

type ScreenTick = Tick & { readonly left: number }

function ticksOf({ view }: Surface, { scale }: TimelineLayout, column: number): ScreenTick[] {
  if (scale === undefined) return []
  const toWorld = (x: number): number => (x - view.x) / view.scale
  const window = { from: toWorld(column), to: toWorld(view.width), room: DATE_ROOM / view.scale }
  return timeTicks(scale, window).map((tick) => ({ ...tick, left: tick.x * view.scale + view.x }))
}

function drawBack(
  { canvas, view }: Surface,
  { lanes }: TimelineLayout,
  ticks: readonly ScreenTick[],
  palette: Palette,
): void {
  lanes.forEach(({ y, height, group }, i) => {
    canvas.globalAlpha = i % 2 === 0 ? 0.08 : 0.035
    canvas.fillStyle = palette.group(group)
    canvas.fillRect(0, y * view.scale + view.y, view.width, height * view.scale)
  })
  canvas.strokeStyle = palette.edge
  canvas.lineWidth = 1
  for (const { left, major } of ticks) {
    canvas.globalAlpha = major ? 0.6 : 0.25
    canvas.beginPath()
    canvas.moveTo(Math.round(left) + 0.5, AXIS)
    canvas.lineTo(Math.round(left) + 0.5, view.height)
    canvas.stroke()
  }
  canvas.globalAlpha = 1
}

interface Naming {
  readonly names: readonly string[]
  readonly column: number
  readonly palette: Palette
  readonly taken: Occupied
}

/** Lane names next to the lanes, or in their upper left corner on a narrow screen. */
function laneNames({ view, measureText }: Surface, { lanes }: TimelineLayout, naming: Naming): Label[] {
  const { names, column, palette, taken } = naming
  if (column > 0) taken.add({ left: 0, right: column, top: 0, bottom: view.height })
  const room = (column > 0 ? column : Math.min(220, view.width)) - 24
  const measure = (text: string): number => measureText(text) * 1.1
  let freeFrom = AXIS
  const labels: Label[] = []
  for (const { y, height, group, count } of lanes) {
    const [top, tall] = [y * view.scale + view.y, height * view.scale]
    const place =
      column > 0 ? Math.max(top + tall / 2 - 9, Math.min(AXIS + 2, top + tall - 18)) : Math.max(top + 1, AXIS)
    if (place < freeFrom || place > view.height - 18) continue
    freeFrom = place + 18
    const text = nameAndCount(cutName(names[group]!, room - measure(`  ${count}`), measure), count)
    const box = { left: 10, right: 10 + Math.min(room, measure(text)) + 6, top: place, bottom: place + 18 }
    if (column === 0) taken.add(box)
    labels.push({ lines: [text], box, look: column > 0 ? 'lane' : 'lane pill', colour: palette.group(group) })
  }
  return column > 0
    ? [{ lines: [''], look: 'column', box: { left: 0, right: column, top: 0, bottom: view.height } }, ...labels]
    : labels
}

function dateNames(ticks: readonly ScreenTick[], { view, measureText }: Surface, taken: Occupied): Label[] {
  taken.add({ left: 0, right: view.width, top: 0, bottom: AXIS })
  const axis: Label = { lines: [''], look: 'axis', box: { left: 0, right: view.width, top: 0, bottom: AXIS } }
  const names = ticks.flatMap(({ left, label, major }): Label[] => {
    const width = measureText(label) * 1.12 + 4
    return left + width > view.width
      ? []
      : [
          {
            lines: [label],
            look: major ? 'date major' : 'date',
            box: { left: left + 4, right: left + 4 + width, top: 6, bottom: 24 },
          },
        ]
  })
  return [axis, ...names]
}
