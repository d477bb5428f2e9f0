import { STANDARD_LEX } from '../../../../src/context/domain/sql/dialect.ts'
import { lex, type Token } from '../../../../src/context/domain/sql/lex.ts'

/**
 * Tables that a statement names after FROM and JOIN, without its own CTEs; each once, as written. Only for display:
 * access is checked elsewhere.
 */
export function tablesRead(sql: string): readonly string[] {
  const lexed = lex(sql, STANDARD_LEX)
  if ('error' in lexed) return []
  const { tokens } = lexed
  const own = new Set(namedByWith(tokens))
  const found = new Set<string>()
  // The word before each open parenthesis.
  const inside: string[] = []
  for (let at = 0; at < tokens.length; at++) {
    const { kind, value, text } = tokens[at]!
    if (text === '(') inside.push(tokens[at - 1]?.value ?? '')
    if (text === ')') inside.pop()
    if (kind !== 'word' || (value !== 'FROM' && value !== 'JOIN')) continue
    if (WITH_FROM.has(inside.at(-1) ?? '') || tokens[at - 1]?.value === 'DISTINCT') continue
    let next = readTable(tokens, at + 1, (name) => found.add(name))
    // FROM a, b
    while (tokens[next]?.text === ',') next = readTable(tokens, next + 1, (name) => found.add(name))
  }
  return [...found].filter((name) => !own.has(name.toLowerCase()))
}

/** Functions with FROM between their arguments. IS DISTINCT FROM is handled separately. */
const WITH_FROM = new Set(['EXTRACT', 'TRIM', 'SUBSTRING', 'OVERLAY'])

/** Reads a dotted name, and skips its alias; functions and parentheses are not tables. */
function readTable(tokens: readonly Token[], from: number, take: (name: string) => unknown): number {
  let at = from
  if (tokens[at]?.value === 'LATERAL' || tokens[at]?.value === 'ONLY') at++
  const parts: string[] = []
  while (isName(tokens[at])) {
    parts.push(nameOf(tokens[at]!))
    at++
    if (tokens[at]?.text !== '.') break
    at++
  }
  if (parts.length === 0 || tokens[at]?.text === '(') return at
  take(parts.join('.'))
  if (tokens[at]?.value === 'AS') at++
  return isName(tokens[at]) && !CLAUSES.has(tokens[at]!.value) ? at + 1 : at
}

const isName = (token: Token | undefined): boolean =>
  token !== undefined && (token.kind === 'name' || (token.kind === 'word' && !CLAUSES.has(token.value)))

const nameOf = ({ kind, text, value }: Token): string => (kind === 'name' ? value : text)

const CLAUSES = new Set(
  'SELECT WHERE GROUP ORDER HAVING LIMIT JOIN LEFT RIGHT INNER OUTER FULL CROSS NATURAL ON USING UNION EXCEPT INTERSECT WINDOW QUALIFY OFFSET FETCH FOR AS VALUES ASOF POSITIONAL TABLESAMPLE'.split(
    ' ',
  ),
)

/** `WITH a AS (`, `, b (x) AS MATERIALIZED (`: a name followed by AS and a parenthesis. */
function namedByWith(tokens: readonly Token[]): string[] {
  if (!tokens.some(({ kind, value }) => kind === 'word' && value === 'WITH')) return []
  return tokens.flatMap((token, at) => {
    if (token.value !== 'AS' || token.kind !== 'word') return []
    const rest = tokens.slice(at + 1, at + 4).findIndex(({ text }) => text === '(')
    if (rest < 0 || tokens.slice(at + 1, at + 1 + rest).some(({ value }) => !/^(?:NOT|MATERIALIZED)$/.test(value)))
      return []
    let before = at - 1
    if (tokens[before]?.text === ')') while (before > 0 && tokens[before]!.text !== '(') before--
    const name = tokens[tokens[before]?.text === '(' ? before - 1 : before]
    return isName(name) ? [nameOf(name!).toLowerCase()] : []
  })
}
