import { type Camera, type Framing, createCamera } from './camera.ts'
import { button, html, svg } from './elements.ts'
import type { Kit } from './kit.ts'
import { steer } from './steer.ts'

/** A drawing that can be panned and zoomed. `world` moves with it, `overlay` stays in pixels of the screen. */
export interface Surface extends Camera {
  readonly root: SVGElement
  readonly world: SVGElement
  readonly overlay: SVGElement
  /** Call when the element has become visible or has changed its size. */
  measure(): void
}

export function createSurface(kit: Kit, host: HTMLElement, framing: Framing): Surface {
  const world = svg('g', {})
  const overlay = svg('g', { class: 'overlay' })
  const root = svg('svg', { class: 'surface', tabindex: 0 }, world, overlay)
  const camera = createCamera(kit, framing)
  const { view } = camera
  const fromMiddle = (factor: number) => () => camera.zoom(factor, view.width / 2, view.height / 2)

  camera.onMove(() => {
    world.setAttribute('transform', `translate(${view.x} ${view.y}) scale(${view.scale})`)
    // What must not grow with the drawing is sized in this unit, one pixel of the screen.
    world.style.setProperty('--px', `${1 / view.scale}px`)
  })
  steer(kit, root, camera)
  const controls = html(
    'div',
    { class: 'zoom' },
    button({ title: 'Zoom in (+)' }, '+', fromMiddle(1.4)),
    button({ title: 'Zoom out (-)' }, '−', fromMiddle(1 / 1.4)),
    button({ title: 'Show everything (0)' }, 'Fit', camera.fit),
  )
  host.append(root, controls)

  return {
    ...camera,
    root,
    world,
    overlay,
    measure() {
      const { width, height } = root.getBoundingClientRect()
      if (width > 0) camera.resize(width, height)
    },
  }
}
