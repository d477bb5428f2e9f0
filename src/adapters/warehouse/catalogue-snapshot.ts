import { AppError } from '../../core/errors.ts'
import {
  assembleTables,
  summaryOf,
  type CatalogueRows,
  type RowCount,
  type TableDetails,
} from '../../core/sql/catalogue.ts'
import type { TableRef, TableSummary } from '../../ports/warehouse.ts'

interface CatalogueSource {
  readonly database: string
  load(): Promise<CatalogueRows>
  /** Counts rows where that is cheap; undefined keeps the catalogue's own figure. */
  count(table: TableDetails): Promise<RowCount | undefined>
}

/** Keeps the catalogue as it was read last, so that describing 5,000 tables does not ask for each of them again. */
export function openCatalogueSnapshot({ database, load, count }: CatalogueSource): {
  tables(): Promise<readonly TableSummary[]>
  describe(ref: TableRef): Promise<TableDetails>
  columns(ref: TableRef): Promise<readonly string[]>
} {
  let known: Promise<ReadonlyMap<string, TableDetails>> | undefined
  const refresh = (): Promise<ReadonlyMap<string, TableDetails>> => {
    known = load().then((rows) => new Map(assembleTables(database, rows).map((table) => [keyOf(table), table])))
    known.catch(() => (known = undefined))
    return known
  }
  const find = async (ref: TableRef): Promise<TableDetails> => {
    const table = (await (known ?? refresh())).get(keyOf(ref))
    if (table) return table
    throw new AppError('not_found', `there is no table ${ref.schema}.${ref.name}`, {
      hint: 'List the tables again; it may have been dropped.',
    })
  }
  return {
    async tables() {
      return [...(await refresh()).values()].map(summaryOf)
    },
    async columns(ref) {
      return (await find(ref)).columns.map(({ name }) => name)
    },
    async describe(ref) {
      const table = await find(ref)
      return { ...table, rows: (await count(table)) ?? table.rows }
    },
  }
}

const keyOf = (ref: TableRef): string => JSON.stringify([ref.schema, ref.name])
