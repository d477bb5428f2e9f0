import { useEffect, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { useStore } from '../../kit/store.ts'
import { inspectorParts, inspectorSlot } from './inspector.ts'
import styles from './inspector.module.css'

/**
 * What a page knows of the thing that is open: where from, when, who, trust, links, history. It is shown in the
 * inspector of the frame for as long as this is rendered, and belongs to the page in every other way.
 */
export const InInspector = ({ title, children }: { title: string; children: ReactNode }) => {
  const slot = useStore(inspectorSlot)
  useEffect(() => {
    inspectorParts.set(inspectorParts.get() + 1)
    return () => inspectorParts.set(inspectorParts.get() - 1)
  }, [])
  if (slot === null) return null
  return createPortal(
    <section className={styles.part}>
      <h2 className={styles.title}>{title}</h2>
      {children}
    </section>,
    slot,
  )
}
