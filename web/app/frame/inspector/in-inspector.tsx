import { useEffect, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { useStore } from '../../kit/store.ts'
import { inspectorParts, inspectorSlot } from './inspector.ts'
import styles from './inspector.module.css'

/**
 * Details of the open item: origin, time, author, trust, links, history. Rendered in the frame's inspector, but
 * otherwise part of the page.
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
