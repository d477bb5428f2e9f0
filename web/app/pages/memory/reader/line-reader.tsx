import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import { MarkedText } from '../marked-text.tsx'
import { DocumentFacts } from './document-facts.tsx'
import { ReaderHead } from './reader-head.tsx'
import type { ReaderProps } from './reader-props.ts'
import { SourceLine } from './source-line.tsx'
import { useLines } from './use-lines.ts'
import styles from './line-reader.module.css'

/** A document by lines, open at the match. */
export const LineReader = ({ document, line = 1, find, isWhole }: ReaderProps) => {
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: document.total_lines,
    getScrollElement: () => scroller.current,
    estimateSize: () => 21,
    overscan: 20,
    initialOffset: () => Math.max(0, line - CONTEXT) * 21,
  })
  const rows = virtualizer.getVirtualItems()
  const lineAt = useLines(document.id, rows[0]?.index ?? line - 1, rows.at(-1)?.index ?? line - 1)
  const isThere = lineAt(line - 1) !== undefined
  useEffect(() => {
    virtualizer.scrollToIndex(Math.max(0, Math.min(line, document.total_lines) - CONTEXT), { align: 'start' })
    // Scrolls again once the line is loaded: wrapped lines take more room than estimated.
  }, [virtualizer, line, document.total_lines, isThere])
  return (
    <article className={styles.reader}>
      <ReaderHead document={document} isWhole={isWhole}>
        <DocumentFacts document={document} />
      </ReaderHead>
      <div ref={scroller} className={styles.scroller} tabIndex={0} role="group" aria-label="Lines">
        <div className={styles.whole} style={{ blockSize: virtualizer.getTotalSize() }}>
          {rows.map(({ index, key, start }) => (
            <div
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              className={styles.place}
              style={{ transform: `translateY(${start}px)` }}
            >
              <SourceLine
                number={index + 1}
                text={lineAt(index)}
                isCode={document.origin === 'code'}
                isHere={index + 1 === line}
              >
                {(shown) => <MarkedText text={shown} question={find} />}
              </SourceLine>
            </div>
          ))}
        </div>
      </div>
    </article>
  )
}

/** Lines kept above the match. */
const CONTEXT = 3
