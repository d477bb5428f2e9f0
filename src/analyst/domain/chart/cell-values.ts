import { codePoints, ellipsis } from '../../../kernel/domain/text.ts'
import { visibleLine } from '../../../kernel/domain/trust/visible.ts'
import type { ChartCell } from './chart.ts'
import { fitLabels } from './fit-labels.ts'
import { readMoment, type Moment } from './moment.ts'

const NUMBER = /^[-+]?(?:\d{1,40}|\d{1,3}(?:,\d{3}){1,12})?(?:\.\d{1,40})?(?:e[-+]?\d{1,3})?$/i
const NO_NUMBER = /^(?:nan|[-+]?inf(?:inity)?|)$/i
const LONGEST_NUMBER = 60

/**
 * Converts a cell to a number. Big integers and decimals are text; an engine's "no number" values are null like NULL.
 * Undefined for anything else.
 */
export function numberOf(cell: ChartCell): number | null | undefined {
  if (cell === null) return null
  if (typeof cell === 'number') return Number.isFinite(cell) ? drawable(cell) : null
  if (typeof cell === 'boolean' || cell.length > LONGEST_NUMBER) return undefined
  const text = cell.trim()
  if (NO_NUMBER.test(text)) return null
  if (!NUMBER.test(text) || !/\d/.test(text)) return undefined
  return drawable(Number(text.replaceAll(',', '')))
}

// Axis steps are rounded to 20 decimals; beyond these limits no step is left.
const FURTHEST = 1e30
const NEAREST = 1e-15

const drawable = (value: number): number | undefined =>
  Math.abs(value) > FURTHEST || Number.isNaN(value) ? undefined : Math.abs(value) < NEAREST ? 0 : value

/** The numbers of a column; undefined if a cell is not a number, or all are null. */
export function numbersOf(cells: readonly ChartCell[]): readonly (number | null)[] | undefined {
  const values: (number | null)[] = []
  for (const cell of cells) {
    const value = numberOf(cell)
    if (value === undefined) return undefined
    values.push(value)
  }
  return values.some((value) => value !== null) ? values : undefined
}

/**
 * The moments of a column; undefined if a cell is not a moment, or all are null. Whole numbers from 1900 to 2100 are
 * years.
 */
export function momentsOf(cells: readonly ChartCell[]): readonly (Moment | null)[] | undefined {
  const moments: (Moment | null)[] = []
  for (const cell of cells) {
    const moment = cell === null || cell === '' ? null : readMoment(cell)
    if (moment === undefined) return undefined
    moments.push(moment)
  }
  return moments.some((moment) => moment !== null) ? moments : undefined
}

const LONGEST_LABEL = 80
const LONGEST_LOOKED_AT = 1_000
// Not allowed in XML, although they are not hidden characters.
const NONCHARACTERS = /[\uFDD0-\uFDEF\uFFFE\uFFFF]/g

/** Returns a label for a picture: one line, no hidden characters, of readable length. */
export const labelOf = (cell: ChartCell): string => ellipsis(textOf(cell), LONGEST_LABEL)

/** The labels of a column: at most as long as those from `labelOf`, and different for different texts. */
export function labelsOf(cells: readonly ChartCell[]): readonly string[] {
  const texts = cells.map(textOf)
  const short = fitLabels([...new Set(texts)], LONGEST_LABEL, codePoints)
  return texts.map((text) => short.get(text)!)
}

const textOf = (cell: ChartCell): string =>
  cell === null
    ? NO_VALUE
    : visibleLine(String(cell).slice(0, LONGEST_LOOKED_AT)).replaceAll(NONCHARACTERS, '') || EMPTY

const NO_VALUE = '(none)'
const EMPTY = '(empty)'
