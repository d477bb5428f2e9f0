import { CONFIDENCES } from '../../src/record/domain/decision/decision.ts'
import type { Kit } from './kit.ts'
import type { Palette } from './palette.ts'
import type { Surface } from './surface.ts'

/** Screen positions of the dots, by place. */
export interface Dots {
  readonly x: Float32Array
  readonly y: Float32Array
  readonly r: Float32Array
}

/** Opacity by confidence: high, medium, low. */
const FILL = [1, 0.7, 0.4]
const HOLLOW = 3
/** Opacity of dots that are filtered out, faded or visible. */
const PRESENCE = [0.1, 0.3, 1]

/**
 * Draws active decisions filled and superseded ones hollow; paler with lower confidence. Dots with the same look are
 * one path, so that thousands take a few milliseconds.
 */
export function drawDots(
  { canvas, view: { width, height } }: Surface,
  kit: Kit,
  dots: Dots,
  look: { readonly palette: Palette; readonly of: readonly number[]; readonly near: ReadonlySet<number> | undefined },
): void {
  const paths = new Map<number, number[]>()
  for (const [place, { status, confidence }] of kit.decisions.entries()) {
    const [x, y, r] = [dots.x[place]!, dots.y[place]!, dots.r[place]!]
    if (x + r < 0 || y + r < 0 || x - r > width || y - r > height) continue
    const presence = !kit.isShown(place) ? 0 : look.near === undefined || look.near.has(place) ? 2 : 1
    const filling = status === 'active' ? CONFIDENCES.indexOf(confidence) : HOLLOW
    const key = (look.of[place]! * 4 + filling) * 3 + presence
    const path = paths.get(key)
    if (path === undefined) paths.set(key, [place])
    else path.push(place)
  }
  for (const [key, places] of paths) {
    const presence = PRESENCE[key % 3]!
    const filling = Math.floor(key / 3) % 4
    const colour = look.palette.group(Math.floor(key / 12))
    canvas.beginPath()
    for (const place of places) {
      canvas.moveTo(dots.x[place]! + dots.r[place]!, dots.y[place]!)
      canvas.arc(dots.x[place]!, dots.y[place]!, dots.r[place]!, 0, 2 * Math.PI)
    }
    canvas.globalAlpha = presence
    // Keeps links and region tints from showing through; opaque dots do not need it.
    if (filling > 0) {
      canvas.fillStyle = look.palette.paper
      canvas.fill()
    }
    if (filling === HOLLOW) {
      canvas.strokeStyle = colour
      canvas.lineWidth = Math.min(1.6, dots.r[places[0]!]! * 0.5)
      canvas.stroke()
    } else {
      canvas.globalAlpha = presence * FILL[filling]!
      canvas.fillStyle = colour
      canvas.fill()
    }
  }
  canvas.globalAlpha = 1
  if (kit.hovered !== undefined) ring(canvas, dots, kit.hovered, look.palette.ink)
  if (kit.selected !== undefined) ring(canvas, dots, kit.selected, look.palette.accent)
}

function ring(canvas: CanvasRenderingContext2D, dots: Dots, place: number, colour: string): void {
  canvas.beginPath()
  canvas.arc(dots.x[place]!, dots.y[place]!, dots.r[place]! + 3.5, 0, 2 * Math.PI)
  canvas.strokeStyle = colour
  canvas.lineWidth = 2
  canvas.stroke()
}
