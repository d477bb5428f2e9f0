import { lexRulesOf, type SqlDialect } from '../sql/dialect.ts'
import { lex } from '../sql/lex.ts'

/**
 * A statement of the query history without what somebody looked for: texts and longer numbers become `?`, comments are
 * gone. Undefined where the text cannot be taken apart.
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

/** A LIMIT, a month, a position: nobody is known by it. */
const SMALL = /^\d{1,3}$/
