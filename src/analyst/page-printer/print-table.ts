import { COLOURS, shown, type Sheet, type Strip } from './sheet.ts'

export interface PrintedTable {
  readonly head: readonly { readonly name: string; readonly isRight: boolean }[]
  readonly rows: readonly (readonly (string | null)[])[]
}

const PAD = 3
const BETWEEN = 8
const NARROWEST = 30
// Longer cells are not readable on paper, and one cell must not fill a page.
const LONGEST_CELL = 600
const TALLEST_ROW = 240
const SAMPLED = 300

/** Prints a table with its head repeated on every page; no row breaks across pages. */
export function printTable(sheet: Sheet, { head, rows }: PrintedTable, strip: Strip): void {
  const { doc } = sheet
  const most = Math.floor((strip.width + BETWEEN) / (NARROWEST + BETWEEN))
  const columns = head.slice(0, most)
  if (columns.length === 0) return
  const size = columns.length > 9 ? 6.5 : columns.length > 6 ? 7.5 : 8.5
  const cells = rows.map((row) => columns.map((_, x) => cellOf(row[x] ?? null)))
  const names = columns.map(({ name }) => cellOf(name))
  doc.font('bold', size)
  const widths = widthsOf(sheet, [names, ...cells.slice(0, SAMPLED)], strip.width)
  const line = (row: readonly string[], font: 'plain' | 'bold', isFirst: boolean): void => {
    doc.font(font, size)
    const inner = Math.min(
      TALLEST_ROW,
      Math.max(...row.map((cell, x) => doc.heightOfString(cell, { width: widths[x]! }))),
    )
    const height = inner + 2 * PAD
    if (!isFirst && doc.y + height > sheet.bottom) {
      doc.addPage()
      line(names, 'bold', true)
      doc.font(font, size)
    }
    const top = doc.y
    let x = strip.x
    row.forEach((cell, at) => {
      const width = widths[at]!
      doc.fillColor(cell === NULL ? COLOURS.soft : COLOURS.ink)
      doc.text(cell, x, top + PAD, {
        width,
        height: inner + 1,
        ellipsis: true,
        align: columns[at]!.isRight ? 'right' : 'left',
      })
      x += width + BETWEEN
    })
    doc.y = top + height
    const end = Math.min(strip.x + strip.width, x - BETWEEN)
    doc.strokeColor(font === 'bold' ? COLOURS.soft : COLOURS.line).lineWidth(font === 'bold' ? 0.9 : 0.5)
    doc.moveTo(strip.x, doc.y).lineTo(end, doc.y).stroke()
  }
  // The head stays with at least one row.
  sheet.need(size * 6)
  line(names, 'bold', true)
  for (const row of cells) line(row, 'plain', false)
  doc.x = strip.x
  if (columns.length < head.length) {
    doc.font('plain', 8).fillColor(COLOURS.soft)
    doc.text(`${head.length - columns.length} more columns do not fit on paper.`, strip.x, doc.y + 4, {
      width: strip.width,
    })
  }
  doc.y += 12
}

const NULL = '∅'

const cellOf = (cell: string | null): string =>
  cell === null ? NULL : shown(cell.length > LONGEST_CELL ? `${cell.slice(0, LONGEST_CELL)}…` : cell) || ' '

/** Returns column widths: as wide as needed; if that is too much, the widest shrink. */
function widthsOf({ doc }: Sheet, rows: readonly (readonly string[])[], room: number): number[] {
  const count = rows[0]!.length
  const natural = Array.from({ length: count }, (_, x) =>
    Math.max(NARROWEST / 2, ...rows.map((row) => doc.widthOfString(row[x]!.slice(0, 120)) + 2)),
  )
  let left = room - BETWEEN * (count - 1)
  if (natural.reduce((sum, width) => sum + width, 0) <= left) return natural
  const widths = [...natural]
  const order = natural.map((_, x) => x).toSorted((a, b) => natural[a]! - natural[b]!)
  for (const [at, x] of order.entries()) {
    widths[x] = Math.min(natural[x]!, left / (count - at))
    left -= widths[x]
  }
  return widths
}
