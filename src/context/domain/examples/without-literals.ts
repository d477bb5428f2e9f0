import { lexRulesOf, type SqlDialect } from '../sql/dialect.ts'
import { lex } from '../sql/lex.ts'

/**
 * A statement of the query history without its values: texts and longer numbers become `?`, comments are removed.
 * Undefined if the text cannot be parsed.
 */
export function withoutLiterals(sql: string, dialect: SqlDialect): string | undefined {
  const lexed = lex(sql, lexRulesOf(dialect))
  if ('error' in lexed) return undefined
  return lexed.tokens
    .map(({ kind, text, spaced }, i) => {
      const shown = kind === 'string' || (kind === 'number' && !SMALL.test(text)) ? '?' : text
      return spaced && i > 0 ? ` ${shown}` : shown
    })
    .join('')
    .replace(/;+$/, '')
    .trim()
}

/** A LIMIT, a month, a position: does not identify a person. */
const SMALL = /^\d{1,3}$/
