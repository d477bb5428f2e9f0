import type { Cell } from '../../context/domain/sql/query.ts'
import { momentInCell, monthInCell } from './compare-moments.ts'
import { numberInCell, numberOfInteger, ofOne, type ReadNumber } from './compare-numbers.ts'

/** All possible readings of a cell; which one applies depends on the column it is compared with. */
export interface ReadCell {
  readonly kind: 'null' | 'boolean' | 'number' | 'text'
  readonly number?: ReadNumber
  readonly moment?: string
  /** Start of a month that is written without a day. */
  readonly month?: string
  readonly truth?: boolean
  /** Normalised to one Unicode form and trimmed. */
  readonly text?: string
}

/** How the cells of two columns are read, the same on both sides. */
export interface ReadingMode {
  /** Numeric texts are numbers. */
  readonly numeric: boolean
  readonly boolean: boolean
  readonly monthly: boolean
  /** 12.3% is 12.3 and not 0.123. */
  readonly inPercent: boolean
}

/** Cell in the form in which it is compared: numbers by value, everything else by its key. */
export interface KnownCell {
  readonly key: string
  readonly number?: ReadNumber
}

export function readCell(cell: Cell | undefined): ReadCell {
  if (cell === null || cell === undefined) return NULL
  if (typeof cell === 'boolean') return { kind: 'boolean', truth: cell }
  if (typeof cell === 'number') return { kind: 'number', number: { value: cell }, ...truthOf(String(cell)) }
  if (typeof cell === 'bigint') return { kind: 'number', number: numberOfInteger(cell), ...truthOf(String(cell)) }
  const text = cell.normalize('NFC').trim()
  const number = numberInCell(text)
  const moment = momentInCell(text)
  const month = monthInCell(text)
  return {
    kind: 'text',
    text,
    ...(number !== undefined && { number }),
    ...(moment !== undefined && { moment }),
    ...(month !== undefined && { month }),
    ...truthOf(text.toLowerCase()),
  }
}

const NULL: ReadCell = { kind: 'null' }
const TRUTHS = new Map([
  ['true', true],
  ['t', true],
  ['yes', true],
  ['1', true],
  ['false', false],
  ['f', false],
  ['no', false],
  ['0', false],
])

function truthOf(text: string): { truth?: boolean } {
  const truth = TRUTHS.get(text)
  return truth === undefined ? {} : { truth }
}

export function knownCell(read: ReadCell, mode: ReadingMode): KnownCell {
  if (read.kind === 'null') return { key: 'null' }
  if (mode.boolean && read.truth !== undefined) return { key: `is ${read.truth}` }
  if (read.moment !== undefined) return { key: `at ${read.moment}` }
  if (mode.monthly && read.month !== undefined) return { key: `at ${read.month}` }
  const isNumber = read.kind === 'number' || (mode.numeric && read.number !== undefined)
  if (!isNumber) return { key: `"${read.text ?? String(read.truth)}` }
  const number = read.number!.isPercent && !mode.inPercent ? ofOne(read.number!) : read.number!
  return { key: numberKey(number), number }
}

const numberKey = ({ value, digits, currency = '' }: ReadNumber): string =>
  // Minus zero is zero.
  `=${digits ?? String(value === 0 ? 0 : value)}${currency}`
