import type { Camera } from './camera.ts'
import { placeAt } from './elements.ts'
import type { Kit } from './kit.ts'

/** Pans and zooms by mouse, fingers, wheel and keys; a click on a decision selects it, one beside it lets go. */
export function steer(kit: Kit, root: SVGElement, camera: Camera): void {
  const pointers = new Map<number, { x: number; y: number }>()
  let isDragging = false

  function drag(event: PointerEvent): void {
    const last = pointers.get(event.pointerId)
    if (last === undefined) return
    const [dx, dy] = [event.clientX - last.x, event.clientY - last.y]
    if (!isDragging && Math.hypot(dx, dy) < 4) return
    // Capturing at once would turn the click on a decision into one on the drawing; now this is surely no click.
    if (!isDragging) root.setPointerCapture(event.pointerId)
    isDragging = true
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1]
    if (other === undefined) camera.pan(dx, dy)
    else {
      const before = Math.hypot(last.x - other.x, last.y - other.y) || 1
      zoomAt(Math.hypot(event.clientX - other.x, event.clientY - other.y) / before, other.x, other.y)
    }
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY })
  }

  function release(event: PointerEvent): void {
    pointers.delete(event.pointerId)
    // The click that ends a drag comes after this; it must still be seen as one.
    if (pointers.size === 0) window.requestAnimationFrame(() => (isDragging = false))
  }

  function zoomAt(factor: number, clientX: number, clientY: number): void {
    const box = root.getBoundingClientRect()
    camera.zoom(factor, clientX - box.left, clientY - box.top)
  }

  function press(event: KeyboardEvent): void {
    const { width, height } = camera.view
    const acts: Record<string, () => void> = {
      ArrowLeft: () => camera.pan(60, 0),
      ArrowRight: () => camera.pan(-60, 0),
      ArrowUp: () => camera.pan(0, 60),
      ArrowDown: () => camera.pan(0, -60),
      '+': () => camera.zoom(1.3, width / 2, height / 2),
      '=': () => camera.zoom(1.3, width / 2, height / 2),
      '-': () => camera.zoom(1 / 1.3, width / 2, height / 2),
      '0': () => camera.fit(),
    }
    const act = event.ctrlKey || event.metaKey ? undefined : acts[event.key]
    if (act === undefined) return
    act()
    event.preventDefault()
  }

  root.addEventListener('pointerdown', (event) => {
    if (event.button === 0) pointers.set(event.pointerId, { x: event.clientX, y: event.clientY })
  })
  root.addEventListener('pointermove', drag)
  for (const end of ['pointerup', 'pointercancel', 'lostpointercapture'] as const) root.addEventListener(end, release)
  root.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault()
      zoomAt(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), event.clientX, event.clientY)
    },
    { passive: false },
  )
  root.addEventListener('keydown', press)
  root.addEventListener('click', (event) => {
    if (!isDragging) kit.select(placeAt(event))
  })
}
