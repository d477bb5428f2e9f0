import { useRef, type KeyboardEvent, type PointerEvent } from 'react'
import type { SizeBounds } from './use-kept-size.ts'
import styles from './resize-handle.module.css'

interface Props {
  readonly label: string
  readonly size: number
  readonly bounds: SizeBounds
  readonly onResize: (size: number) => void
  /** Direction that makes its pane wider. */
  readonly grows: 'left' | 'right'
}

const STEP = 16

/** The divider between two panes: dragged, or moved with the arrow keys; a double click resets it. */
export const ResizeHandle = ({ label, size, bounds, onResize, grows }: Props) => {
  const begun = useRef<{ readonly x: number; readonly size: number }>(undefined)
  const way = grows === 'right' ? 1 : -1
  const onPointerDown = (event: PointerEvent<HTMLDivElement>): void => {
    event.currentTarget.setPointerCapture(event.pointerId)
    begun.current = { x: event.clientX, size }
  }
  const onPointerMove = (event: PointerEvent): void => {
    if (begun.current) onResize(begun.current.size + way * (event.clientX - begun.current.x))
  }
  const end = (): void => {
    begun.current = undefined
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = keyTarget(event.key, { size, way, bounds })
    if (to === undefined) return
    event.preventDefault()
    onResize(to)
  }
  return (
    <div
      className={styles.handle}
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={size}
      aria-valuemin={bounds.least}
      aria-valuemax={bounds.most}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={end}
      onPointerCancel={end}
      onKeyDown={onKeyDown}
      onDoubleClick={() => onResize(bounds.usual)}
    />
  )
}

function keyTarget(
  key: string,
  { size, way, bounds }: { size: number; way: number; bounds: SizeBounds },
): number | undefined {
  switch (key) {
    case 'ArrowLeft':
      return size - way * STEP
    case 'ArrowRight':
      return size + way * STEP
    case 'Home':
      return bounds.least
    case 'End':
      return bounds.most
    case 'Enter':
      return bounds.usual
    default:
      return undefined
  }
}
