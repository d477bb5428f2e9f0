import { useState } from 'react'
import type { ChartData, ChartKind } from '../../../../../src/analyst/domain/chart/chart.ts'
import { ChartView } from '../../../kit/data/chart-view.tsx'
import { Select } from '../../../kit/select.tsx'
import styles from './sql-page.module.css'

interface Props {
  readonly data: ChartData
  readonly axes: { readonly x: string; readonly y: string }
}

// Above that, a chart is slow to draw and cannot be read.
const MOST_POINTS = 5_000

/** A chart of the rows; its kind, axes and series are chosen above it. */
export const SqlChart = ({ data, axes }: Props) => {
  const [kind, setKind] = useState<ChartKind>('bar')
  const [x, setX] = useState(axes.x)
  const [y, setY] = useState(axes.y)
  const [seriesBy, setSeriesBy] = useState('')
  const options = data.columns.map(({ name }) => ({ value: name, label: name }))
  const chart = {
    query: 'result',
    kind,
    title: `${y} by ${x}`,
    x,
    series: [{ column: y }],
    ...(seriesBy !== '' && { seriesBy }),
  }
  const rows = data.rows.length > MOST_POINTS ? data.rows.slice(0, MOST_POINTS) : data.rows
  return (
    <div className={styles.chart}>
      <div className={styles.axes}>
        <Select label="X axis" value={x} options={options} onChange={setX} />
        <Select label="Y axis" value={y} options={options} onChange={setY} />
        <Select
          label="Series"
          value={seriesBy}
          options={[{ value: '', label: 'None' }, ...options]}
          onChange={setSeriesBy}
        />
      </div>
      <ChartView chart={chart} data={{ columns: data.columns, rows }} onKind={setKind} />
      {rows.length < data.rows.length && (
        <p className={styles.note}>Drawn from the first {MOST_POINTS.toLocaleString('en-US')} rows.</p>
      )}
    </div>
  )
}
