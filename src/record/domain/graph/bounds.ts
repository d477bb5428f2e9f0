/** Bounding rectangle of everything drawn. */
export interface Bounds {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export function boundsOf(boxes: readonly Bounds[], margin: number): Bounds {
  if (boxes.length === 0) return { x: 0, y: 0, width: 1, height: 1 }
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const box of boxes) {
    left = Math.min(left, box.x)
    top = Math.min(top, box.y)
    right = Math.max(right, box.x + box.width)
    bottom = Math.max(bottom, box.y + box.height)
  }
  return {
    x: round(left - margin),
    y: round(top - margin),
    width: round(right - left + 2 * margin),
    height: round(bottom - top + 2 * margin),
  }
}

/** Rounds to a tenth of a pixel, which is precise enough for drawing and halves the size of the page. */
export const round = (value: number): number => Math.round(value * 10) / 10
