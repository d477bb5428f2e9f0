import type { Camera, Framing } from './camera.ts'
import type { PageElement } from './dom.ts'
import type { Kit } from './kit.ts'

/** A drawing that can be panned and zoomed. `world` moves with it, `overlay` stays in pixels of the screen. */
export interface Surface extends Camera {
  readonly root: PageElement
  readonly world: PageElement
  readonly overlay: PageElement
  /** Call when the element has become visible or has changed its size. */
  measure(): void
}

// Runs in the browser: put into the page as text, it may use nothing but its parameters.
export function createSurface(kit: Kit, host: PageElement, framing: Framing): Surface {
  const world = kit.svg('g', {})
  const overlay = kit.svg('g', { class: 'overlay' })
  const root = kit.svg('svg', { class: 'surface', tabindex: 0 }, world, overlay)
  const camera = kit.parts.createCamera(kit, framing)
  const { view } = camera
  const fromMiddle = (factor: number) => () => camera.zoom(factor, view.width / 2, view.height / 2)

  camera.onMove(() => {
    world.setAttribute('transform', `translate(${view.x} ${view.y}) scale(${view.scale})`)
    // What must not grow with the drawing is sized in this unit, one pixel of the screen.
    world.style.setProperty('--px', `${1 / view.scale}px`)
  })
  kit.parts.steer(kit, root, camera)
  const controls = kit.html(
    'div',
    { class: 'zoom' },
    kit.button({ title: 'Zoom in (+)' }, '+', fromMiddle(1.4)),
    kit.button({ title: 'Zoom out (-)' }, '−', fromMiddle(1 / 1.4)),
    kit.button({ title: 'Show everything (0)' }, 'Fit', camera.fit),
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
