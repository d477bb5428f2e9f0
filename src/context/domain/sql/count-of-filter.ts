import { lexRulesOf, type SqlDialect } from './dialect.ts'
import { lex, type Token } from './lex.ts'
import type { QueryResult } from './query.ts'

/**
 * Whether a result may be an aggregate over no rows: one row in which something is 0 or missing. Only counting the
 * filtered rows can confirm it.
 */
export const mayCountNothing = ({ rows }: QueryResult): boolean =>
  rows.length === 1 && rows[0]!.some((cell) => cell === null || Number(cell === '' ? Number.NaN : cell) === 0)

/**
 * A statement that counts the rows that an aggregate is computed from; undefined for anything but one plain SELECT
 * without groups, in which nothing but the conditions selects rows.
 */
export function countOfFilter(sql: string, dialect: SqlDialect): string | undefined {
  const lexed = lex(sql, lexRulesOf(dialect))
  if ('error' in lexed) return undefined
  const outer = outerTokens(lexed.tokens)
  const select = outer.find(({ token }) => token.value === 'SELECT')?.at
  const from = outer.find(
    ({ token, at }) => token.value === 'FROM' && at > (select ?? 0) && lexed.tokens[at - 1]?.value !== 'DISTINCT',
  )?.at
  if (select === undefined || from === undefined || outer.some(({ token }) => GROUPED.has(token.value)))
    return undefined
  const end = outer.find(({ token, at }) => at > from && ENDING.has(token.value))?.at ?? lexed.tokens.length
  const text = (tokens: readonly Token[]): string =>
    tokens.map((token) => `${token.spaced ? ' ' : ''}${token.text}`).join('')
  return `${text(lexed.tokens.slice(0, select))} SELECT count(*) AS n${text(lexed.tokens.slice(from, end))}`.trim()
}

const GROUPED = new Set(['GROUP', 'UNION', 'INTERSECT', 'EXCEPT', 'MINUS', 'QUALIFY', 'TOP'])
const ENDING = new Set(['HAVING', 'ORDER', 'LIMIT', 'OFFSET', 'FETCH', 'FOR', 'WINDOW', ';'])

/** Tokens outside all brackets. */
function outerTokens(tokens: readonly Token[]): readonly { readonly token: Token; readonly at: number }[] {
  let depth = 0
  return tokens.flatMap((token, at) => {
    if (token.text === '(') depth++
    if (token.text === ')') depth--
    return depth === 0 && (token.kind === 'word' || token.text === ';') ? [{ token, at }] : []
  })
}
