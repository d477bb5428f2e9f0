import { useState } from 'react'
import type { ChartData, ChartKind, ChartSpec } from '../../../../src/analyst/domain/chart/chart.ts'
import { storySlug } from '../../../../src/analyst/domain/story/story.ts'
import { download } from './download.ts'
import { useColourTheme } from './use-colour-theme.ts'
import css from './chart-view.module.css'

interface ChartBarProps {
  readonly chart: ChartSpec
  readonly data: ChartData
  readonly kinds: readonly ChartKind[]
  readonly isData: boolean
  readonly onKind: (kind: ChartKind) => void
  readonly onData: () => void
}

/** Chart controls: change the kind, show the rows, save an image. */
export function ChartBar({ chart, data, kinds, isData, onKind, onData }: ChartBarProps) {
  const theme = useColourTheme()
  const [problem, setProblem] = useState('')
  const save = async (as: 'svg' | 'png'): Promise<void> => {
    setProblem('')
    try {
      const { chartPng, chartSvg } = await import('./chart-picture.ts')
      const svg = chartSvg(chart, data, theme)
      const name = `${storySlug(chart.title) || 'chart'}.${as}`
      download(as === 'svg' ? svg : await chartPng(svg), name)
    } catch {
      setProblem('Can’t create the image.')
    }
  }
  return (
    <div className={css.bar}>
      {kinds.length > 1 && (
        <select
          className={css.kinds}
          aria-label="Chart type"
          value={chart.kind}
          onChange={(event) => onKind(event.target.value as ChartKind)}
        >
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {KIND_WORDS[kind]}
            </option>
          ))}
        </select>
      )}
      <button type="button" className={css.tool} aria-pressed={isData} onClick={onData}>
        Rows
      </button>
      <button type="button" className={css.tool} aria-label="Download as PNG" onClick={() => void save('png')}>
        ⤓ PNG
      </button>
      <button type="button" className={css.tool} aria-label="Download as SVG" onClick={() => void save('svg')}>
        ⤓ SVG
      </button>
      <span role="status" className={css.said}>
        {problem}
      </span>
    </div>
  )
}

const KIND_WORDS: Readonly<Record<ChartKind, string>> = {
  bar: 'Bars',
  stacked_bar: 'Stacked bars',
  line: 'Line',
  area: 'Area',
  stacked_area: 'Stacked area',
  pie: 'Pie',
  scatter: 'Scatter',
  radar: 'Radar',
  kpi: 'Figures',
}
