import { lexRulesOf, type SqlDialect } from './dialect.ts'
import { lex, type Token } from './lex.ts'

/** A value that the driver binds; it never becomes part of a statement's text. */
export type BoundValue = string | number

export interface BoundSql {
  /** The statement with the engine's placeholders: the text that the gate judges and the engine runs. */
  readonly sql: string
  /** One for each placeholder, in order. */
  readonly values: readonly BoundValue[]
}

/**
 * Replaces `:name` by placeholders of the engine, one for each use. A name inside a string, a quoted name or a comment
 * is text. Returns the reason if the statement cannot be bound.
 */
export function bindNames(
  sql: string,
  values: ReadonlyMap<string, BoundValue>,
  dialect: SqlDialect,
): BoundSql | { readonly error: string } {
  const lexed = lex(sql, lexRulesOf(dialect))
  if ('error' in lexed) return { error: lexed.error }
  const { tokens, sql: text } = lexed
  if (!tokens.some((_, at) => isName(tokens, at))) return { sql, values: [] }
  const placeholder = dialect.spelling.placeholder
  if (placeholder === undefined) return { error: `parameters are not supported on ${dialect.name}` }
  const raw = tokens.find((token) => isPlaceholder(token, placeholder(1)))
  if (raw !== undefined) return { error: `${raw.text} is a placeholder without a name: use :name` }
  const bound: BoundValue[] = []
  let out = ''
  let at = 0
  for (const [index, token] of tokens.entries()) {
    // Only white space is between the tokens of a text without comments.
    const start = text.indexOf(token.text, at)
    const end = start + token.text.length
    const before = index > 0 && isName(tokens, index - 1)
    if (before) {
      const value = values.get(token.text)
      if (value === undefined) return { error: `:${token.text} is not declared` }
      bound.push(value)
      if (bound.length > MOST) return { error: `it uses parameters more than ${MOST} times` }
      out += placeholder(bound.length)
    } else out += text.slice(at, isName(tokens, index) ? start : end)
    at = end
  }
  return { sql: out + text.slice(at), values: bound }
}

// Engines accept thousands; a statement that people read has a handful.
const MOST = 200

/** Whether the token is the colon of a `:name`, and not of a slice `a[1:n]`, a struct `{'a':n}` or a path `a:b`. */
function isName(tokens: readonly Token[], at: number): boolean {
  const [before, colon, name] = [tokens[at - 1], tokens[at], tokens[at + 1]]
  if (colon?.kind !== 'symbol' || colon.value !== ':' || name?.kind !== 'word' || name.spaced) return false
  if (before === undefined || colon.spaced) return true
  return before.kind === 'symbol' && !['[', ']', ')', '}'].includes(before.value)
}

const isPlaceholder = ({ kind, text }: Token, own: string): boolean =>
  (kind === 'symbol' && own === '?' && text === '?') || /^\$\d+$/.test(text)
