import type { Tone } from './styled.ts'
import type { View } from './view.ts'
import { displayWidth, fitWidth, padWidth } from './width.ts'

export interface Column {
  readonly align?: 'right'
  /** Cut before other columns if a line does not fit. */
  readonly shrinks?: boolean
  /** Tone of the column's cells; applied after cutting, so that a mark is never cut. */
  readonly tone?: Tone | ((row: number) => Tone | undefined)
  /** Marks parts inside a cell; used instead of `tone`. */
  readonly paint?: (text: string) => string
}

const GAP = '  '
const SHORTEST = 8
const LAST_RESORT = 3

/** One line per row, with aligned cells; on a terminal every line fits its width. */
export function table(
  rows: readonly (readonly string[])[],
  columns: readonly Column[],
  view: View,
  indent = '',
): string[] {
  const cells = rows.map((row) => row.map((cell) => cell.replaceAll(/\s+/g, ' ').trim()))
  const natural = columns.map((_, at) => cells.reduce((most, row) => Math.max(most, displayWidth(row[at] ?? '')), 0))
  const used = columns.map((_, at) => at).filter((at) => natural[at]! > 0)
  const room = view.width - indent.length - GAP.length * Math.max(0, used.length - 1)
  const widths = fitted(natural, columns, room)
  return cells.map((row, y) => {
    const texts = used.map((at) => {
      const cell = fitWidth(row[at] ?? '', widths[at]!)
      const space = ' '.repeat(Math.max(0, widths[at]! - displayWidth(cell)))
      const shown = painted(cell, columns[at]!, y, view)
      if (columns[at]!.align === 'right') return space + shown
      return at === used.at(-1) ? shown : shown + space
    })
    return `${indent}${texts.join(GAP)}`.trimEnd()
  })
}

/** Aligned names and values, one line each. */
export function facts(pairs: readonly (readonly [name: string, value: string])[], view: View, indent = '  '): string[] {
  const width = Math.max(0, ...pairs.map(([name]) => displayWidth(name)))
  return pairs.map(([name, value]) => `${indent}${view.mark('dim', padWidth(name, width))}  ${value}`)
}

function painted(cell: string, { tone, paint }: Column, row: number, view: View): string {
  if (paint !== undefined) return paint(cell)
  const chosen = typeof tone === 'function' ? tone(row) : tone
  return chosen === undefined ? cell : view.mark(chosen, cell)
}

/** Column widths that fit: shrinks the widest shrinkable column first; if that is not enough, the widest of all. */
function fitted(natural: readonly number[], columns: readonly Column[], room: number): number[] {
  const widths = [...natural]
  const shrink = (candidates: readonly number[], least: number) => {
    let over = widths.reduce((sum, width) => sum + width, 0) - room
    while (over > 0) {
      const widest = candidates.reduce((a, b) => (widths[b]! > widths[a]! ? b : a), candidates[0]!)
      if (widest === undefined || widths[widest]! <= least) return
      widths[widest]!--
      over--
    }
  }
  const all = columns.map((_, at) => at)
  shrink(
    all.filter((at) => columns[at]!.shrinks === true),
    SHORTEST,
  )
  shrink(all, LAST_RESORT)
  return widths
}
