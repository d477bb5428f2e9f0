import { useId } from 'react'
import { GridFoot } from './grid-foot.tsx'
import { GridHeader } from './grid-header.tsx'
import type { GridColumn, GridRow, GridSort } from './grid-order.ts'
import { GridRows } from './grid-rows.tsx'
import { HEADER } from './grid-selection.ts'
import { useGrid } from './use-grid.ts'
import css from './data-grid.module.css'

export interface DataGridProps {
  /** Describes the rows, for screen readers. */
  readonly label: string
  readonly columns: readonly GridColumn[]
  /** Rows read so far, each at its index. */
  readonly rows: readonly (GridRow | undefined)[]
  /** Total number of rows; default: the length of `rows`. */
  readonly rowCount?: number
  /** The result has more rows than were read. */
  readonly isCut?: boolean
  /** Called for visible rows that are not loaded; `to` is exclusive. */
  readonly onNeed?: (from: number, to: number) => void
  /** If given, the caller sorts the rows; otherwise they are sorted here, once all are loaded. */
  readonly sort?: GridSort | undefined
  readonly onSort?: (sort: GridSort | undefined) => void
  /** A cited cell: its 0-based row in query order. */
  readonly marked?: { readonly row: number; readonly column: string } | undefined
  /** Fills its container instead of fitting its rows up to a limit. */
  readonly isFilling?: boolean
}

/** The rows of a result. Rows and columns out of sight are not rendered. */
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
