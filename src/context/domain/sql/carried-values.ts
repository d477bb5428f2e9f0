import { everyScope } from './secret-columns.ts'
import { selectLists } from './select-lists.ts'
import type { ParsedStatement } from './statement.ts'

/**
 * Whether a result column of a statement may contain values of these columns, including numbers and dates. A column
 * that is only filtered, grouped or counted by does not count.
 */
export function carriesValues(
  statement: ParsedStatement,
  personal: ReadonlySet<string>,
): (column: number, answered: number) => boolean {
  if (personal.size === 0) return () => false
  const sources = everyScope(statement.scope).flatMap((scope) => scope.sources)
  const rows = new Set(
    sources
      .flatMap((source) => [
        ...(source.kind === 'table' ? source.name.slice(-1) : []),
        ...(source.alias === undefined ? [] : [source.alias]),
      ])
      .map(fold),
  )
  const lists = isFollowed(statement) ? selectLists(statement.sql) : undefined
  if (lists === undefined) return () => true
  const carries = (item: readonly string[]): boolean => mentions(item, personal, rows)
  if (!lists.some((items) => items.some(carries))) return () => false
  const [outer, ...others] = lists
  // A value of an inner SELECT may have any name outside.
  if (others.length > 0) return () => true
  return (column, answered) => answered !== outer!.length || carries(outer![column]!)
}

/** Whether all sources are tables and subqueries, with the column names of the catalogue. */
const isFollowed = ({ kind, scope }: ParsedStatement): boolean =>
  kind === 'query' &&
  everyScope(scope).every(
    ({ ctes, sources }) =>
      ctes.every(({ columns }) => columns.length === 0) &&
      sources.every((source) => source.kind !== 'made' && source.columns.length === 0),
  )

/** Whether an item names such a column or a whole row, or contains a star; arguments of `count` are ignored. */
function mentions(item: readonly string[], personal: ReadonlySet<string>, rows: ReadonlySet<string>): boolean {
  const read = withoutCounts(item)
  return read.some((token, i) => {
    const name = fold(token.replaceAll(/^["`']|["`']$/g, ''))
    const [before, after] = [fold(read[i - 1] ?? ''), read[i + 1]]
    if (token === '*') return i === 0 || OPENS_A_STAR.has(before)
    if (before === 'as' && after === undefined) return false
    // A name or a list, depending on the engine.
    if (token.startsWith('[')) return [...personal, ...rows].some((one) => name.includes(one))
    return personal.has(name) || (rows.has(name) && after !== '.') || WHOLE_ROWS.has(name)
  })
}

const OPENS_A_STAR: ReadonlySet<string> = new Set(['.', ',', '(', 'distinct', 'all'])
const WHOLE_ROWS: ReadonlySet<string> = new Set(['columns', 'unpack'])

/** Leaves out `count(…)` with its filter. */
function withoutCounts(item: readonly string[]): readonly string[] {
  const left: string[] = []
  for (let at = 0; at < item.length; at++) {
    const isCount = fold(item[at]!) === 'count' && item[at + 1] === '('
    if (!isCount) {
      left.push(item[at]!)
      continue
    }
    at = closing(item, at + 1)
    if (fold(item[at + 1] ?? '') === 'filter' && item[at + 2] === '(') at = closing(item, at + 2)
  }
  return left
}

/** Index of the bracket that closes the one at this index. */
function closing(tokens: readonly string[], open: number): number {
  let depth = 0
  for (let at = open; at < tokens.length; at++) {
    if (tokens[at] === '(') depth++
    if (tokens[at] === ')' && --depth === 0) return at
  }
  return tokens.length
}

const fold = (name: string): string => name.toLowerCase()
