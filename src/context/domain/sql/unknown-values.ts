import { closeMatch } from '../../../kernel/domain/close-match.ts'
import { lexRulesOf, type SqlDialect } from './dialect.ts'
import { lex, type Token } from './lex.ts'

/** Column with all its values, if they are few and known. */
export interface ValuedColumn {
  readonly name: string
  readonly values?: readonly string[] | undefined
}

export interface ValuedTable {
  readonly schema: string
  readonly name: string
  readonly columns: readonly ValuedColumn[]
}

/** Filter that cannot match, because the column has other values. */
export interface UnknownValue {
  /** `schema.table.column`. */
  readonly column: string
  readonly literal: string
  readonly values: readonly string[]
  /** The value that was probably meant. */
  readonly near: string | undefined
}

/**
 * Filter values that do not occur in their column, as far as its values are known. Only plain comparisons are checked:
 * `status = 'Paid'`, `o.status IN ('paid', 'open')`; computed values are ignored.
 */
export function unknownValues(
  sql: string,
  dialect: SqlDialect,
  tables: readonly ValuedTable[],
): readonly UnknownValue[] {
  const known = new Map<string, ReturnType<typeof valuesOf>>()
  return textComparisons(sql, dialect).flatMap(({ column, literals }) => {
    const key = column.toLowerCase()
    if (!known.has(key)) known.set(key, valuesOf(key, tables))
    const found = known.get(key)
    if (found === undefined) return []
    return literals
      .filter((literal) => !found.values.includes(literal))
      .map((literal) => ({ column: found.column, literal, values: found.values, near: nearTo(literal, found.values) }))
  })
}

/** All values of the columns of that name; undefined if one of them may have others. */
function valuesOf(column: string, tables: readonly ValuedTable[]) {
  const named = tables.flatMap((table) =>
    table.columns.filter(({ name }) => name.toLowerCase() === column).map((own) => ({ table, own })),
  )
  const [first] = named
  if (first === undefined || named.some(({ own }) => own.values === undefined)) return undefined
  return {
    column: `${first.table.schema}.${first.table.name}.${first.own.name}`,
    values: [...new Set(named.flatMap(({ own }) => own.values!))],
  }
}

const nearTo = (literal: string, values: readonly string[]): string | undefined =>
  values.find((value) => value.toLowerCase() === literal.trim().toLowerCase()) ?? closeMatch(literal, values)

export interface Comparison {
  readonly column: string
  readonly literals: readonly string[]
}

/** Plain comparisons of a column with texts; `column` as written, without its table. */
export function textComparisons(sql: string, dialect: SqlDialect): readonly Comparison[] {
  const lexed = lex(sql, lexRulesOf(dialect))
  return 'error' in lexed ? [] : comparisons(lexed.tokens)
}

function comparisons(tokens: readonly Token[]): readonly Comparison[] {
  return tokens.flatMap((token, i): Comparison[] => {
    if (token.kind === 'symbol' && COMPARED.has(token.text)) {
      const literal = literalAt(tokens, i + 1)
      // `<>` and `!=` are read as two symbols, because the lexer only has single-character ones.
      const isSecond =
        (token.text === '>' && tokens[i - 1]?.text === '<') || (token.text === '=' && tokens[i - 1]?.text === '!')
      if ((token.text === '>' && !isSecond) || (token.text === '=' && ORDERS.has(tokens[i - 1]?.text ?? ''))) return []
      const before = columnBefore(tokens, isSecond ? i - 1 : i)
      return literal === undefined || before === undefined ? [] : [{ column: before, literals: [literal] }]
    }
    if (token.value !== 'IN' || token.kind !== 'word' || tokens[i + 1]?.text !== '(') return []
    const before = columnBefore(tokens, tokens[i - 1]?.value === 'NOT' ? i - 1 : i)
    const literals = listAt(tokens, i + 2)
    return before === undefined || literals === undefined ? [] : [{ column: before, literals }]
  })
}

const COMPARED = new Set(['=', '==', '<>', '!=', '>'])
const ORDERS = new Set(['>', '<'])

function columnBefore(tokens: readonly Token[], at: number): string | undefined {
  const token = tokens[at - 1]
  if (token?.kind === 'name') return token.value
  return token?.kind === 'word' ? token.text : undefined
}

/** A standalone string, not part of a longer expression. */
function literalAt(tokens: readonly Token[], at: number): string | undefined {
  const token = tokens[at]
  if (token?.kind !== 'string' || !/^'(?:[^']|'')*'$/.test(token.text)) return undefined
  if (['||', '::', '+'].includes(tokens[at + 1]?.text ?? '')) return undefined
  return token.text.slice(1, -1).replaceAll("''", "'")
}

function listAt(tokens: readonly Token[], start: number): readonly string[] | undefined {
  const literals: string[] = []
  for (let at = start; ; at += 2) {
    const literal = literalAt(tokens, at)
    if (literal === undefined) return undefined
    literals.push(literal)
    if (tokens[at + 1]?.text === ')') return literals
    if (tokens[at + 1]?.text !== ',') return undefined
  }
}
