export interface GridPlace {
  /** -1 is the header. */
  readonly row: number
  readonly column: number
}

export interface GridSelection {
  /** Anchor of the selection. */
  readonly from: GridPlace
  /** Cell with the keyboard focus. */
  readonly at: GridPlace
}

export interface GridExtent {
  readonly rows: number
  readonly columns: number
  /** Rows per page key. */
  readonly page: number
}

export interface GridKey {
  readonly key: string
  readonly shift: boolean
  /** True with Ctrl or ⌘. */
  readonly command: boolean
}

export const HEADER = -1

/** Selection after a key; undefined for a key that does not move. */
export function moved(selection: GridSelection, key: GridKey, extent: GridExtent): GridSelection | undefined {
  if (key.command && key.key.toLowerCase() === 'a')
    return { from: { row: 0, column: 0 }, at: { row: extent.rows - 1, column: extent.columns - 1 } }
  const at = destination(selection.at, key, extent)
  if (at === undefined) return undefined
  const isExtended = key.shift && at.row !== HEADER && selection.from.row !== HEADER
  return { from: isExtended ? selection.from : at, at }
}

function destination({ row, column }: GridPlace, { key, command }: GridKey, extent: GridExtent): GridPlace | undefined {
  const [lastRow, lastColumn] = [extent.rows - 1, extent.columns - 1]
  const to = (nextRow: number, nextColumn: number): GridPlace => ({
    row: Math.max(HEADER, Math.min(lastRow, nextRow)),
    column: Math.max(0, Math.min(lastColumn, nextColumn)),
  })
  switch (key) {
    case 'ArrowUp':
      return to(command ? 0 : row - 1, column)
    case 'ArrowDown':
      return to(command ? lastRow : row + 1, column)
    case 'ArrowLeft':
      return to(row, command ? 0 : column - 1)
    case 'ArrowRight':
      return to(row, command ? lastColumn : column + 1)
    case 'PageUp':
      return to(Math.max(0, row - extent.page), column)
    case 'PageDown':
      return to(row + extent.page, column)
    case 'Home':
      return to(command ? 0 : row, 0)
    case 'End':
      return to(command ? lastRow : row, lastColumn)
    default:
      return undefined
  }
}

export interface GridArea {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
}

export const areaOf = ({ from, at }: GridSelection): GridArea => ({
  top: Math.min(from.row, at.row),
  bottom: Math.max(from.row, at.row),
  left: Math.min(from.column, at.column),
  right: Math.max(from.column, at.column),
})

export const isInside = ({ top, bottom, left, right }: GridArea, row: number, column: number): boolean =>
  row >= top && row <= bottom && column >= left && column <= right

/** The cells in spreadsheet format; tabs and line breaks inside a cell are replaced, because they would split it. */
export function tsvOf(area: GridArea, cellAt: (row: number, column: number) => string): string {
  const lines: string[] = []
  for (let row = area.top; row <= area.bottom; row++) {
    const cells: string[] = []
    for (let column = area.left; column <= area.right; column++)
      cells.push(cellAt(row, column).replaceAll(/[\t\r\n]+/g, ' '))
    lines.push(cells.join('\t'))
  }
  return lines.join('\n')
}
