import { useEffect, useRef } from 'react'
import { IconButton } from '../../kit/button.tsx'
import { ResizeHandle } from '../../kit/resize-handle.tsx'
import { Tooltip } from '../../kit/tooltip.tsx'
import { useKeptSize } from '../../kit/use-kept-size.ts'
import { inspectorSlot } from './inspector.ts'
import type { InspectorState } from './use-inspector.ts'
import styles from './inspector.module.css'

/** The right side of the frame. Pages fill it with `InInspector`. */
export const Inspector = ({ state }: { state: InspectorState }) => {
  const [size, setSize] = useKeptSize('inspector.size', WIDTH)
  const close = useRef<HTMLButtonElement>(null)
  const { isOpen, isDrawer, toggle } = state
  useEffect(() => {
    if (!isOpen || !isDrawer) return
    // A drawer covers the page: focus moves into it, and returns on close.
    const before = document.activeElement
    close.current?.focus()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [isOpen, isDrawer])
  if (!isOpen) return null
  return (
    <aside
      className={styles.inspector}
      style={{ '--inspector': `${size}px` }}
      aria-label="Inspector"
      onKeyDown={(event) => {
        if (isDrawer && event.key === 'Escape') toggle()
      }}
    >
      {!isDrawer && (
        <div className={styles.edge}>
          <ResizeHandle label="Width of the inspector" size={size} bounds={WIDTH} onResize={setSize} grows="left" />
        </div>
      )}
      <div className={styles.head}>
        <span>Inspector</span>
        <Tooltip text="Close the inspector" keys="]">
          <IconButton ref={close} icon="close" label="Close the inspector" size="small" onClick={toggle} />
        </Tooltip>
      </div>
      <div className={styles.slot} ref={inspectorSlot.set} />
    </aside>
  )
}

const WIDTH = { usual: 300, least: 220, most: 520 }
