import { bareColumns } from './bare-columns.ts'
import { carriesValues } from './carried-values.ts'
import type { Cell, QueryResult } from './query.ts'
import { secretsRead, type SecretTable, type SecretsRead } from './secret-columns.ts'
import type { ParsedStatement } from './statement.ts'

export const MASK = '[redacted]'

export interface MaskedAnswer {
  readonly result: QueryResult
  /** Why something is masked, for the reader; empty if nothing is. */
  readonly notes: readonly string[]
}

/**
 * A redactor recognises only whole secrets, so a statement that reads secret columns shows them whole or not at all: a
 * result column that is not simply a table column is masked, unless it is a number or a date that no function could
 * have extracted. For personal columns that ken.yaml masks, only counts are shown, and no other computed values.
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
  const carries = carriesValues(statement, read.personal)
  const isMasked = result.columns.map(({ type }, i) => (cell: Cell): boolean => {
    const column = bare[i]
    if (cell === null || cell === '') return false
    if (column !== undefined) {
      const name = column.toLowerCase()
      return read.personal.has(name) || (read.named.has(name) && typeof cell === 'string')
    }
    if (carries(i, result.columns.length)) return true
    return typeof cell === 'string' && !/^(?:date|time)/i.test(type) ? true : !isHarmless
  })
  const rows = result.rows.map((row) => row.map((cell, i) => (isMasked[i]!(cell) ? MASK : cell)))
  const hit = result.columns.filter((_column, i) => result.rows.some((row) => isMasked[i]!(row[i] ?? null)))
  const columns = maskNames(result.columns, statement, tables)
  const isRenamed = columns.some(({ name }, i) => name !== result.columns[i]!.name)
  return { result: { ...result, columns, rows }, notes: hit.length > 0 || isRenamed ? [noteOf(read)] : [] }
}

const noteOf = ({ columns, personal }: SecretsRead): string =>
  `Some values are masked, because the statement reads columns with secrets${personal.size > 0 ? ' or personal data' : ''}: ${columns.slice(0, 5).join(', ')}${columns.length > 5 ? ', …' : ''}. Leave them out to see computed values.${personal.size > 0 ? ' Personal columns can be filtered by and counted; `personal` in ken.yaml decides who sees them.' : ''}`

// Functions that return a number or a date that reveals nothing about single characters.
const WHOLE = new Set(
  (
    'count count_star sum total avg mean median min max stddev stddev_samp stddev_pop variance var_samp round floor ceil ceiling abs coalesce ifnull nullif ' +
    'row_number rank dense_rank ntile date_trunc date_part datepart year quarter month week day hour minute now current_date current_timestamp date strftime ' +
    '+ - * / % = == <> != < > <= >= not and or'
  ).split(' '),
)

/** True if no function could turn part of a text into a number: `ascii`, `instr`, `strpos`, a cast. */
const cutsNothing = ({ functions, sql }: ParsedStatement): boolean =>
  functions.every(({ name }) => WHOLE.has(name)) &&
  !/::|->|\b(?:cast|try_cast|safe_cast|convert|position|substring|extract)\b/i.test(sql)

// Words that engines add to the name of a computed column, besides the statement's own.
const SPELLING =
  'cast try as case when then else end and or not is null in like between over partition by order distinct filter where interval true false struct pack row list main'

/** Masks column names that are in neither the statement nor the catalogue: they were made from values, as by PIVOT. */
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
