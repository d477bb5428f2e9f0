import type { Cell, QueryResult } from '../sql/query.ts'

export type ResultColumn = QueryResult['columns'][number]

/** A cell as text without loss; null stays null. A decimal has the digits of its type: 37.00. */
export function cellText(cell: Cell, { type }: ResultColumn): string | null {
  if (cell === null) return null
  const scale = typeof cell === 'number' ? scaleOf(type) : undefined
  // Up to 15 digits are exact in a double, so they are shown as stored. SQLite may store more decimals than the type
  // allows.
  const stored = scale === undefined ? undefined : (cell as number).toFixed(scale)
  return stored !== undefined && Number(stored) === cell ? stored : String(cell)
}

/** Decimals of `DECIMAL(10,2)`; undefined if the type does not define them. */
function scaleOf(type: string): number | undefined {
  const scale = /^(?:decimal|numeric|number)\(\d+, ?(\d+)\)$/i.exec(type)?.[1]
  return scale === undefined || Number(scale) > MOST_DIGITS ? undefined : Number(scale)
}

const MOST_DIGITS = 38

/** Whether a column contains numbers, which are right-aligned. */
export const isNumeric = ({ type }: ResultColumn): boolean => NUMBERS.test(type)

const NUMBERS =
  /^(?:u?(?:tiny|small|medium|big|huge)?int(?:eger)?\d*|u?hugeint|bignum|serial|bigserial|long|short|byte|decimal|numeric|number|bignumeric|fixed|float\d*|real|double(?: precision)?|money|smallmoney|newdecimal)(?:\(.*\))?(?: unsigned)?$/i

/** A unique name for every column: `a`, `a_1`, for formats with rows as objects. */
export function distinctNames(columns: readonly ResultColumn[]): readonly string[] {
  const taken = new Set<string>()
  return columns.map(({ name }) => {
    let own = name
    for (let next = 1; taken.has(own.toLowerCase()); next++) own = `${name}_${next}`
    taken.add(own.toLowerCase())
    return own
  })
}
