import { bareColumns } from './domain/sql/bare-columns.ts'
import { carriesValues } from './domain/sql/carried-values.ts'
import type { TableDetails } from './domain/sql/catalogue.ts'
import { everyScope } from './domain/sql/secret-columns.ts'
import type { Warehouse } from './ports/warehouse.ts'

/** What a view shows of the tables it reads; names are in lower case. */
export interface ViewLineage {
  readonly reads: readonly string[]
  /** By column, in order: the columns of those tables whose values it may show. */
  readonly carries: readonly (readonly string[])[]
}

/** A view over tables with more columns than this is not followed. */
const MOST_COLUMNS = 2_000

/** Follows the definition of a view; undefined if that is not possible, so that it may show anything. */
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

/** `CREATE VIEW name (columns) AS`, as some catalogues keep it; the columns of a view are known by their place. */
const OPENING = /^\s*create\b[^;]*?\bview\b[^;]*?\bas\b(?=\s*(?:with|select|from|\())/i

const fold = (name: string): string => name.toLowerCase()
