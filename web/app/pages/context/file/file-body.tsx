import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef } from 'react'
import { CodeText } from '../../../kit/data/code-text.tsx'
import { Reading } from '../../../kit/reading.tsx'
import styles from './plain-lines.module.css'

/** The text of a file by its extension: prose, code, or plain lines. */
export const FileBody = ({ path, text, isSource }: { path: string; text: string; isSource: boolean }) => {
  if (text === '') return null
  if (/\.md$/i.test(path) && !isSource && text.length <= LONGEST_READ) return <Reading text={text} plain />
  const language = /\.sql$/i.test(path) ? 'sql' : /\.ya?ml$/i.test(path) ? 'yaml' : undefined
  return language === undefined || text.length > LONGEST_CODE ? (
    <PlainLines text={text} />
  ) : (
    <CodeText text={text} language={language} />
  )
}

// Longer files would render slowly as elements; plain lines are virtual.
const LONGEST_READ = 200_000
const LONGEST_CODE = 50_000

/** A text of any length as numbered lines; only visible ones are rendered. */
const PlainLines = ({ text }: { text: string }) => {
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
