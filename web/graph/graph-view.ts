import { HEADING, layoutRegions, type Region } from '../../src/record/domain/graph/layout-regions.ts'
import { createDotView, type DotPlan } from './dot-view.ts'
import type { Kit } from './kit.ts'
import type { Label } from './label-layer.ts'
import { nameAndCount } from './name-and-count.ts'
import type { Surface } from './surface.ts'
import type { Tip } from './tip.ts'
import type { View } from './view.ts'
import { cutName } from './wrap-lines.ts'

const MARGIN = 12
const NARROW = 640

/** All decisions at once, one region per group. */
export function createGraphView(kit: Kit, parts: { host: HTMLElement; root: HTMLElement; tip: Tip }): View {
  const links = [...kit.supersessions, ...kit.citations]

  function plan(width: number, height: number): DotPlan {
    const grouping = kit.grouping()
    const isNarrow = width < NARROW
    // A phone shows two regions side by side, and pans if they do not all fit vertically.
    const tall = isNarrow ? Math.max(height, Math.ceil(grouping.names.length / 2) * 124) : height
    const layout = layoutRegions(grouping, links, { width: width - 2 * MARGIN, height: tall - 2 * MARGIN })
    const { regions, points, bounds } = layout
    return {
      framing: { bounds, margin: { top: MARGIN, left: MARGIN, rest: MARGIN }, closest: 1, farthest: isNarrow ? 1 : 0 },
      points,
      grouping,
      bend: 0.22,
      cell: (place) => regions[grouping.of[place]!]?.cell,
      region: (place) => regions[grouping.of[place]!],
      back(surface, palette) {
        for (const region of regions) drawRegion(surface, region, palette.group(region.group))
      },
      headings: (surface, palette, taken) =>
        regions.flatMap((region) => {
          const label = headingOf(surface, region, grouping.names[region.group]!)
          if (label === undefined) return []
          taken.add(label.box)
          return [{ ...label, colour: palette.group(region.group) }]
        }),
    }
  }

  return createDotView(kit, {
    ...parts,
    name: `Map of ${kit.decisions.length} decisions. Arrow keys go from one to the next, Enter opens, plus and minus zoom. Browse lists them all.`,
    plan,
  })
}

function drawRegion({ canvas, view }: Surface, region: Region, colour: string): void {
  const [x, y] = [region.x * view.scale + view.x, region.y * view.scale + view.y]
  const [width, height] = [region.width * view.scale, region.height * view.scale]
  canvas.beginPath()
  canvas.roundRect(x, y, width, height, Math.min(10, width / 4, height / 4))
  canvas.fillStyle = canvas.strokeStyle = colour
  canvas.globalAlpha = 0.07
  canvas.fill()
  canvas.globalAlpha = 0.28
  canvas.lineWidth = 1
  canvas.stroke()
  canvas.globalAlpha = 1
}

/** The name of a region at its upper left, visible while any part of the region is. */
function headingOf({ view, measureText }: Surface, region: Region, name: string): Label | undefined {
  const [left, top] = [region.x * view.scale + view.x, region.y * view.scale + view.y]
  const [right, bottom] = [left + region.width * view.scale, top + region.height * view.scale]
  if (right < 40 || bottom < HEADING || left > view.width - 40 || top > view.height - HEADING) return undefined
  const x = Math.max(left, 0) + 8
  const y = Math.min(Math.max(top, 0) + 5, bottom - HEADING)
  const room = Math.min(right, view.width) - x - 8
  if (room < 24) return undefined
  const count = `  ${region.count}`
  // Headings are bolder than names, so wider.
  const measure = (text: string): number => measureText(text) * 1.13
  // If there is little space, the name matters more than the count.
  const isTight = room < 90 && measure(name + count) > room
  const text = isTight
    ? cutName(name, room, measure)
    : nameAndCount(cutName(name, room - measure(count), measure), region.count)
  const width = Math.min(room, measure(text) + 6)
  return {
    lines: [text],
    box: { left: x, right: x + width, top: y, bottom: y + 19 },
    look: top < 0 ? 'heading pill' : 'heading',
  }
}
