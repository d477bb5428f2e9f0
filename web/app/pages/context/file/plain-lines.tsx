import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef } from 'react'
import styles from './plain-lines.module.css'

/** A text of any length as numbered lines; only visible ones are rendered. */
export const PlainLines = ({ text }: { text: string }) => {
  const lines = useMemo(() => text.split('\n'), [text])
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE,
    overscan: 20,
  })
  return (
    <div ref={scroller} className={styles.lines} tabIndex={0} role="group" aria-label="Text">
      <div className={styles.whole} style={{ blockSize: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => (
          <div key={index} className={styles.line} style={{ transform: `translateY(${start}px)` }}>
            <span className={styles.number}>{index + 1}</span>
            <code>{lines[index]}</code>
          </div>
        ))}
      </div>
    </div>
  )
}

const LINE = 20
