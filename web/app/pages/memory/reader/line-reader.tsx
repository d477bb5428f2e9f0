import { useQueries } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { call } from '../../../api/call.ts'
import { queryKey, useProject } from '../../../api/queries.ts'
import { classNames } from '../../../kit/class-names.ts'
import { MarkedText } from '../marked-text.tsx'
import { DocumentFacts } from './document-facts.tsx'
import { ReaderHead } from './reader-head.tsx'
import type { ReaderProps } from './reader-props.ts'
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

interface Props {
  readonly number: number
  /** Undefined while it loads. */
  readonly text: string | undefined
  readonly isCode: boolean
  readonly isHere: boolean
  readonly children: (shown: string) => ReactNode
}

// A minified file is one line of a megabyte, which would freeze the page.
const LONGEST = 2_000

const SourceLine = ({ number, text = '', isCode, isHere, children }: Props) => {
  const [shownTo, setShownTo] = useState(LONGEST)
  const rest = text.length - shownTo
  return (
    <div className={classNames(styles.line, isCode && styles.code, isHere && styles.here)}>
      <span className={styles.number} aria-hidden="true">
        {number}
      </span>
      <span className={styles.text}>
        {children(rest > 0 ? text.slice(0, shownTo) : text)}
        {rest > 0 && (
          <button type="button" className={styles.more} onClick={() => setShownTo(shownTo + 10 * LONGEST)}>
            {rest.toLocaleString('en')} more characters
          </button>
        )}
      </span>
    </div>
  )
}

const RANGE = 200

/** The visible lines, 0-based, loaded in ranges and cached; undefined while they load. */
function useLines(id: string, first: number, last: number): (index: number) => string | undefined {
  const project = useProject()
  const from = Math.floor(first / RANGE)
  const answers = useQueries({
    queries: Array.from({ length: Math.floor(last / RANGE) - from + 1 }, (_, at) => {
      const input = { id, from_line: (from + at) * RANGE + 1, max_lines: RANGE, workspace: 'all' }
      return {
        queryKey: queryKey(project, 'memory_get', input),
        queryFn: ({ signal }: { signal: AbortSignal }) => call(project, 'memory_get', input, signal),
        staleTime: 60_000,
      }
    }),
  })
  const ranges = answers.map(({ data }) => data?.text.split('\n'))
  return (index) => ranges[Math.floor(index / RANGE) - from]?.[index % RANGE]
}
