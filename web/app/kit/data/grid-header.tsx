import type { PointerEvent } from 'react'
import { HEADER } from './grid-selection.ts'
import { GUTTER, HEAD, type Grid } from './use-grid.ts'
import css from './data-grid.module.css'

/** Column names and types; clicking a name sorts, and dragging its edge resizes. */
export function GridHeader({ id, grid }: { readonly id: string; readonly grid: Grid }) {
  return (
    <div className={css.head} role="rowgroup" style={{ blockSize: HEAD }}>
      <div role="row" aria-rowindex={1}>
        <div
          className={`${css.corner} ${css.gutter}`}
          role="columnheader"
          aria-colindex={1}
          style={{ inlineSize: GUTTER }}
        >
          <span className="visually-hidden">Row</span>
        </div>
        {grid.columnWindow.getVirtualItems().map(({ index, start, size }) => (
          <ColumnHeader key={index} id={`${id}-h-${index}`} grid={grid} at={index} start={start} size={size} />
        ))}
      </div>
    </div>
  )
}

interface ColumnHeaderProps {
  readonly id: string
  readonly grid: Grid
  readonly at: number
  readonly start: number
  readonly size: number
}

function ColumnHeader({ id, grid, at, start, size }: ColumnHeaderProps) {
  const { name, type, isNumber } = grid.columns[at]!
  const direction = grid.sort?.column === at ? grid.sort.direction : undefined
  const isActive = grid.selection?.at.row === HEADER && grid.selection.at.column === at
  return (
    <div
      id={id}
      className={isActive ? `${css.headCell} ${css.active}` : css.headCell}
      role="columnheader"
      aria-colindex={at + 2}
      aria-sort={grid.unsortable === '' ? (direction ?? 'none') : undefined}
      style={{ inlineSize: size, transform: `translateX(${start}px)` }}
      title={grid.unsortable === '' ? `${name}, ${type}` : `${name}, ${type}. ${grid.unsortable}`}
      onClick={() => {
        grid.select({ row: HEADER, column: at }, false)
        grid.sortBy(at)
      }}
    >
      <span className={isNumber ? `${css.name} ${css.number}` : css.name}>
        <span className={css.cut}>{name}</span>
        {direction !== undefined && <span aria-hidden>{direction === 'ascending' ? '↑' : '↓'}</span>}
      </span>
      <span className={isNumber ? `${css.type} ${css.number}` : css.type}>{type.toLowerCase()}</span>
      <span
        className={css.edge}
        aria-hidden
        onPointerDown={(event) => drag(event, size, (width) => grid.resize(at, width))}
        onDoubleClick={() => grid.fit(at)}
        onClick={(event) => event.stopPropagation()}
      />
    </div>
  )
}

function drag(event: PointerEvent<HTMLElement>, before: number, resize: (width: number) => void): void {
  event.preventDefault()
  const { currentTarget: edge, clientX: from, pointerId } = event
  edge.setPointerCapture(pointerId)
  const move = (moved: globalThis.PointerEvent): void => resize(before + moved.clientX - from)
  edge.addEventListener('pointermove', move)
  edge.addEventListener('lostpointercapture', () => edge.removeEventListener('pointermove', move), { once: true })
}
