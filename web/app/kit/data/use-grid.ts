import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { cellText, isNumeric } from '../../../../src/context/domain/results/cell-text.ts'
import { copyText } from '../copy-text.ts'
import type { DataGridProps } from './data-grid.tsx'
import { nextSort, orderOf, type GridColumn, type GridRow, type GridSort } from './grid-order.ts'
import { areaOf, HEADER, moved, tsvOf, type GridArea, type GridPlace, type GridSelection } from './grid-selection.ts'
import { fitted, NARROWEST, widthsOf } from './grid-widths.ts'

export const ROW = 30
export const HEAD = 44
export const GUTTER = 56
const NUDGE = 16
// A larger copy would take seconds, and no spreadsheet would accept it.
const MOST_COPIED = 1_000_000

export interface Grid {
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly columns: readonly (GridColumn & { readonly isNumber: boolean })[]
  readonly rowCount: number
  readonly rowWindow: Virtualizer<HTMLDivElement, Element>
  readonly columnWindow: Virtualizer<HTMLDivElement, Element>
  readonly selection: GridSelection | undefined
  readonly area: GridArea | undefined
  readonly sort: GridSort | undefined
  /** Why the grid cannot be sorted; empty if it can. */
  readonly unsortable: string
  /** The cited cell, if it is shown. */
  readonly marked: GridPlace | undefined
  /** Whether the full text of one cell is open. */
  readonly isReading: boolean
  readonly said: string
  /** The row at a display position; undefined while it loads. */
  rowAt(place: number): GridRow | undefined
  /** The 1-based number of that row in query order. */
  numberAt(place: number): number
  select(at: GridPlace, isExtending: boolean): void
  read(isOpen: boolean): void
  sortBy(column: number): void
  resize(column: number, width: number): void
  fit(column: number): void
  onKeyDown(event: KeyboardEvent): void
  onFocus(): void
}

export function useGrid(props: DataGridProps): Grid {
  const { rows, onNeed } = props
  const rowCount = props.rowCount ?? rows.length
  const columns = useMemo(() => props.columns.map((one) => ({ ...one, isNumber: isNumeric(one) })), [props.columns])
  const order = useOrder(props, rowCount)
  const scroller = useRef<HTMLDivElement>(null)
  const windows = useWindows(scroller, { columns: props.columns, rows, rowCount })
  const [selection, setSelection] = useState<GridSelection>()
  const [isReading, setReading] = useState(false)
  const [said, setSaid] = useState('')
  const { rowWindow, columnWindow } = windows
  const marked = useMarked(props, order.placeOf)
  useNeeded(rowWindow, { rows, rowCount, isOwnOrder: order.isOwn, onNeed })
  useEffect(() => {
    if (marked === undefined) return
    rowWindow.scrollToIndex(marked.row, { align: 'center' })
    columnWindow.scrollToIndex(marked.column, { align: 'auto' })
    // Scrolls when the cited cell is set or changes, not on every render.
  }, [marked?.row, marked?.column])

  const rowAt = (place: number): GridRow | undefined => rows[order.at(place)]
  const show = ({ row, column }: GridPlace): void => {
    rowWindow.scrollToIndex(Math.max(0, row))
    columnWindow.scrollToIndex(column)
  }
  const grid = {
    scroller,
    columns,
    rowCount,
    ...windows,
    selection,
    area: selection && selection.at.row !== HEADER ? areaOf(selection) : undefined,
    ...order.shown,
    marked,
    isReading,
    said,
    rowAt,
    numberAt: (place: number) => order.at(place) + 1,
    select(at: GridPlace, isExtending: boolean) {
      setSaid('')
      setSelection({ from: isExtending && selection ? selection.from : at, at })
    },
    read: setReading,
    onFocus() {
      if (selection === undefined && rowCount > 0) {
        const at = { row: rowWindow.range?.startIndex ?? 0, column: columnWindow.range?.startIndex ?? 0 }
        setSelection({ from: at, at })
      }
    },
  }
  return {
    ...grid,
    onKeyDown: (event) =>
      pressed(event, {
        ...grid,
        move(next) {
          setSaid('')
          setSelection(next)
          show(next.at)
        },
        tell: setSaid,
      }),
  }
}

interface Pressable extends Omit<Grid, 'onKeyDown'> {
  move(selection: GridSelection): void
  tell(line: string): void
}

function pressed(event: KeyboardEvent, grid: Pressable): void {
  const { selection, area } = grid
  if (selection === undefined || event.target !== event.currentTarget) return
  const command = event.ctrlKey || event.metaKey
  const { row, column } = selection.at
  const handled = ((): boolean => {
    if (command && event.key.toLowerCase() === 'c') return area !== undefined && copy(grid, area)
    if (event.altKey) {
      const by = event.key === 'ArrowLeft' ? -NUDGE : event.key === 'ArrowRight' ? NUDGE : 0
      if (by !== 0) grid.resize(column, (grid.columnWindow.measurementsCache[column]?.size ?? 0) + by)
      return by !== 0
    }
    if (event.key === 'Enter' || event.key === ' ') {
      if (row === HEADER) grid.sortBy(column)
      else grid.read(!grid.isReading)
      return true
    }
    if (event.key === 'Escape' && grid.isReading) {
      grid.read(false)
      return true
    }
    const page = Math.max(1, Math.floor((grid.rowWindow.scrollRect?.height ?? 300) / ROW) - 2)
    const extent = { rows: grid.rowCount, columns: grid.columns.length, page }
    const next = moved(selection, { key: event.key, shift: event.shiftKey, command }, extent)
    if (next !== undefined) grid.move(next)
    return next !== undefined
  })()
  if (!handled) return
  event.preventDefault()
  event.stopPropagation()
}

function copy(grid: Pressable, area: GridArea): boolean {
  const cells = (area.bottom - area.top + 1) * (area.right - area.left + 1)
  const missing = Array.from({ length: area.bottom - area.top + 1 }, (_, at) => grid.rowAt(area.top + at)).filter(
    (one) => one === undefined,
  ).length
  if (cells > MOST_COPIED) grid.tell('Too many cells to copy. Download the rows instead.')
  else if (missing > 0)
    grid.tell(`${missing.toLocaleString('en-US')} of these rows are not loaded. Download them instead.`)
  else
    void copyText(tsvOf(area, (row, at) => cellText(grid.rowAt(row)?.[at] ?? null, grid.columns[at]!) ?? '')).then(
      (isDone) =>
        grid.tell(
          isDone ? `Copied ${cells === 1 ? 'one cell' : `${cells.toLocaleString('en-US')} cells`}.` : 'Not copied.',
        ),
    )
  return true
}

function useOrder({ rows, columns, sort: given, onSort }: DataGridProps, rowCount: number) {
  const [own, setOwn] = useState<GridSort>()
  const isWhole = useMemo(() => rows.length >= rowCount && !rows.includes(undefined), [rows, rowCount])
  const isOwn = onSort === undefined && isWhole && own !== undefined
  const order = useMemo(
    () => (onSort === undefined && isWhole && own !== undefined ? orderOf(rows, columns, own) : undefined),
    [rows, columns, own, isWhole, onSort],
  )
  const sort = onSort === undefined ? (isWhole ? own : undefined) : given
  const unsortable = onSort === undefined && !isWhole ? 'Sorting needs all rows; scroll to load them.' : ''
  return {
    isOwn,
    at: (place: number): number => order?.[place] ?? place,
    placeOf: (row: number): number => (order === undefined ? row : order.indexOf(row)),
    shown: {
      sort,
      unsortable,
      sortBy(column: number) {
        if (unsortable !== '') return
        const next = nextSort(sort, column)
        if (onSort === undefined) setOwn(next)
        else onSort(next)
      },
    },
  }
}

function useWindows(
  scroller: RefObject<HTMLDivElement | null>,
  { columns, rows, rowCount }: Pick<DataGridProps, 'columns' | 'rows'> & { rowCount: number },
) {
  const [changed, setChanged] = useState<Readonly<Record<string, number>>>({})
  const hasRows = rows[0] !== undefined
  // Widths stay the same while more rows load.
  const fittedWidths = useMemo(() => widthsOf(columns, rows), [columns, hasRows])
  const widths = fittedWidths.map((width, at) => changed[at] ?? width)
  const getScrollElement = () => scroller.current
  const rowWindow = useVirtualizer<HTMLDivElement, Element>({
    count: rowCount,
    getScrollElement,
    estimateSize: () => ROW,
    overscan: 4,
    paddingStart: HEAD,
    scrollPaddingStart: HEAD,
  })
  const columnWindow = useVirtualizer<HTMLDivElement, Element>({
    horizontal: true,
    count: columns.length,
    getScrollElement,
    estimateSize: (at) => widths[at] ?? NARROWEST,
    overscan: 1,
    paddingStart: GUTTER,
    scrollPaddingStart: GUTTER,
  })
  const told = widths.join()
  useEffect(() => columnWindow.measure(), [told])
  const resize = (column: number, width: number): void =>
    setChanged((before) => ({ ...before, [column]: Math.max(NARROWEST, Math.round(width)) }))
  return {
    rowWindow,
    columnWindow,
    resize,
    fit: (column: number) => resize(column, fitted(column, columns[column]!, rows, 900)),
  }
}

function useMarked(
  { marked, columns }: Pick<DataGridProps, 'marked' | 'columns'>,
  placeOf: (row: number) => number,
): GridPlace | undefined {
  if (marked === undefined) return undefined
  const column = columns.findIndex(({ name }) => name === marked.column)
  return column < 0 ? undefined : { row: placeOf(marked.row), column }
}

/** Requests visible rows that are not loaded. */
function useNeeded(
  rowWindow: Virtualizer<HTMLDivElement, Element>,
  {
    rows,
    rowCount,
    isOwnOrder,
    onNeed,
  }: Pick<DataGridProps, 'rows'> & {
    rowCount: number
    isOwnOrder: boolean
    onNeed: DataGridProps['onNeed'] | undefined
  },
): void {
  const seen = rowWindow.getVirtualItems()
  const [first, last] = [seen[0]?.index ?? 0, seen.at(-1)?.index ?? -1]
  useEffect(() => {
    if (onNeed === undefined || isOwnOrder) return
    let from = first
    while (from <= last && rows[from] !== undefined) from++
    if (from <= last && from < rowCount) onNeed(from, last + 1)
  }, [first, last, rows, rowCount, isOwnOrder, onNeed])
}
