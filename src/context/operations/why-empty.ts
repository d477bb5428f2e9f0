import { closeMatch } from '../../kernel/domain/close-match.ts'
import type { Context } from '../../operations/context.ts'
import type { CompiledTable } from '../domain/context-project/manifest.ts'
import { personalChoice, type PersonalConfig } from '../domain/personal/policy.ts'
import { countOfFilter, mayCountNothing } from '../domain/sql/count-of-filter.ts'
import { MASK } from '../domain/sql/mask-answer.ts'
import type { QueryResult } from '../domain/sql/query.ts'
import { isSecretName } from '../domain/sql/secret-columns.ts'
import { nameFinder } from '../domain/sql/tables-named.ts'
import { textComparisons } from '../domain/sql/unknown-values.ts'
import type { Warehouse } from '../ports/warehouse.ts'
import { compiledTables } from './list-tables.ts'
import { runStatement, type StatementToRun } from './run-statement.ts'

export interface EmptyResult {
  /** No row fits the filters: the result is empty, or an aggregate over no rows. */
  readonly isEmpty: boolean
  /** Filter values that do not occur in their columns, and the values that were probably meant. */
  readonly notes: readonly string[]
}

const MOST_COMPARED = 3
const MOST_OWNERS = 2
// Reading more rows than this is too expensive for a hint.
const MOST_ROWS = 5_000_000
const MOST_VALUES = 2_000
const SHOWN_VALUES = 5
const MOST_LISTED = 10
// Valid in every dialect.
const PLAIN_TEXT = /^[\p{L}\p{N} .,&/+-][\p{L}\p{N} .,&/+'-]{0,79}$/u

/**
 * Determines whether a result is from no rows, including an aggregate over none, and which filter value is the cause.
 */
export async function whyEmpty(
  ctx: Pick<Context, 'signal' | 'clock'>,
  statement: StatementToRun,
  result: QueryResult,
): Promise<EmptyResult> {
  const { project, database, sql } = statement
  const { dialect } = await project.warehouse(database)
  // The engine bills reads, so counting the filtered rows must suffice.
  const isBilled = result.billedBytes !== undefined
  // Runs as Ken; the hint reveals almost nothing of the rows.
  const rowsOf = async (text: string): Promise<QueryResult['rows'] | undefined> => {
    const ran = await runStatement(ctx, { project, database, sql: text, unkept: true, reader: 'person' }).catch(
      () => undefined,
    )
    return ran === undefined || 'refused' in ran ? undefined : ran.result.rows
  }
  if (result.rows.length > 0 && !mayCountNothing(result)) return { isEmpty: false, notes: [] }
  const count = result.rows.length > 0 ? countOfFilter(sql, dialect) : undefined
  const [row] = (count === undefined ? undefined : await rowsOf(count)) ?? []
  const isEmpty = result.rows.length === 0 || (row !== undefined && Number(row[0]) === 0)
  if (isBilled) return { isEmpty, notes: [] }
  const tables = (await compiledTables(project)).map(({ table }) => table)
  const named = nameFinder(tables.filter(({ connection }) => connection === database))(sql)
  const compared = textComparisons(sql, dialect).flatMap(({ column, literals }) =>
    literals.map((literal) => ({ column, literal })),
  )
  const personal = project.config.databases.find(({ name }) => name === database)?.personal ?? 'mask'
  const look = openLook(await project.warehouse(database), rowsOf)
  const notes: string[] = []
  for (const { column, literal } of compared.slice(0, MOST_COMPARED)) {
    const owners = named.flatMap((table) => ownedBy(table, column, personal))
    if (!PLAIN_TEXT.test(literal) || owners.length === 0 || owners.length > MOST_OWNERS) continue
    const found = []
    for (const owner of owners) found.push(await look(owner, literal))
    // A value that one of the columns has is not the cause.
    if (found.every((note) => note !== undefined)) notes.push(...found)
  }
  // Rows match the filters, but a CASE, a FILTER or a subquery counted none of them, because it compares with a value
  // that no row has.
  return { isEmpty: isEmpty || notes.length > 0, notes }
}

interface Owner {
  readonly table: CompiledTable
  readonly column: string
  readonly isPersonal: boolean
  /** All values of the column, if the files list them; empty otherwise. */
  readonly known: readonly string[]
}

/** The column of a table that a hint may read. */
function ownedBy(table: CompiledTable, written: string, personal: PersonalConfig): readonly Owner[] {
  const found = table.columns.find(({ name }) => name.toLowerCase() === written.toLowerCase())
  const column = found?.name
  const isClosed = column === undefined || isSecretName(column) || table.secret.includes(column)
  if (isClosed || (table.rows ?? 0) > MOST_ROWS) return []
  const isMasked = personalChoice(personal, table, column) === 'mask'
  const isPersonal = isMasked || table.personal?.some(({ name }) => name === column) === true
  return [{ table, column, isPersonal, known: isMasked ? [] : (found?.values ?? []) }]
}

/**
 * Hint that a value does not occur in a column, with values that do; undefined if it occurs. For a column with personal
 * data, names only another spelling of the same value, and values listed in the files.
 */
function openLook(warehouse: Warehouse, rowsOf: (sql: string) => Promise<QueryResult['rows'] | undefined>) {
  return async ({ table, column, isPersonal, known }: Owner, literal: string): Promise<string | undefined> => {
    const quoted = warehouse.quote(column)
    const from = `FROM ${warehouse.quote(table.schema)}.${warehouse.quote(table.name)}`
    const some = async (where: string, most: number): Promise<readonly string[] | undefined> => {
      const select = warehouse.dialect.spelling.firstRows(`SELECT DISTINCT ${quoted} ${from}${where}`, most)
      const cells = (await rowsOf(select))?.flatMap(([cell]) => (cell === null ? [] : [String(cell)]))
      return cells?.includes(MASK) ? undefined : cells
    }
    const text = literal.replaceAll("'", "''")
    const name = `${table.schema}.${table.name}.${column}`
    const own = await some(` WHERE ${quoted} = '${text}'`, 1)
    const same = own?.length === 0 ? await some(` WHERE lower(${quoted}) = lower('${text}')`, SHOWN_VALUES) : undefined
    // The column has the value, or the lookup fails: a date has no lower case.
    if (same === undefined) return undefined
    if (same.length > 0) return `${name} has ${listed(same)}, not '${literal}'.`
    const none = `${name} has no '${literal}'`
    const instead = known.length === 0 || known.length > MOST_LISTED ? `${none}.` : `${none}. It has ${listed(known)}.`
    if (isPersonal) return instead
    const longer = await some(` WHERE lower(${quoted}) LIKE lower('%${text}%')`, SHOWN_VALUES)
    if (longer !== undefined && longer.length > 0) return `${none}, but ${listed(longer)}.`
    const near = closeMatch(literal, (await some('', MOST_VALUES)) ?? [])
    return near === undefined ? instead : `${none}, but '${near}'.`
  }
}

const listed = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(', ')
