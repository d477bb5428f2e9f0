import type { Cell } from '../../context/domain/sql/query.ts'
import { ellipsis, plural } from '../../kernel/domain/text.ts'
import { figuresIn, saysNumber } from './check-number.ts'
import { readable, saysWords } from './check-words.ts'
import { contraryRow } from './check-written-rows.ts'
import { readCell } from './compare-cells.ts'
import { compareTables } from './compare-tables.ts'
import type { Table, TableDifference, Tolerance } from './comparison.ts'
import { tablesInMarkdown } from './markdown-tables.ts'
import type { CaseOf } from './test-case.ts'
import type { TestCheck } from './test-run.ts'
import type { TurnFacts, TurnQuery } from './turn-facts.ts'

type SqlTest = Pick<CaseOf<'sql'>, 'compare'>

/**
 * Checks that the answer of a turn is the expected table: in a query that it cites or charts, otherwise in the last
 * that ran, and if none ran in the text itself. A correct result under a contradicting sentence fails.
 */
export function checkTable({ compare }: SqlTest, expected: Table, facts: TurnFacts): readonly TestCheck[] {
  const same =
    facts.queries.length > 0
      ? checkQueries(answering(facts), (table) => compareTables(expected, table, compare))
      : checkText(expected, facts.text, compare)
  return facts.queries.length > 0 ? [same, ...checkSentence(expected, facts, compare)] : [same]
}

const EXPECTS = 'the expected table'

function answering({ queries, citations, charted }: TurnFacts): readonly TurnQuery[] {
  const named = new Set([...citations.map(({ query }) => query), ...charted])
  const used = queries.filter(({ id }) => named.has(id))
  return used.length > 0 ? used : queries.slice(-1)
}

/** One match is enough; otherwise shows the nearest one. */
function checkQueries(
  queries: readonly TurnQuery[],
  differs: (table: Table) => ReturnType<typeof compareTables>,
): TestCheck {
  const cut = queries.filter((query) => query.cut)
  const differences: TableDifference[] = []
  for (const { result, cut: isCut } of queries) {
    const difference = differs(result)
    if (difference === undefined && !isCut) return { expects: EXPECTS, passed: true }
    if (difference !== undefined) differences.push(difference)
  }
  const rest = cut.length > 0 ? `; its result was cut after ${plural(cut.at(-1)!.result.rows.length, 'row')}` : ''
  const [difference] = differences.toSorted((a, b) => weight(a) - weight(b))
  return {
    expects: EXPECTS,
    passed: false,
    found: `${difference?.reason ?? 'the rows that are kept are the same'}${rest}`,
    ...(difference !== undefined && { difference }),
  }
}

/** Number of wrong cells; all cells of a missing row are wrong, and so are those of a table of another shape. */
const weight = ({ total, missing, extra, columns }: TableDifference): number =>
  total + (missing + extra) * columns.length || Infinity

/** Table in the text of the answer; for a single value also the surrounding text. */
function checkText(expected: Table, text: string, compare: SqlTest['compare']): TestCheck {
  const tables = tablesInMarkdown(text)
  const differences = tables.map((table) => compareTables(expected, table, compare))
  if (differences.includes(undefined)) return { expects: EXPECTS, passed: true }
  const value = singleValue(expected)
  if (value !== undefined && says(text, value, compare) === true) return { expects: EXPECTS, passed: true }
  const [difference] = differences
  const found =
    difference?.reason ?? (value === undefined ? 'no query ran, and the answer holds no table' : instead(text, value))
  return { expects: EXPECTS, passed: false, found, ...(difference !== undefined && { difference }) }
}

/** Checks the text about the result, as far as possible. */
function checkSentence(
  expected: Table,
  { text, citations, charted }: TurnFacts,
  compare: SqlTest['compare'],
): readonly TestCheck[] {
  const wrong = citations.filter(({ state }) => state === 'differs')
  const expects = 'the text says what the result says'
  if (wrong.length > 0) {
    const found = wrong.slice(0, 10).map((one) => `${one.text}, where the result has ${one.found ?? 'something else'}`)
    return [{ expects, passed: false, found: found.join('; ') }]
  }
  if (text.trim() === '' && charted.length === 0) return [{ expects: 'an answer', passed: false, found: 'it is empty' }]
  const contrary = contraryRow(expected, text)
  if (contrary !== undefined) return [{ expects, passed: false, found: contrary }]
  const value = singleValue(expected)
  if (value === undefined || text.trim() === '' || says(text, value, compare) !== false)
    return [{ expects, passed: true }]
  return [{ expects, passed: false, found: instead(text, value) }]
}

function singleValue({ columns, rows }: Table): Exclude<Cell, null> | undefined {
  return columns.length === 1 && rows.length === 1 ? (rows[0]![0] ?? undefined) : undefined
}

/** Undefined if unclear: there are too many ways to write a date or a boolean. */
function says(text: string, value: Exclude<Cell, null>, compare: SqlTest['compare']): boolean | undefined {
  const read = readCell(value)
  if (read.kind === 'boolean' || read.moment !== undefined || read.month !== undefined) return undefined
  if (read.number !== undefined && Number.isFinite(read.number.value)) {
    const tolerance: Tolerance = {
      ...(compare.relative !== undefined && { relative: compare.relative }),
      ...(compare.absolute !== undefined && { absolute: compare.absolute }),
    }
    if (saysNumber(text, read.number.value, {}) || saysNumber(text, read.number.value, tolerance)) return true
    return figuresIn(text).length === 0 ? undefined : false
  }
  const words = String(value)
  const loose = (one: string): string => readable(one).replaceAll(/[-_\s]+/g, ' ')
  return saysWords(text, words) || loose(text).includes(loose(words))
}

function instead(text: string, value: Exclude<Cell, null>): string {
  const figures = figuresIn(text)
  const said = typeof value === 'string' && readCell(value).number === undefined ? [] : figures
  const what = `the answer does not say ${ellipsis(String(value), 100)}`
  return said.length === 0 ? what : `${what}, but ${said.slice(0, 10).join(', ')}`
}
