import { figureText } from '../../../../src/analyst/domain/chart/figure-text.ts'
import type { Plot } from '../../../../src/analyst/domain/chart/plot.ts'
import css from './chart-view.module.css'

/** Single figures side by side, each above its name. */
export const ChartFigures = ({ plot }: { readonly plot: Plot }) => (
  <dl className={css.figures}>
    {plot.series.map(({ label, values }) => (
      <div key={label} className={css.oneFigure}>
        <dt>{label}</dt>
        <dd>{values[0] === null || values[0] === undefined ? '–' : figureText(values[0])}</dd>
      </div>
    ))}
  </dl>
)
