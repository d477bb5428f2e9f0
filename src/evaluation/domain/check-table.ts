import { isWithin, rangesOf } from '../../analyst/domain/citation/figures-of.ts'
import { numbersIn } from '../../analyst/domain/citation/number-in-text.ts'
import type { Cell } from '../../context/domain/sql/query.ts'
import { ellipsis, plural } from '../../kernel/domain/text.ts'
import { isTableRule, tableCells } from '../../kernel/domain/text/table-lines.ts'
import { figuresIn, saysNumber } from './check-number.ts'
import { readable, saysWords } from './check-words.ts'
import { readCell } from './compare-cells.ts'
import { compareTables } from './compare-tables.ts'
import type { Table, TableDifference, Tolerance } from './comparison.ts'
import type { CaseOf } from './test-case.ts'
import type { TestCheck } from './test-run.ts'
import type { TurnFacts, TurnQuery } from './turn-facts.ts'

type SqlTest = Pick<CaseOf<'sql'>, 'compare'>

/**
 * Checks that a turn's answer is the expected table: in a query that it cites or charts, otherwise in the last query
 * that ran, and if none ran, in the text itself. A correct result under a sentence that contradicts it fails.
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

/** Passes if one query matches; otherwise reports the nearest one. */
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
  const expects = 'the text matches the result'
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

/** Whether a text contains a value; undefined if unclear: there are too many ways to write a date or a boolean. */
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

const MOST_ROWS = 1_000

/**
 * Row of a table in an answer that names an expected row but has other numbers. The table may omit or add rows and
 * columns, round, and count in thousands; all numbers must be present only if it shows the same number of columns.
 */
function contraryRow(expected: Table, answer: string): string | undefined {
  const named = rowsByName(expected)
  for (const { columns, rows } of tablesInMarkdown(answer)) {
    for (const row of rows.slice(0, MOST_ROWS)) {
      const cells = row.map((cell) => String(cell ?? ''))
      const wanted = cells.map((cell) => named.get(readable(cell))).find((numbers) => numbers !== undefined)
      const shown = cells.filter((cell) => !named.has(readable(cell))).join(' | ')
      if (wanted === undefined || numbersIn(shown).length === 0) continue
      const absent = wanted.filter((value) => !isShown(shown, value))
      const isContrary = columns.length >= expected.columns.length ? absent.length > 0 : absent.length === wanted.length
      if (isContrary && absent.length > 0)
        return `it writes “${cells.join(' | ').slice(0, 200)}”, where the result has ${absent.slice(0, 5).join(', ')}`
    }
  }
  return undefined
}

/** Numbers of each row that one of its words identifies uniquely. */
function rowsByName({ rows }: Table): ReadonlyMap<string, readonly number[]> {
  const names = new Map<string, readonly number[] | undefined>()
  for (const row of rows.slice(0, MOST_ROWS)) {
    const cells = row.map(readCell)
    const numbers = cells.flatMap(({ kind, number }) =>
      kind === 'number' && Number.isFinite(number!.value) ? [number!.value] : [],
    )
    for (const { kind, text = '', number, moment } of cells)
      if (kind === 'text' && number === undefined && moment === undefined && /\p{L}/u.test(text))
        names.set(readable(text), names.has(readable(text)) ? undefined : numbers)
  }
  return new Map([...names].flatMap(([name, numbers]) => (numbers === undefined ? [] : [[name, numbers] as const])))
}

// Percent, thousands, millions and billions, as a column header may state.
const UNITS = [1, 0.01, 1e3, 1e6, 1e9]

const isShown = (row: string, value: number): boolean =>
  numbersIn(row).some((number) => {
    const ranges = rangesOf(number, { isFall: true })
    return UNITS.some((unit) => isWithin(ranges, value / unit))
  })

/** Markdown tables in an answer. Cells stay text; an empty cell or NULL is null. */
function tablesInMarkdown(text: string): readonly Table[] {
  const lines = text.split('\n')
  const tables: Table[] = []
  for (let at = 1; at < lines.length; at++) {
    if (!isTableRule(lines[at]!) || !lines[at - 1]!.includes('|')) continue
    const names = tableCells(lines[at - 1]!)
    const rows: (readonly Cell[])[] = []
    while (at + 1 < lines.length && lines[at + 1]!.includes('|')) rows.push(tableCells(lines[++at]!).map(cellOf))
    tables.push({ columns: names.map((name) => ({ name: bare(name) })), rows })
  }
  return tables
}

const LINK = /\[([^[\]]{0,300})\]\([^()]{0,500}(?:\([^()]{0,100}\)[^()]{0,100})?\)/g

const bare = (cell: string): string =>
  cell
    .replaceAll(LINK, '$1')
    .replaceAll(/^[*_`]{1,3}|[*_`]{1,3}$/g, '')
    .trim()

function cellOf(written: string): Cell {
  const text = bare(written)
  return /^(?:|null|none|n\/a|[-–—])$/i.test(text) ? null : text
}
