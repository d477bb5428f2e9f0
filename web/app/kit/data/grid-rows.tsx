import { memo, type MouseEvent } from 'react'
import { cellText } from '../../../../src/context/domain/results/cell-text.ts'
import { isInside, type GridPlace } from './grid-selection.ts'
import { GUTTER, ROW, type Grid } from './use-grid.ts'
import css from './data-grid.module.css'

/** The visible rows. Pointer events are handled here, so that an unchanged cell is not rendered again. */
export function GridRows({ id, grid }: { readonly id: string; readonly grid: Grid }) {
  const onPointed = (event: MouseEvent, isExtending: boolean): void => {
    const place = placeOf(event)
    if (place !== undefined) grid.select(place, isExtending)
  }
  return (
    <div
      role="rowgroup"
      onMouseDown={(event) => event.button === 0 && onPointed(event, event.shiftKey)}
      onMouseOver={(event) => event.buttons === 1 && onPointed(event, true)}
      onDoubleClick={(event) => placeOf(event) !== undefined && grid.read(true)}
    >
      {grid.rowWindow.getVirtualItems().map(({ index, start }) => (
        <div
          key={index}
          className={css.row}
          role="row"
          aria-rowindex={index + 2}
          style={{ blockSize: ROW, transform: `translateY(${start}px)` }}
        >
          <div className={css.gutter} role="rowheader" aria-colindex={1} style={{ inlineSize: GUTTER }}>
            {grid.numberAt(index)}
          </div>
          <Cells id={id} grid={grid} row={index} />
        </div>
      ))}
    </div>
  )
}

function placeOf({ target }: MouseEvent): GridPlace | undefined {
  const cell = (target as Element).closest<HTMLElement>('[data-row]')
  return cell === null ? undefined : { row: Number(cell.dataset['row']), column: Number(cell.dataset['column']) }
}

function Cells({ id, grid, row }: { readonly id: string; readonly grid: Grid; readonly row: number }) {
  const cells = grid.rowAt(row)
  const { marked, area, selection } = grid
  return grid.columnWindow.getVirtualItems().map(({ index: column, start, size }) => {
    const shape = grid.columns[column]!
    const isActive = selection?.at.row === row && selection.at.column === column
    const isSelected = area !== undefined && isInside(area, row, column)
    const isMarked = marked?.row === row && marked.column === column
    return (
      <Cell
        key={column}
        id={`${id}-${row}-${column}`}
        text={cells === undefined ? undefined : cellText(cells[column] ?? null, shape)}
        row={row}
        column={column}
        start={start}
        size={size}
        isNumber={shape.isNumber}
        look={[isActive && css.active, isSelected && css.selected, isMarked && css.marked].filter(Boolean).join(' ')}
        isSelected={isSelected}
      />
    )
  })
}

interface CellProps {
  readonly id: string
  /** Undefined while it loads. */
  readonly text: string | null | undefined
  readonly row: number
  readonly column: number
  readonly start: number
  readonly size: number
  readonly isNumber: boolean
  readonly look: string
  readonly isSelected: boolean
}

const Cell = memo(function Cell({ id, text, row, column, start, size, isNumber, look, isSelected }: CellProps) {
  return (
    <div
      id={id}
      className={`${css.cell} ${isNumber ? css.number : ''} ${look}`}
      role="gridcell"
      aria-colindex={column + 2}
      aria-selected={isSelected}
      aria-busy={text === undefined || undefined}
      data-row={row}
      data-column={column}
      style={{ inlineSize: size, transform: `translateX(${start}px)` }}
    >
      {text === null ? <span className={css.null}>null</span> : text?.slice(0, SHOWN).replaceAll(/\s+/g, ' ')}
    </div>
  )
})

// More characters than the widest column can show; the rest would be laid out only to be clipped.
const SHOWN = 400
