import type { Camera } from './camera.ts'

export interface Steered {
  /** A click that was not a drag, with its position in pixels of the surface. */
  click(x: number, y: number): void
  hover(x: number, y: number): void
  leave(): void
}

/** Pans and zooms by mouse, fingers and wheel. */
export function steer(root: HTMLElement, camera: Camera, act: Steered): void {
  const pointers = new Map<number, { x: number; y: number }>()
  let isDragging = false

  const within = (event: MouseEvent): { x: number; y: number } => {
    const box = root.getBoundingClientRect()
    return { x: event.clientX - box.left, y: event.clientY - box.top }
  }

  function drag(event: PointerEvent): void {
    const last = pointers.get(event.pointerId)
    if (last === undefined) {
      const { x, y } = within(event)
      if (event.pointerType !== 'touch') act.hover(x, y)
      return
    }
    const now = within(event)
    const [dx, dy] = [now.x - last.x, now.y - last.y]
    // A finger is less steady than a mouse.
    if (!isDragging && Math.hypot(dx, dy) < (event.pointerType === 'touch' ? 8 : 4)) return
    if (!isDragging) root.setPointerCapture(event.pointerId)
    isDragging = true
    root.classList.add('dragging')
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1]
    if (other === undefined) camera.pan(dx, dy)
    else {
      // The midpoint of two fingers keeps its place in the drawing.
      const before = Math.hypot(last.x - other.x, last.y - other.y) || 1
      const factor = Math.hypot(now.x - other.x, now.y - other.y) / before
      camera.pan(dx / 2, dy / 2)
      camera.zoom(factor, (now.x + other.x) / 2, (now.y + other.y) / 2)
    }
    pointers.set(event.pointerId, now)
  }

  function release(event: PointerEvent): void {
    // A touch is captured by the element it started on, which fires this event when a drag takes over the capture.
    if (event.type === 'lostpointercapture' && event.target !== root) return
    if (!pointers.delete(event.pointerId) || pointers.size > 0) return
    root.classList.remove('dragging')
    // The click event that ends a drag fires after this and must still count as part of the drag.
    requestAnimationFrame(() => (isDragging = false))
  }

  root.addEventListener('pointerdown', (event) => {
    if (event.button === 0) pointers.set(event.pointerId, within(event))
  })
  root.addEventListener('pointermove', drag)
  for (const end of ['pointerup', 'pointercancel', 'lostpointercapture'] as const) root.addEventListener(end, release)
  root.addEventListener('pointerleave', () => act.leave())
  root.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault()
      const { x, y } = within(event)
      camera.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), x, y)
    },
    { passive: false },
  )
  root.addEventListener('click', (event) => {
    const { x, y } = within(event)
    if (!isDragging) act.click(x, y)
  })
}
