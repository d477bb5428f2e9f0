import { bareColumns } from './bare-columns.ts'
import type { Cell, QueryResult } from './query.ts'
import { secretsRead, type SecretTable, type SecretsRead } from './secret-columns.ts'
import type { ParsedStatement } from './statement.ts'

export const MASK = '[redacted]'

export interface MaskedAnswer {
  readonly result: QueryResult
  /** Why something is masked, for the reader; empty when nothing is. */
  readonly notes: readonly string[]
}

/**
 * A redactor knows a secret by its whole, so a statement that reads secret columns shows them whole or not at all: a
 * column of the answer that is not simply one of a table is masked, unless it is a number or a date that no function
 * could have cut out.
 */
export function maskAnswer(
  result: QueryResult,
  statement: ParsedStatement,
  tables: readonly SecretTable[],
): MaskedAnswer {
  const read = secretsRead(statement, tables)
  if (read === undefined) return { result, notes: [] }
  const bare = bareColumns(
    statement,
    tables,
    result.columns.map(({ name }) => name),
  )
  const isHarmless = cutsNothing(statement)
  const isMasked = result.columns.map(({ type }, i) => (cell: Cell): boolean => {
    const column = bare[i]
    if (cell === null || cell === '') return false
    if (column !== undefined) return read.named.has(column.toLowerCase()) && typeof cell === 'string'
    return typeof cell === 'string' && !/^(?:date|time)/i.test(type) ? true : !isHarmless
  })
  const rows = result.rows.map((row) => row.map((cell, i) => (isMasked[i]!(cell) ? MASK : cell)))
  const hit = result.columns.filter((_column, i) => result.rows.some((row) => isMasked[i]!(row[i] ?? null)))
  const columns = maskNames(result.columns, statement, tables)
  const isRenamed = columns.some(({ name }, i) => name !== result.columns[i]!.name)
  return { result: { ...result, columns, rows }, notes: hit.length > 0 || isRenamed ? [noteOf(read)] : [] }
}

const noteOf = ({ columns }: SecretsRead): string =>
  `Some of it is masked, because the statement reads columns that hold secrets: ${columns.slice(0, 5).join(', ')}${columns.length > 5 ? ', …' : ''}. What is computed is shown when they are left out.`

// Of these a number or a date comes that tells nothing of single characters.
const WHOLE = new Set(
  (
    'count count_star sum total avg mean median min max stddev stddev_samp stddev_pop variance var_samp round floor ceil ceiling abs coalesce ifnull nullif ' +
    'row_number rank dense_rank ntile date_trunc date_part datepart year quarter month week day hour minute now current_date current_timestamp date strftime ' +
    '+ - * / % = == <> != < > <= >= not and or'
  ).split(' '),
)

/** No function that could turn a part of a text into a number: `ascii`, `instr`, `strpos`, a cast. */
const cutsNothing = ({ functions, sql }: ParsedStatement): boolean =>
  functions.every(({ name }) => WHOLE.has(name)) &&
  !/::|->|\b(?:cast|try_cast|safe_cast|convert|position|substring|extract)\b/i.test(sql)

// What engines write into the name of a computed column beside the statement's own words.
const SPELLING =
  'cast try as case when then else end and or not is null in like between over partition by order distinct filter where interval true false struct pack row list main'

/** A name that neither the statement nor the catalogue has was made from values, as PIVOT does. */
function maskNames(
  columns: QueryResult['columns'],
  { kind, sql, functions }: ParsedStatement,
  tables: readonly SecretTable[],
): QueryResult['columns'] {
  if (kind !== 'query') return columns
  const known = new Set(
    wordsOf(
      [
        SPELLING,
        sql,
        ...functions.map(({ name }) => name),
        ...tables.flatMap((table) => [table.name, ...table.columns]),
      ].join(' '),
    ),
  )
  return columns.map((column) =>
    wordsOf(column.name).every((word) => known.has(word) || /^\d{1,3}$/.test(word))
      ? column
      : { ...column, name: MASK },
  )
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
