import { createCamera, type Camera, type Framing } from './camera.ts'
import { html } from './elements.ts'
import type { Kit } from './kit.ts'
import { createLabelLayer, type LabelLayer } from './label-layer.ts'
import { steer } from './steer.ts'
import type { Tip } from './tip.ts'
import type { Zoomable } from './view.ts'

/** A canvas with panning, zooming and keyboard navigation, with names over it. */
export interface Surface extends Camera, Zoomable {
  readonly canvas: CanvasRenderingContext2D
  /** `names` move with the drawing, `headings` stay at its edges. */
  readonly names: LabelLayer
  readonly headings: LabelLayer
  /** Must be called when the element has become visible. */
  measure(): void
  measureText(text: string): number
  destroy(): void
}

export interface SurfaceParts {
  readonly host: HTMLElement
  readonly tip: Tip
  readonly name: string
  readonly framing: Framing
  /** Screen position of a decision in this view, if it has one. */
  spot(place: number): { readonly x: number; readonly y: number } | undefined
  /** The decision at a point on the screen. */
  hit(x: number, y: number): number | undefined
}

export const LABEL_FONT =
  '12px ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif'

export function createSurface(kit: Kit, parts: SurfaceParts): Surface {
  const { host, tip } = parts
  const element = html('canvas', {}) as HTMLCanvasElement
  const canvas = element.getContext('2d')!
  const names = createLabelLayer('names')
  const headings = createLabelLayer('headings')
  const root = html('div', { class: 'surface', tabindex: 0, role: 'application', 'aria-label': parts.name }, element)
  root.append(names.element, headings.element)
  const camera = createCamera(parts.framing, () => covered(host))
  const { view } = camera
  const measureText = createRuler()

  function hover(place: number | undefined, x: number, y: number): void {
    root.classList.toggle('over', place !== undefined)
    if (place === undefined) tip.hide()
    else tip.show(place, x, y)
    if (place === kit.hovered) return
    kit.hovered = place
    camera.moved()
  }

  steer(root, camera, {
    click: (x, y) => kit.select(parts.hit(x, y)),
    hover: (x, y) => hover(parts.hit(x, y), x, y),
    leave: () => hover(undefined, 0, 0),
  })
  root.addEventListener('blur', () => hover(undefined, 0, 0))

  /** Moves to the nearest decision in a direction; the first step moves to the selected one, or to the middle. */
  function step(dx: number, dy: number): void {
    const from = kit.hovered === undefined ? undefined : parts.spot(kit.hovered)
    const next = from === undefined ? startingPlace() : nearest(from, dx, dy)
    if (next === undefined) return
    const spot = parts.spot(next)!
    camera.reveal((spot.x - view.x) / view.scale, (spot.y - view.y) / view.scale)
    const now = parts.spot(next)!
    hover(next, now.x, now.y)
    tip.say(next)
  }

  function startingPlace(): number | undefined {
    if (kit.selected !== undefined && parts.spot(kit.selected) !== undefined) return kit.selected
    return closest({ x: view.width / 2, y: view.height / 2 }, () => 1)
  }

  function nearest(from: { x: number; y: number }, dx: number, dy: number): number | undefined {
    return closest(from, (x, y) => {
      const along = x * dx + y * dy
      const aside = Math.abs(x * dy - y * dx)
      return along <= 1 || aside > along * 2 ? Infinity : 1 + aside / along
    })
  }

  function closest(from: { x: number; y: number }, cost: (dx: number, dy: number) => number): number | undefined {
    let [best, least] = [undefined as number | undefined, Infinity]
    for (const place of kit.decisions.keys()) {
      const spot = kit.isShown(place) && place !== kit.hovered ? parts.spot(place) : undefined
      if (spot === undefined) continue
      const [dx, dy] = [spot.x - from.x, spot.y - from.y]
      const length = Math.hypot(dx, dy) * cost(dx, dy)
      if (length < least) [best, least] = [place, length]
    }
    return best
  }

  function press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const { width, height } = view
    const move = (dx: number, dy: number) => () => (event.shiftKey ? camera.pan(-60 * dx, -60 * dy) : step(dx, dy))
    const acts: Record<string, () => void> = {
      ArrowLeft: move(-1, 0),
      ArrowRight: move(1, 0),
      ArrowUp: move(0, -1),
      ArrowDown: move(0, 1),
      Enter: () => kit.hovered !== undefined && kit.select(kit.hovered),
      '+': () => camera.zoom(1.3, width / 2, height / 2),
      '=': () => camera.zoom(1.3, width / 2, height / 2),
      '-': () => camera.zoom(1 / 1.3, width / 2, height / 2),
      '0': () => camera.fit(),
    }
    const act = acts[event.key]
    if (act === undefined) return
    act()
    event.preventDefault()
  }
  root.addEventListener('keydown', press)

  host.append(root)

  function measure(): void {
    const { width, height } = root.getBoundingClientRect()
    if (width === 0) return
    const density = devicePixelRatio
    if (width !== view.width || height !== view.height || element.width !== Math.round(width * density)) {
      element.width = Math.round(width * density)
      element.height = Math.round(height * density)
      camera.resize(width, height)
    }
    canvas.setTransform(density, 0, 0, density, 0, 0)
    camera.moved()
  }
  const observer = new ResizeObserver(measure)
  observer.observe(root)

  return {
    ...camera,
    zoomBy: (factor) => camera.zoom(factor, view.width / 2, view.height / 2),
    canvas,
    names,
    headings,
    measure,
    measureText,
    destroy() {
      observer.disconnect()
      camera.destroy()
    },
  }
}

/**
 * Measures a text by adding up character widths: measuring every title in the browser at every zoom takes longer than
 * drawing it.
 */
function createRuler(): (text: string) => number {
  const ruler = document.createElement('canvas').getContext('2d')!
  const widths = new Map<string, number>()
  ruler.font = LABEL_FONT
  return (text) => {
    let sum = 0
    for (const character of text) {
      let width = widths.get(character)
      if (width === undefined) widths.set(character, (width = ruler.measureText(character).width))
      sum += width
    }
    return sum
  }
}

/** Part of a view that the open panel hides, in pixels: a column at the right, or a sheet at the bottom. */
function covered(host: HTMLElement): { right: number; bottom: number } {
  const panel = host.parentElement?.querySelector('.panel.open')
  if (!panel) return { right: 0, bottom: 0 }
  const [mine, its] = [host.getBoundingClientRect(), panel.getBoundingClientRect()]
  return its.width > mine.width * 0.8 ? { right: 0, bottom: its.height } : { right: its.width + 16, bottom: 0 }
}
