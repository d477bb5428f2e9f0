import type { Token } from '../../domain/sql/lex.ts'

/**
 * Rewrites MySQL-specific syntax as sqlparser-rs knows it. Only for the parser: the engine gets the original. No rule
 * may drop a name, a call or a clause that could be rejected.
 */
export function mysqlSpellings(tokens: readonly Token[]): readonly Token[] {
  const spelled: Token[] = []
  const calls: string[] = []
  const statement =
    tokens[0]?.value === 'TABLE' ? [word('SELECT'), symbol('*'), word('FROM'), ...tokens.slice(1)] : tokens
  for (let i = 0; i < statement.length; i++) {
    const token = statement[i]!
    const [next, after, third] = [1, 2, 3].map((step) => statement[i + step]?.value)
    if (token.value === '(') calls.push(statement[i - 1]?.value ?? '')
    if (token.value === ')') calls.pop()
    const known = spell(token, {
      next,
      after,
      third,
      operand: endsOperand(statement[i - 1]),
      call: calls.at(-1),
      compared: hasUnit(statement, i),
      unitHere:
        statement[i - 2]?.value === 'INTERVAL' || (calls.at(-1) === 'EXTRACT' && statement[i - 1]?.value === '('),
    })
    if (known) {
      spelled.push(...known.tokens)
      i += known.skipped
    } else spelled.push(token)
  }
  return spelled
}

interface Place {
  readonly next: string | undefined
  readonly after: string | undefined
  readonly third: string | undefined
  /** True if an operand precedes, which an operator can follow. */
  readonly operand: boolean
  /** Word before the innermost open parenthesis. */
  readonly call: string | undefined
  /** True for INTERVAL with a unit: an amount of time, not the function. */
  readonly compared: boolean
  /** True after EXTRACT( or INTERVAL and its amount. */
  readonly unitHere: boolean
}

function spell({ kind, value }: Token, place: Place): { tokens: readonly Token[]; skipped: number } | undefined {
  const { next, after } = place
  if (kind === 'symbol') {
    if (value === '!' && !place.operand) return { tokens: [word('NOT')], skipped: 0 }
    if (value === '\\' && next === 'N') return { tokens: [word('NULL')], skipped: 1 }
    return undefined
  }
  if (kind !== 'word') return undefined
  if (value === 'WITH' && next === 'ROLLUP') return { tokens: [], skipped: 1 }
  if (value === 'MOD' && place.operand && next !== undefined) return { tokens: [symbol('%')], skipped: 0 }
  if (value === 'SOUNDS' && place.operand && next === 'LIKE') return { tokens: [], skipped: 0 }
  if (value === 'CHARACTER' && next === 'SET' && place.third === ')') return { tokens: [], skipped: 2 }
  if (value === 'USING' && place.call === 'CHAR' && after === ')') return { tokens: [], skipped: 1 }
  if (value === 'INTERVAL' && next === '(' && !place.compared) return { tokens: [word('INTERVAL_')], skipped: 0 }
  // Only if a unit is required here; otherwise it is a column of that name.
  const isUnit =
    place.unitHere && /^(?:DAY|HOUR|MINUTE|SECOND|YEAR)_(?:HOUR|MINUTE|SECOND|MICROSECOND|MONTH)$/.test(value)
  return isUnit ? { tokens: [word(value.split('_')[0]!)], skipped: 0 } : undefined
}

const word = (value: string): Token => ({ kind: 'word', text: value, value, spaced: true })
const symbol = (value: string): Token => ({ kind: 'symbol', text: value, value, spaced: true })

const AFTER_OPERATOR = new Set(
  'SELECT WHERE AND OR NOT ON HAVING BY WHEN THEN ELSE CASE IN LIKE BETWEEN DIV XOR DISTINCT ALL SET LIMIT AS IS REGEXP RLIKE'.split(
    ' ',
  ),
)

function endsOperand(token: Token | undefined): boolean {
  if (!token) return false
  if (token.kind === 'symbol') return token.value === ')' || token.value === ']'
  return token.kind !== 'word' || !AFTER_OPERATOR.has(token.value)
}

function hasUnit(tokens: readonly Token[], at: number): boolean {
  if (tokens[at]?.value !== 'INTERVAL' || tokens[at + 1]?.value !== '(') return false
  let depth = 0
  for (let i = at + 1; i < tokens.length; i++) {
    if (tokens[i]!.value === '(') depth++
    if (tokens[i]!.value === ')' && --depth === 0)
      return /^(MICROSECOND|SECOND|MINUTE|HOUR|DAY|WEEK|MONTH|QUARTER|YEAR)/.test(tokens[i + 1]?.value ?? '')
  }
  return false
}
