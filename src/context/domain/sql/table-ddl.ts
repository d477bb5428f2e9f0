import { STANDARD_LEX } from './dialect.ts'
import { lex, type Token } from './lex.ts'

/** Facts that only an engine's CREATE TABLE contains, not its catalogue. */
export interface TableDdl {
  readonly checks: readonly string[]
  /** Expression of each computed column. */
  readonly generated: ReadonlyMap<string, string>
}

const NOTHING: TableDdl = { checks: [], generated: new Map() }

/** Parses a CREATE TABLE as SQLite keeps it and DuckDB writes it. */
export function readTableDdl(sql: string): TableDdl {
  const lexed = lex(sql, { ...STANDARD_LEX, nameQuotes: '"`[' })
  if ('error' in lexed) return NOTHING
  const { tokens } = lexed
  const checks: string[] = []
  const generated = new Map<string, string>()
  let [depth, column] = [0, '']
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!
    if (opensGroup(tokens, at)) {
      const end = closing(tokens, at + 1)
      const expression = textOf(tokens.slice(at + 2, end))
      if (token.value === 'CHECK') checks.push(expression)
      else generated.set(column, expression)
      at = end
      continue
    }
    if (token.value === '(' && token.kind === 'symbol') depth++
    if (token.value === ')' && token.kind === 'symbol') depth--
    const begins = depth === 1 && token.kind === 'symbol' && (token.value === ',' || token.value === '(')
    if (begins && tokens[at + 1] !== undefined) column = nameOf(tokens[at + 1]!)
  }
  return { checks, generated }
}

/** `CHECK (…)`, or `AS (…)` of a computed column; a CREATE TABLE has no other AS before a bracket. */
const opensGroup = (tokens: readonly Token[], at: number): boolean => {
  const { kind, value } = tokens[at]!
  return kind === 'word' && (value === 'CHECK' || value === 'AS') && tokens[at + 1]?.value === '('
}

function closing(tokens: readonly Token[], from: number): number {
  let depth = 0
  for (let at = from; at < tokens.length; at++) {
    const { kind, value } = tokens[at]!
    if (kind !== 'symbol') continue
    if (value === '(') depth++
    if (value === ')' && --depth === 0) return at
  }
  return tokens.length
}

const textOf = (tokens: readonly Token[]): string =>
  tokens.map(({ text, spaced }, i) => (spaced && i > 0 ? ` ${text}` : text)).join('')

/** Name as written: the value of a plain word is in upper case. */
const nameOf = ({ kind, text, value }: Token): string => (kind === 'word' ? text : value)
