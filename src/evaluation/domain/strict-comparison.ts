import { lexRulesOf, type SqlDialect } from '../../context/domain/sql/dialect.ts'
import { lex } from '../../context/domain/sql/lex.ts'
import type { Comparison } from './comparison.ts'

/**
 * Comparison for a strict case: the same number of columns in the same order, and rows in order if the statement sorts
 * them.
 */
export const strictComparison = (
  compare: Comparison,
  { sql, dialect }: { readonly sql: string; readonly dialect: SqlDialect },
): Comparison => ({
  ...compare,
  match: 'position',
  extra_columns: false,
  ordered: compare.ordered || sortsRows(sql, dialect),
})

/** Whether the statement itself has an ORDER BY: one in a subquery, a CTE or a window does not sort the result. */
function sortsRows(sql: string, dialect: SqlDialect): boolean {
  const lexed = lex(sql, lexRulesOf(dialect))
  if ('error' in lexed) return false
  let depth = 0
  return lexed.tokens.some(({ kind, value }, at) => {
    if (kind === 'symbol') depth += value === '(' ? 1 : value === ')' ? -1 : 0
    return depth === 0 && kind === 'word' && value === 'ORDER' && lexed.tokens[at + 1]?.value === 'BY'
  })
}
