import { lazy, Suspense, useMemo, useState, useCallback } from 'react'
import type { ChartData, ChartKind, ChartSpec } from '../../../../src/analyst/domain/chart/chart.ts'
import { figureText } from '../../../../src/analyst/domain/chart/figure-text.ts'
import { asKind, fittingKinds } from '../../../../src/analyst/domain/chart/fitting-kinds.ts'
import { chartHeight, type Plot } from '../../../../src/analyst/domain/chart/plot.ts'
import { ChartBar } from './chart-bar.tsx'
import { DataGrid } from './data-grid.tsx'
import css from './chart-view.module.css'

export interface ChartViewProps {
  readonly chart: ChartSpec
  /** The result that the chart is drawn from. */
  readonly data: ChartData
  /** Called when another kind is chosen; without it the choice is local. */
  readonly onKind?: (kind: ChartKind) => void
}

const ChartCanvas = lazy(() => import('./chart-canvas.tsx'))

/** An interactive chart, with its rows for screen readers. */
export function ChartView({ chart: given, data, onKind }: ChartViewProps) {
  const [chosen, setChosen] = useState<ChartKind>()
  const [isData, setData] = useState(false)
  const [frame, width] = useWidth()
  const kind = onKind === undefined ? (chosen ?? given.kind) : given.kind
  const read = useMemo(() => asKind(given, data, kind), [given, data, kind])
  const kinds = useMemo(() => fittingKinds(given, data), [given, data])
  if ('faults' in read) return <p className={css.problem}>Can’t draw this chart. {read.faults.join(' ')}</p>
  const { chart, plot } = read
  return (
    <figure ref={frame} className={css.figure}>
      <div className={css.head}>
        <figcaption className={css.title}>{plot.title}</figcaption>
        <ChartBar
          chart={chart}
          data={data}
          kinds={kinds}
          isData={isData}
          onKind={onKind ?? setChosen}
          onData={() => setData(!isData)}
        />
      </div>
      {isData ? (
        <DataGrid
          label={`Rows of ${plot.title === '' ? 'the chart' : plot.title}`}
          columns={data.columns}
          rows={data.rows}
        />
      ) : (
        <Drawing plot={plot} width={width} />
      )}
      {plot.notes.map((note) => (
        <p key={note} className={css.note}>
          {note}
        </p>
      ))}
    </figure>
  )
}

/** Draws the chart without its title, which is above it as text. */
function Drawing({ plot, width }: { readonly plot: Plot; readonly width: number }) {
  const untitled = useMemo(() => ({ ...plot, title: '' }), [plot])
  if (plot.kind === 'kpi') return <ChartFigures plot={plot} />
  const height = heightOf(plot, width)
  return (
    <div className={css.room} style={{ blockSize: height }}>
      {width > 0 && (
        <Suspense>
          <ChartCanvas plot={untitled} title={plot.title} width={width} height={height} />
        </Suspense>
      )}
    </div>
  )
}

/** Single figures side by side, each above its name. */
const ChartFigures = ({ plot }: { readonly plot: Plot }) => (
  <dl className={css.figures}>
    {plot.series.map(({ label, values }) => (
      <div key={label} className={css.oneFigure}>
        <dt>{label}</dt>
        <dd>{values[0] === null || values[0] === undefined ? '–' : figureText(values[0])}</dd>
      </div>
    ))}
  </dl>
)

const USUAL = 400
const LEAST = 230

/** Chart height in pixels: smaller for a narrow chart; a list of bars is as tall as needed. */
function heightOf(plot: Plot, width: number): number {
  const whole = chartHeight(plot)
  return whole > USUAL ? whole : Math.round(Math.min(USUAL, Math.max(LEAST, width * 0.55)))
}

/** The current width of an element; 0 before it is mounted. */
function useWidth(): readonly [(element: HTMLElement | null) => void, number] {
  const [width, setWidth] = useState(0)
  const observe = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined
    // Before the first paint, so that elements sized by it do not move.
    setWidth(Math.floor(element.getBoundingClientRect().width))
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry!.contentRect.width)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [observe, width]
}
