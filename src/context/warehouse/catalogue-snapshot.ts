import { AppError } from '../../kernel/domain/errors.ts'
import { sha256 } from '../../kernel/domain/sha256.ts'
import { assembleTables, type CatalogueRows, type RowCount, type TableDetails } from '../domain/sql/catalogue.ts'
import { nameFinder } from '../domain/sql/tables-named.ts'
import type { TableRef, Warehouse } from '../ports/warehouse.ts'

interface CatalogueSource {
  readonly database: string
  load(): Promise<CatalogueRows>
  /** Counts rows if that is cheap; undefined keeps the catalogue's figure. */
  count(table: TableDetails): Promise<RowCount | undefined>
  /** Changes if anything in the database does: for tables without their own mark. */
  wholeMark?(): Promise<string | undefined>
  /** Facts about these columns of one table that is not a view; omitted if only the mark is available. */
  look?(table: TableDetails, columns: readonly string[]): Promise<string | undefined>
}

/** Keeps the last catalogue, so that describing 5,000 tables does not query each of them again. */
export function openCatalogueSnapshot({
  database,
  load,
  count,
  wholeMark,
  look,
}: CatalogueSource): Pick<Warehouse, 'tables' | 'describe' | 'look'> {
  let known: Promise<Snapshot> | undefined
  const refresh = (): Promise<Snapshot> => {
    known = read()
    known.catch(() => (known = undefined))
    return known
  }
  const read = async (): Promise<Snapshot> => {
    // Before the rows, so that a concurrent change is detected next time.
    const whole = await wholeMark?.()
    const tables = assembleTables(database, await load())
    const namedIn = nameFinder(tables)
    const named = new Map<string, readonly TableDetails[]>()
    const under = (view: TableDetails): readonly TableDetails[] => {
      const found = named.get(keyOf(view)) ?? namedIn(view.viewSql ?? '')
      named.set(keyOf(view), found)
      return found
    }
    return { whole, under, tables: new Map(tables.map((table) => [keyOf(table), table])), looks: new Map() }
  }
  const find = async (ref: TableRef): Promise<{ table: TableDetails; snapshot: Snapshot }> => {
    const snapshot = await (known ?? refresh())
    const table = snapshot.tables.get(keyOf(ref))
    if (table) return { table, snapshot }
    throw new AppError('not_found', `table ${ref.schema}.${ref.name} not found`, {
      hint: 'List the tables again; it may have been dropped.',
    })
  }
  return {
    async tables() {
      const snapshot = await refresh()
      const all = [...snapshot.tables.values()]
      return all.map((table) => ({ ...table, mark: markWithin(table, snapshot) }))
    },
    async describe(ref) {
      const { table } = await find(ref)
      return { ...table, rows: (await count(table)) ?? table.rows }
    },
    async look(ref, leavesOut = () => false) {
      const { table, snapshot } = await find(ref)
      if (look === undefined) return undefined
      const shown = (one: TableDetails): readonly string[] =>
        one.columns.map(({ name }) => name).filter((name) => !leavesOut(one, name))
      return lookAt(table, snapshot, (one) => look(one, shown(one)))
    },
  }
}

interface Snapshot {
  readonly whole: string | undefined
  readonly tables: ReadonlyMap<string, TableDetails>
  /** Tables that the text of a view names. */
  under(view: TableDetails): readonly TableDetails[]
  /** Each table is inspected once, however many views read it. */
  readonly looks: Map<string, Promise<string>>
}

/** Neither mark alone is enough: each may miss changes that the other covers. */
function markWithin(table: TableDetails, snapshot: Snapshot): string | undefined {
  const own = markOf(table, snapshot)
  if (snapshot.whole === undefined) return own === undefined ? undefined : together([own])
  return together([snapshot.whole, own ?? ''])
}

/** A view combines the marks of the tables it reads; if one has no mark, neither has the view. */
const markOf = (table: TableDetails, snapshot: Snapshot): string | undefined =>
  isView(table) ? together(basesOf(table, snapshot).map(({ mark }) => mark)) : table.mark

async function lookAt(
  table: TableDetails,
  snapshot: Snapshot,
  look: (table: TableDetails) => Promise<string | undefined>,
): Promise<string> {
  const once = (one: TableDetails): Promise<string> => {
    const asked = snapshot.looks.get(keyOf(one)) ?? look(one).then((found) => found ?? '')
    snapshot.looks.set(keyOf(one), asked)
    return asked
  }
  if (!isView(table)) return once(table)
  const found = await Promise.all(basesOf(table, snapshot).map(once))
  return found.some((one) => one !== '') ? together(found)! : ''
}

/** Base tables of a view, through all views in between. */
function basesOf(view: TableDetails, { under }: Snapshot): readonly TableDetails[] {
  const seen = new Set([view])
  // Iterating a set includes elements added on the way.
  for (const one of seen) if (isView(one)) for (const next of under(one)) seen.add(next)
  return [...seen].filter((one) => !isView(one))
}

const together = (parts: readonly (string | undefined)[]): string | undefined =>
  parts.length === 0 || parts.includes(undefined) ? undefined : sha256(JSON.stringify(parts)).slice(0, 16)

const isView = ({ kind }: TableDetails): boolean => kind === 'view'
const keyOf = (ref: TableRef): string => JSON.stringify([ref.schema, ref.name])
