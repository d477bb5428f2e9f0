import { useId } from 'react'
import { GridFoot } from './grid-foot.tsx'
import { GridHeader } from './grid-header.tsx'
import type { GridColumn, GridRow, GridSort } from './grid-order.ts'
import { GridRows } from './grid-rows.tsx'
import { HEADER } from './grid-selection.ts'
import { useGrid } from './use-grid.ts'
import css from './data-grid.module.css'

export interface DataGridProps {
  /** What the rows are, for whoever does not see them. */
  readonly label: string
  readonly columns: readonly GridColumn[]
  /** Those that were read so far, each at its place. */
  readonly rows: readonly (GridRow | undefined)[]
  /** All there are; as many as are given if left out. */
  readonly rowCount?: number
  /** The result is longer than what was read. */
  readonly isCut?: boolean
  /** Rows that come into view and are not there yet; behind the last one. */
  readonly onNeed?: (from: number, to: number) => void
  /** Given, the rows come in another order; without it they are sorted here, once all are there. */
  readonly sort?: GridSort | undefined
  readonly onSort?: (sort: GridSort | undefined) => void
  /** A cell that is spoken of: its row as the query gave it, from 0. */
  readonly marked?: { readonly row: number; readonly column: string } | undefined
  /** As high as its place instead of as its rows, up to a limit. */
  readonly isFilling?: boolean
}

/** The rows of a result. Rows and columns that are out of sight are not drawn, however many there are. */
export function DataGrid(props: DataGridProps) {
  const id = useId()
  const grid = useGrid(props)
  const { selection, columns, rowCount } = grid
  const active = selection && `${id}-${selection.at.row === HEADER ? 'h' : selection.at.row}-${selection.at.column}`
  return (
    <div className={props.isFilling === true ? `${css.frame} ${css.filling}` : css.frame}>
      <div
        ref={grid.scroller}
        className={css.scroller}
        role="grid"
        aria-label={props.label}
        aria-rowcount={rowCount + 1}
        aria-colcount={columns.length + 1}
        aria-multiselectable
        aria-readonly
        aria-activedescendant={active}
        tabIndex={0}
        onKeyDown={grid.onKeyDown}
        onFocus={grid.onFocus}
      >
        <div
          className={css.inner}
          role="presentation"
          style={{ blockSize: grid.rowWindow.getTotalSize(), inlineSize: grid.columnWindow.getTotalSize() }}
        >
          <GridHeader id={id} grid={grid} />
          <GridRows id={id} grid={grid} />
        </div>
      </div>
      <GridFoot grid={grid} isCut={props.isCut === true} />
    </div>
  )
}
