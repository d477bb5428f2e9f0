import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState } from 'react'
import { useAnswer } from '../../../api/queries.ts'
import { FaultNote } from '../../../kit/fault-note.tsx'
import { Skeleton } from '../../../kit/skeleton.tsx'
import { FindBar } from './find-bar.tsx'
import { hitBeside } from './hit-beside.ts'
import { ReaderHead } from './reader-head.tsx'
import type { ReaderProps } from './reader-props.ts'
import { SessionFacts } from './session-facts.tsx'
import { SessionTurn } from './session-turn.tsx'
import { useTurns } from './use-turns.ts'
import styles from './session-reader.module.css'

/** A conversation turn by turn, open at the passage. Only visible turns are rendered. */
export const SessionReader = ({ document, line, find: asked, isWhole }: ReaderProps) => {
  const [find, setFind] = useState(asked)
  const { data, error, refetch } = useAnswer(
    'session_show',
    { id: document.id, count: 0, workspace: 'all', find, ...(line !== undefined && { line }) },
    { keep: true },
  )
  const [at, setAt] = useState<number>()
  if (error !== null && data === undefined) return <FaultNote fault={error} again={() => void refetch()} />
  if (data === undefined) return <Skeleton rows={8} />
  const here = at ?? (line === undefined ? (data.hits[0] ?? 1) : nearest(data.hits, data.at))
  const step = (by: 1 | -1): void => setAt(hitBeside(data.hits, here, by))
  return (
    <article className={styles.reader}>
      <ReaderHead document={{ ...document, title: data.title }} isWhole={isWhole}>
        <SessionFacts session={data} document={document} />
      </ReaderHead>
      <FindBar words={find} hits={data.hits} at={here} isMain={isWhole} onFind={setFind} onStep={step} />
      <Turns id={document.id} title={data.title} total={data.total} at={here} find={find} />
    </article>
  )
}

/** The turn with the words, because a passage may begin some turns earlier. */
const nearest = (hits: readonly number[], at: number): number =>
  hits.find((hit) => hit >= at && hit <= at + REACH) ?? at

const REACH = 6

interface TurnsProps {
  readonly id: string
  readonly title: string
  readonly total: number
  /** 1-based number of the turn to show. */
  readonly at: number
  readonly find: string
}

const Turns = ({ id, title, total, at, find }: TurnsProps) => {
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => 120,
    overscan: 4,
    initialOffset: () => Math.max(0, at - 1) * 120,
  })
  const rows = virtualizer.getVirtualItems()
  const turnAt = useTurns(id, rows[0]?.index ?? at - 1, rows.at(-1)?.index ?? at - 1)
  const isThere = turnAt(at - 1) !== undefined
  useEffect(() => {
    virtualizer.scrollToIndex(at - 1, { align: 'start' })
    // Scrolls again once the turn is loaded, because its position was estimated before.
  }, [virtualizer, at, isThere])
  return (
    <div ref={scroller} className={styles.scroller} tabIndex={0} role="feed" aria-label="Turns" aria-busy={!isThere}>
      <div className={styles.whole} style={{ blockSize: virtualizer.getTotalSize() }}>
        {rows.map(({ index, key, start }) => (
          <div
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            className={styles.place}
            style={{ transform: `translateY(${start}px)` }}
          >
            <SessionTurn
              turn={turnAt(index)}
              id={id}
              title={title}
              index={index}
              total={total}
              isHere={index === at - 1}
              find={find}
            />
          </div>
        ))}
      </div>
    </div>
  )
}
