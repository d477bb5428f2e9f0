import type { Bounds } from '../../src/record/domain/graph/bounds.ts'

/** Maps the world to the screen: `screen = world * scale + offset`. */
export interface Camera {
  readonly view: { scale: number; x: number; y: number; width: number; height: number }
  /** Shows everything. */
  fit(): void
  pan(dx: number, dy: number): void
  /** Zooms about a point of the screen, which stays fixed. */
  zoom(factor: number, x: number, y: number): void
  /** Brings a point of the world into the uncovered part of the screen. */
  reveal(x: number, y: number): void
  /** Sets the content and shows all of it; with a point, centres on that unless everything was visible. */
  frame(framing: Framing, middle?: { readonly x: number; readonly y: number }): void
  resize(width: number, height: number): void
  /** Adds a listener that is called at most once per frame. */
  onMove(listener: () => void): void
  /** Calls the listeners with the next frame. */
  moved(): void
  destroy(): void
}

export interface Framing {
  readonly bounds: Bounds
  /** Space for the overlay. */
  readonly margin: { readonly top: number; readonly left: number; readonly rest: number }
  /** Largest scale for fitting: five decisions should not become giants. */
  readonly closest: number
  /** Smallest initial scale: content that does not fit at this scale starts at its top left corner. */
  readonly farthest: number
}

const SMALLEST = 0.05
const LARGEST = 16

export function createCamera(first: Framing, covered: () => { right: number; bottom: number }): Camera {
  let framing = first
  const view = { scale: 0, x: 0, y: 0, width: 0, height: 0 }
  const listeners: (() => void)[] = []
  let queued = 0
  let isFitted = true

  function moved(): void {
    queued ||= requestAnimationFrame(() => {
      queued = 0
      for (const listener of listeners) listener()
    })
  }

  function fit(): void {
    const { bounds, margin, closest } = framing
    const width = view.width - margin.left - margin.rest
    const height = view.height - margin.top - margin.rest
    view.scale = Math.max(SMALLEST, Math.min(width / bounds.width, height / bounds.height, closest))
    view.x = margin.left + width / 2 - (bounds.x + bounds.width / 2) * view.scale
    view.y = margin.top + height / 2 - (bounds.y + bounds.height / 2) * view.scale
    isFitted = true
    moved()
  }

  function begin(): void {
    fit()
    const { bounds, margin, farthest } = framing
    if (view.scale >= farthest) return
    view.scale = farthest
    view.x = margin.left - bounds.x * farthest
    view.y = margin.top - bounds.y * farthest
  }

  function pan(dx: number, dy: number): void {
    view.x += dx
    view.y += dy
    isFitted = false
    moved()
  }

  return {
    view,
    fit,
    pan,
    zoom(factor, x, y) {
      const scale = Math.min(LARGEST, Math.max(SMALLEST, view.scale * factor))
      view.x = x - ((x - view.x) * scale) / view.scale
      view.y = y - ((y - view.y) * scale) / view.scale
      view.scale = scale
      isFitted = false
      moved()
    },
    reveal(x, y) {
      const { right, bottom } = covered()
      const free = { width: view.width - right, height: view.height - bottom }
      const [left, top] = [x * view.scale + view.x, y * view.scale + view.y]
      const isSeen =
        left > framing.margin.left + 40 &&
        left < free.width - 40 &&
        top > framing.margin.top + 24 &&
        top < free.height - 40
      if (!isSeen) pan(free.width / 2 - left, free.height / 2 - top)
    },
    frame(next, middle) {
      framing = next
      if (view.width === 0) return
      if (middle === undefined || isFitted) return begin()
      view.x = view.width / 2 - middle.x * view.scale
      view.y = view.height / 2 - middle.y * view.scale
      moved()
    },
    resize(width, height) {
      const isFirst = view.scale === 0
      view.width = width
      view.height = height
      if (isFirst || isFitted) begin()
      else moved()
    },
    onMove: (listener) => void listeners.push(listener),
    moved,
    destroy: () => cancelAnimationFrame(queued),
  }
}
