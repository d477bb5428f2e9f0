import type { TurnScope } from '../../analyst/ports/turn-scope.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { plural } from '../../kernel/domain/text.ts'
import type { CompiledTable } from '../domain/context-project/manifest.ts'
import { nameFinder } from '../domain/sql/tables-named.ts'
import { unknownValues } from '../domain/sql/unknown-values.ts'
import type { ContextProject } from '../ports/context-project.ts'
import { compiledTables } from './list-tables.ts'
import type { Refused } from './run-statement.ts'

/** Extra handling of the analyst's statements: a check before, and help after. */
export interface StatementCare {
  /** Why the statement is not run yet: a value that no row has, or too many failures. */
  before(): Promise<Refused | undefined>
  /** The error, with a hint for fixing the statement. */
  failed(error: unknown): Promise<unknown>
  /** Advice on a result without matching rows. */
  found(isEmpty: boolean): readonly string[]
}

/** Maximum repairs of a statement; further attempts are guesses. */
const MOST_REPAIRS = 3
const FAILED = 'sql.failed'
const MOST_COLUMNS = 60
const MOST_TABLES = 4

export function statementCare(
  turn: TurnScope,
  { project, database, sql }: { project: ContextProject; database: string; sql: string },
): StatementCare {
  const { tally } = turn
  const named = async (): Promise<readonly CompiledTable[]> => {
    const tables = (await compiledTables(project)).map(({ table }) => table)
    return nameFinder(tables.filter(({ connection }) => connection === database))(sql)
  }
  const count = (key: string): number => {
    tally.set(key, (tally.get(key) ?? 0) + 1)
    return tally.get(key)!
  }
  const left = (): string => {
    const more = MOST_REPAIRS - (count(FAILED) - 1)
    return more > 0 ? `Mend it and try again (${plural(more, 'more try', 'more tries')}).` : GIVE_UP
  }
  return {
    async before() {
      if ((tally.get(FAILED) ?? 0) > MOST_REPAIRS)
        return { code: 'given_up', reason: `${MOST_REPAIRS + 1} statements failed one after the other`, hint: GIVE_UP }
      const { dialect } = await project.warehouse(database)
      const [wrong] = unknownValues(sql, dialect, await named())
      // A statement sent again is intended: the files may be older than the rows.
      if (wrong === undefined || count(`sql.held\n${sql}`) > 1) return undefined
      const near = wrong.near === undefined ? '' : ` Did you mean '${wrong.near}'?`
      return {
        code: 'value',
        reason: `${wrong.column} has no value '${wrong.literal}', so nothing would be found`,
        hint: `Its values: ${wrong.values.map((value) => `'${value}'`).join(', ')}.${near} Send it again as it is if you mean it.`,
      }
    },
    async failed(error) {
      if (!(error instanceof AppError) || error.code !== 'invalid_input') return error
      const columns = (await named()).slice(0, MOST_TABLES).map(columnsOf)
      const hint = [error.hint ?? '', ...columns, left()].filter((part) => part !== '').join(' ')
      return new AppError(error.code, error.message, { hint, ...(error.details && { details: error.details }) })
    },
    found(isEmpty) {
      if (!isEmpty) tally.delete(FAILED)
      return isEmpty ? [`Check the filters, the joins and the dates against what the files say. ${left()}`] : []
    },
  }
}

const GIVE_UP = 'Do not try again: tell the person what you tried and what came of it.'

const columnsOf = ({ schema, name, columns }: CompiledTable): string => {
  const shown = columns.slice(0, MOST_COLUMNS).map((column) => column.name)
  return `${schema}.${name} has the columns ${shown.join(', ')}${columns.length > MOST_COLUMNS ? ', …' : ''}.`
}
