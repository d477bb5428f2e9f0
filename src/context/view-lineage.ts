import { bareColumns } from './domain/sql/bare-columns.ts'
import { carriesValues } from './domain/sql/carried-values.ts'
import type { TableDetails } from './domain/sql/catalogue.ts'
import { everyScope } from './domain/sql/secret-columns.ts'
import type { Warehouse } from './ports/warehouse.ts'

/** The tables that a view reads and the columns it shows; names are in lower case. */
export interface ViewLineage {
  readonly reads: readonly string[]
  /** For each column, in order: the table columns whose values it may show. */
  readonly carries: readonly (readonly string[])[]
}

/** Maximum number of columns in the tables of a view; a view over more is not analysed. */
const MOST_COLUMNS = 2_000

/** Analyses the definition of a view; undefined if that is not possible, in which case it may show anything. */
export async function viewLineage(
  view: TableDetails,
  tables: readonly TableDetails[],
  warehouse: Pick<Warehouse, 'parse'>,
): Promise<ViewLineage | undefined> {
  const definition = view.viewSql?.replace(OPENING, '').replace(/;\s*$/, '')
  const parsed = definition === undefined ? undefined : await warehouse.parse(definition).catch(() => undefined)
  const [statement, ...others] = parsed?.statements ?? []
  if (statement?.kind !== 'query' || others.length > 0) return undefined
  const reads = new Set(
    everyScope(statement.scope)
      .flatMap(({ sources }) => sources)
      .flatMap((source) => (source.kind === 'table' ? [fold(source.name.at(-1) ?? '')] : [])),
  )
  const below = tables
    .filter(({ name }) => reads.has(fold(name)))
    .map((table) => ({ ...table, columns: table.columns.map(({ name }) => name), hidden: [] }))
  const names = new Set(below.flatMap(({ columns }) => columns).map(fold))
  if (names.size > MOST_COLUMNS) return undefined
  const shown = view.columns.map(({ name }) => name)
  const bare = bareColumns(statement, below, shown)
  const carries = new Map([...names].map((name) => [name, carriesValues(statement, new Set([name]))]))
  return {
    reads: [...reads],
    carries: shown.map((_, i) =>
      bare[i] === undefined ? [...names].filter((name) => carries.get(name)!(i, shown.length)) : [fold(bare[i])],
    ),
  }
}

/** `CREATE VIEW name (columns) AS`, as in some catalogues; the columns of a view are matched by position. */
const OPENING = /^\s*create\b[^;]*?\bview\b[^;]*?\bas\b(?=\s*(?:with|select|from|\())/i

const fold = (name: string): string => name.toLowerCase()
