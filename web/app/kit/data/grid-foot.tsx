import { numberOf } from '../../../../src/analyst/domain/chart/cell-values.ts'
import { figureText } from '../../../../src/analyst/domain/chart/figure-text.ts'
import { cellText } from '../../../../src/context/domain/results/cell-text.ts'
import { plural } from '../../../../src/kernel/domain/text.ts'
import { HEADER } from './grid-selection.ts'
import type { Grid } from './use-grid.ts'
import css from './data-grid.module.css'

/** Row counts, the selection, and the full text of a cell on request. */
export function GridFoot({ grid, isCut }: { readonly grid: Grid; readonly isCut: boolean }) {
  const { rowCount, columns, selection, isReading, said } = grid
  const at = selection !== undefined && selection.at.row !== HEADER ? selection.at : undefined
  const count = `${isCut ? 'More than ' : ''}${rowCount.toLocaleString('en-US')} ${rowCount === 1 ? 'row' : 'rows'} × ${plural(columns.length, 'column')}`
  return (
    <div className={css.foot}>
      {isReading && at !== undefined && <CellReader grid={grid} row={at.row} column={at.column} />}
      <div className={css.footLine}>
        <span>{count}</span>
        <span className={css.footCell}>{at === undefined ? '' : summary(grid)}</span>
        <span role="status">{said}</span>
      </div>
    </div>
  )
}

function CellReader({ grid, row, column }: { readonly grid: Grid; readonly row: number; readonly column: number }) {
  const shape = grid.columns[column]!
  const cells = grid.rowAt(row)
  const text = cells === undefined ? '' : cellText(cells[column] ?? null, shape)
  return (
    <div className={css.reader} role="region" aria-label={`${shape.name}, row ${grid.numberAt(row)}`} tabIndex={0}>
      <div className={css.readerHead}>
        <span>
          {shape.name} · row {grid.numberAt(row).toLocaleString('en-US')}
        </span>
        <button type="button" className={css.close} onClick={() => grid.read(false)}>
          Close
        </button>
      </div>
      {text === null ? <span className={css.null}>null</span> : <pre className={css.readerText}>{text}</pre>}
    </div>
  )
}

const MOST_SUMMED = 20_000

/**
 * Describes the selection: one cell by its column and row, several by their number, with their sum if all are numbers.
 */
function summary(grid: Grid): string {
  const { area, selection, columns } = grid
  if (area === undefined || selection === undefined) return ''
  const cells = (area.bottom - area.top + 1) * (area.right - area.left + 1)
  const { row, column } = selection.at
  if (cells === 1) return `${columns[column]!.name}, row ${grid.numberAt(row).toLocaleString('en-US')} · ⏎ reads it`
  const told = `${cells.toLocaleString('en-US')} cells`
  if (cells > MOST_SUMMED) return told
  let sum = 0
  for (let y = area.top; y <= area.bottom; y++)
    for (let x = area.left; x <= area.right; x++) {
      const value = columns[x]!.isNumber ? numberOf(grid.rowAt(y)?.[x] ?? null) : undefined
      if (value === undefined) return told
      sum += value ?? 0
    }
  return `${told} · sum ${figureText(sum)}`
}
