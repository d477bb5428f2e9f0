import { useCallback, useState, type ReactNode } from 'react'
import type { ChartSpec } from '../../../../src/analyst/domain/chart/chart.ts'
import { classNames } from '../../kit/class-names.ts'
import { ChartView } from '../../kit/data/chart-view.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { nameOf } from './answer-text.tsx'
import type { AnswerView } from './answer-view.ts'
import { QueryCard, type MarkedCell } from './query-card.tsx'
import { useChartRows, useKeptRows } from './use-kept-rows.ts'
import css from './answer-cards.module.css'

interface Props {
  readonly chat: string
  readonly view: AnswerView
  /** Queries with visible rows. */
  readonly shown: readonly string[]
  readonly marked: MarkedCell | undefined
}

/** The charts of an answer and the rows behind its charts and numbers, side by side if there is room. */
export const AnswerCards = ({ chat, view, shown, marked }: Props) => {
  if (view.charts.length + shown.length === 0) return null
  return (
    <div className={classNames(css.cards, view.charts.length + shown.length === 1 && css.alone)}>
      {view.charts.map((chart, at) => (
        <div key={at} className={css.chart}>
          <WhenNear height={340}>
            <ChartOf chat={chat} chart={chart} />
          </WhenNear>
        </div>
      ))}
      {shown.map((query) => (
        <div key={query} className={css.query} data-query={query}>
          <WhenNear height={260}>
            <QueryCard chat={chat} query={query} name={nameOf(query, view.queries)} marked={marked} />
          </WhenNear>
        </div>
      ))}
    </div>
  )
}

/** Loads the rows of the cards while an answer is written, so that the cards have their final size when they appear. */
export const CardRows = ({ chat, view }: Pick<Props, 'chat' | 'view'>) => (
  <>
    {view.charts.map(({ query }, at) => (
      <ChartRows key={at} chat={chat} query={query} />
    ))}
    {view.shown.map((query) => (
      <QueryRows key={query} chat={chat} query={query} />
    ))}
  </>
)

interface RowsOf {
  readonly chat: string
  readonly query: string
}

function ChartRows({ chat, query }: RowsOf) {
  useChartRows(chat, query)
  return null
}

function QueryRows({ chat, query }: RowsOf) {
  useKeptRows(chat, query)
  return null
}

const ChartOf = ({ chat, chart }: { chat: string; chart: ChartSpec }) => {
  const rows = useChartRows(chat, chart.query)
  if (rows.isPending) return <Skeleton rows={6} label={`Chart ${chart.title}`} />
  if (rows.isError) return <FaultNote fault={rows.error} again={() => void rows.refetch()} />
  return <ChartView chart={chart} data={rows.data} />
}

// Renders content before it is scrolled into view. The scroller is not the window, so `scrollMargin` is needed too.
const MARGIN = 800
const NEAR = { rootMargin: `${MARGIN}px 0px`, scrollMargin: `${MARGIN}px 0px` }

/** Renders its children only while they are near the viewport, and reserves their height. */
const WhenNear = ({ height, children }: { height: number; children: ReactNode }) => {
  const [isNear, setNear] = useState(false)
  const [room, setRoom] = useState(height)
  const watch = useCallback((element: HTMLElement | null) => {
    if (element === null) return
    // The observer reports after a paint, when a change of height of nearby content would be visible.
    const { top, bottom } = element.getBoundingClientRect()
    setNear(bottom > -MARGIN && top < window.innerHeight + MARGIN)
    const watcher = new IntersectionObserver(([entry]) => {
      if (entry === undefined) return
      if (!entry.isIntersecting && element.offsetHeight > 0) setRoom(element.offsetHeight)
      setNear(entry.isIntersecting)
    }, NEAR)
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [])
  return (
    <div ref={watch} style={isNear ? undefined : { minBlockSize: room }}>
      {isNear && children}
    </div>
  )
}
