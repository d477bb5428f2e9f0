import type { Dots } from './draw-dots.ts'
import type { Kit } from './kit.ts'
import type { Palette } from './palette.ts'
import type { Link } from './relations.ts'
import type { Surface } from './surface.ts'

/** More mentions at once would be a tangle, so they are drawn only around the focused decision. */
const MOST_CITATIONS = 40
/**
 * More supersessions across groups hide the decisions they connect, so they are drawn only around the focused decision.
 */
const MOST_ACROSS = 80

interface Drawing {
  readonly palette: Palette
  /** The decision with highlighted links. */
  readonly centre: number | undefined
  readonly bend: number
  /** The group of every decision. */
  readonly of: readonly number[]
}

/** Supersessions as arrows to the newer decision, mentions as thin dashes. */
export function drawLinks({ canvas, view }: Surface, kit: Kit, dots: Dots, drawing: Drawing): void {
  const { palette, centre, of, bend } = drawing
  const isSeen = ([from, to]: Link): boolean =>
    kit.isShown(from) &&
    kit.isShown(to) &&
    Math.max(dots.x[from]!, dots.x[to]!) > 0 &&
    Math.min(dots.x[from]!, dots.x[to]!) < view.width &&
    Math.max(dots.y[from]!, dots.y[to]!) > 0 &&
    Math.min(dots.y[from]!, dots.y[to]!) < view.height
  const touches = ([from, to]: Link): boolean => from === centre || to === centre
  const isAcross = ([from, to]: Link): boolean => of[from] !== of[to]

  function stroke(links: readonly Link[], arrow: boolean): void {
    for (const link of links) {
      const isLit = touches(link)
      canvas.globalAlpha = isLit ? 1 : (isAcross(link) ? 0.3 : 0.85) * (centre === undefined ? 1 : 0.35)
      canvas.strokeStyle = canvas.fillStyle = isLit ? palette.ink : palette.edge
      curve(canvas, dots, [link[1], link[0]], { bend, arrow })
    }
  }

  const mentions = kit.citations.filter(isSeen)
  canvas.lineWidth = 1
  canvas.setLineDash([2.5, 3])
  stroke(mentions.length <= MOST_CITATIONS ? mentions : mentions.filter(touches), false)
  canvas.setLineDash([])
  const replaced = kit.supersessions.filter(isSeen)
  const isTangle = replaced.filter(isAcross).length > MOST_ACROSS
  canvas.lineWidth = replaced.length > 400 ? 0.8 : 1.3
  stroke(isTangle ? replaced.filter((link) => touches(link) || !isAcross(link)) : replaced, true)
  canvas.globalAlpha = 1
}

/** A curve between the rims of two dots, which passes above the dots between them. */
function curve(
  canvas: CanvasRenderingContext2D,
  dots: Dots,
  [a, b]: Link,
  { bend, arrow }: { readonly bend: number; readonly arrow: boolean },
): void {
  const [ax, ay, bx, by] = [dots.x[a]!, dots.y[a]!, dots.x[b]!, dots.y[b]!]
  const length = Math.hypot(bx - ax, by - ay) || 1
  // Always bends upwards or to the left, so that links in both directions look alike.
  const side = bx > ax || (bx === ax && by > ay) ? 1 : -1
  const rise = Math.min(length * bend, 90) * side
  const [mx, my] = [(ax + bx) / 2 + ((by - ay) / length) * rise, (ay + by) / 2 - ((bx - ax) / length) * rise]
  const start = towards(ax, ay, mx, my, dots.r[a]! + 1)
  const end = towards(bx, by, mx, my, dots.r[b]! + (arrow ? 2.5 : 1))
  canvas.beginPath()
  canvas.moveTo(start.x, start.y)
  canvas.quadraticCurveTo(mx, my, end.x, end.y)
  canvas.stroke()
  if (!arrow || length < 14) return
  const angle = Math.atan2(end.y - my, end.x - mx)
  const size = Math.min(6, 2.5 + dots.r[b]! * 0.5)
  canvas.beginPath()
  canvas.moveTo(end.x, end.y)
  for (const turn of [2.7, -2.7])
    canvas.lineTo(end.x + size * Math.cos(angle + turn), end.y + size * Math.sin(angle + turn))
  canvas.fill()
}

function towards(x: number, y: number, toX: number, toY: number, by: number): { x: number; y: number } {
  const length = Math.hypot(toX - x, toY - y) || 1
  return { x: x + ((toX - x) / length) * by, y: y + ((toY - y) / length) * by }
}
