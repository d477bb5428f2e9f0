import type { StripRow } from './strip-rows.ts'

/** The active cell: a row and a run. */
export interface StripPlace {
  readonly row: number
  readonly column: number
}

interface Bounds {
  readonly rows: readonly StripRow[]
  readonly columns: number
  /** Number of visible rows. */
  readonly page: number
}

/** Target of a key in the strip: arrows or h j k l, Home and End, Page Up and Page Down. Skips headings. */
export function moveInStrip(key: string, from: StripPlace, bounds: Bounds): StripPlace | undefined {
  const { columns, rows, page } = bounds
  const across = (by: number): StripPlace => ({
    ...from,
    column: Math.max(0, Math.min(columns - 1, from.column + by)),
  })
  switch (key) {
    case 'h':
    case 'left':
      return across(-1)
    case 'l':
    case 'right':
      return across(1)
    case 'home':
      return { ...from, column: 0 }
    case 'end':
      return { ...from, column: Math.max(0, columns - 1) }
    case 'j':
    case 'down':
      return { ...from, row: caseFrom(rows, from.row + 1, 1) ?? from.row }
    case 'k':
    case 'up':
      return { ...from, row: caseFrom(rows, from.row - 1, -1) ?? from.row }
    case 'pagedown':
      return { ...from, row: near(rows, from.row + page) }
    case 'pageup':
      return { ...from, row: near(rows, from.row - page) }
    case 'mod+home':
      return { row: near(rows, 0), column: 0 }
    case 'mod+end':
      return { row: near(rows, rows.length - 1), column: Math.max(0, columns - 1) }
    default:
      return undefined
  }
}

/** The first case at or after a row, in a direction. */
export function caseFrom(rows: readonly StripRow[], start: number, step: 1 | -1): number | undefined {
  for (let at = start; at >= 0 && at < rows.length; at += step) if (rows[at]!.kind === 'case') return at
  return undefined
}

function near(rows: readonly StripRow[], wanted: number): number {
  const at = Math.max(0, Math.min(rows.length - 1, wanted))
  return caseFrom(rows, at, 1) ?? caseFrom(rows, at, -1) ?? 0
}
