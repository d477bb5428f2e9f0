import { lex, type LexRules, type Token } from '../../domain/sql/lex.ts'

const RULES: LexRules = {
  lineComments: ['--'],
  dashNeedsSpace: false,
  nestedComments: true,
  stringQuotes: "'",
  nameQuotes: '"',
  backslash: 'unsure',
  tripleQuotes: false,
  dollarQuotes: true,
  rawStrings: undefined,
}

/**
 * DuckDB turns `PIVOT t ON c USING …` into two statements and does not return its tree. With any values added it does,
 * and the rest of the tree is the same. Undefined if the text is not one statement with such a PIVOT.
 */
export function pivotWithValues(sql: string): string | undefined {
  const lexed = lex(sql, RULES)
  if ('error' in lexed) return undefined
  const tokens = lexed.tokens.filter(
    (token, i, all) => token.value !== ';' || all.slice(i).some((later) => later.value !== ';'),
  )
  if (tokens.some((token) => token.value === ';')) return undefined
  const places = tokens.flatMap((token, i) =>
    token.kind === 'word' && PIVOTS.has(token.value) ? valuePlaces(tokens, i) : [],
  )
  if (places.length === 0) return undefined
  return tokens
    .map(({ text, spaced }, i) => `${spaced ? ' ' : ''}${text}${places.includes(i) ? " IN ('?')" : ''}`)
    .join('')
}

const PIVOTS = new Set(['PIVOT', 'PIVOT_WIDER'])
const AFTER_ON = new Set(['USING', 'GROUP', 'ORDER', 'LIMIT'])

/** Last token of every expression between ON and the next clause that names no values. */
function valuePlaces(tokens: readonly Token[], pivot: number): readonly number[] {
  const places: number[] = []
  let depth = 0
  let started = false
  let named = false
  for (let i = pivot + 1; i <= tokens.length; i++) {
    const value = tokens[i]?.value ?? ''
    const ends = depth === 0 && (i === tokens.length || value === ')' || AFTER_ON.has(value))
    if (started && !named && depth === 0 && (ends || value === ',')) places.push(i - 1)
    if (ends) return started ? places : []
    if (depth === 0 && value === 'ON') started = true
    if (value === ',' && depth === 0) named = false
    if (value === 'IN' && depth === 0) named = true
    if (value === '(' || value === '[') depth++
    if (value === ')' || value === ']') depth--
  }
  return places
}
