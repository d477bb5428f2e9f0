import type { Bounds } from '../../src/core/graph/bounds.ts'
import type { Kit } from './kit.ts'

/** What of the world is where on the screen: `screen = world * scale + offset`. */
export interface Camera {
  readonly framing: Framing
  readonly view: { scale: number; x: number; y: number; width: number; height: number }
  /** Shows everything. */
  fit(): void
  pan(dx: number, dy: number): void
  /** Zooms about a point of the screen, which stays where it is. */
  zoom(factor: number, x: number, y: number): void
  /** How much of the width the detail panel leaves. */
  freeWidth(): number
  /** Brings a point of the world into the free part of the screen. */
  reveal(x: number, y: number): void
  /** The first call decides what is seen at the start; later ones keep the view. */
  resize(width: number, height: number): void
  /** At most once per frame. */
  onMove(listener: () => void): void
}

export interface Framing {
  readonly bounds: Bounds
  /** Room that the overlay needs. */
  readonly margin: { readonly top: number; readonly left: number }
  /** The largest scale that fitting may choose: five decisions should not become giants. */
  readonly closest: number
  /** The smallest scale to start with: what does not fit then starts at its top left corner. */
  readonly farthest: number
}

export function createCamera(kit: Kit, framing: Framing): Camera {
  const { bounds, margin, closest, farthest } = framing
  const view = { scale: 0, x: 0, y: 0, width: 0, height: 0 }
  const listeners: (() => void)[] = []
  let isQueued = false

  function moved(): void {
    if (isQueued) return
    isQueued = true
    window.requestAnimationFrame(() => {
      isQueued = false
      for (const listener of listeners) listener()
    })
  }

  function fit(): void {
    const width = view.width - margin.left
    const height = view.height - margin.top
    view.scale = Math.max(0.02, Math.min(width / bounds.width, height / bounds.height, closest))
    view.x = margin.left + width / 2 - (bounds.x + bounds.width / 2) * view.scale
    view.y = margin.top + height / 2 - (bounds.y + bounds.height / 2) * view.scale
    moved()
  }

  function begin(): void {
    fit()
    if (view.scale >= farthest) return
    view.scale = farthest
    view.x = margin.left - bounds.x * farthest
    view.y = margin.top - bounds.y * farthest
  }

  function pan(dx: number, dy: number): void {
    view.x += dx
    view.y += dy
    moved()
  }

  function freeWidth(): number {
    return kit.selected !== undefined && view.width > 900 ? view.width - 440 : view.width
  }

  return {
    framing,
    view,
    fit,
    pan,
    zoom(factor, x, y) {
      const scale = Math.min(6, Math.max(0.02, view.scale * factor))
      view.x = x - ((x - view.x) * scale) / view.scale
      view.y = y - ((y - view.y) * scale) / view.scale
      view.scale = scale
      moved()
    },
    freeWidth,
    reveal(x, y) {
      const free = freeWidth()
      const [left, top] = [x * view.scale + view.x, y * view.scale + view.y]
      if (left < 60 || left > free - 60 || top < margin.top + 30 || top > view.height - 60)
        pan(free / 2 - left, view.height / 2 - top)
    },
    resize(width, height) {
      const isFirst = view.scale === 0
      view.width = width
      view.height = height
      if (isFirst) begin()
      else moved()
    },
    onMove: (listener) => void listeners.push(listener),
  }
}
