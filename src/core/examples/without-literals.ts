import { STANDARD_LEX, type SqlDialect } from '../sql/dialect.ts'
import { lex, type LexRules } from '../sql/lex.ts'

/**
 * A statement of the query history without what somebody looked for: texts and longer numbers become `?`, comments are
 * gone. Undefined where the text cannot be taken apart.
 */
export function withoutLiterals(sql: string, dialect: SqlDialect): string | undefined {
  const lexed = lex(sql, rulesOf(dialect))
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

const rulesOf = (dialect: SqlDialect): LexRules =>
  'grammar' in dialect
    ? (dialect as SqlDialect & { readonly grammar: { readonly lex: LexRules } }).grammar.lex
    : { ...STANDARD_LEX, nestedComments: true, dollarQuotes: true }
