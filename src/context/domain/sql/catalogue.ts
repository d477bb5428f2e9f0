import { sha256 } from '../../../kernel/domain/sha256.ts'
import { labelsOfType, readCheck, type Check } from './check-constraint.ts'

export interface TableRef {
  readonly database: string
  readonly schema: string
  readonly name: string
}

/** Column as the engine's catalogue describes it. */
export interface Column {
  readonly name: string
  readonly type: string
  readonly nullable: boolean
  readonly default: string | undefined
  readonly comment: string | undefined
  /** Underlying type of a user-defined one: the type of a domain, or `enum`. */
  readonly base?: string | undefined
  /** All values that the type or a CHECK allows, in catalogue order. */
  readonly labels?: readonly string[] | undefined
  /** How the engine fills it: `identity`, or the expression it is computed from. */
  readonly generated?: string | undefined
}

export interface ForeignKey {
  readonly columns: readonly string[]
  readonly references: TableRef
  readonly referenced: readonly string[]
}

export interface TableIndex {
  readonly name: string
  readonly columns: readonly string[]
  readonly unique: boolean
}

export interface TableSummary extends TableRef {
  readonly kind: 'table' | 'view' | 'materialized view' | 'external'
  readonly comment: string | undefined
  /** Changes if columns, types, keys or comments change; equal fingerprints mean an equal description. */
  readonly fingerprint: string
  /**
   * Equal marks mean that no row changed, as far as the catalogue reports; a different one requires a check, because it
   * may cover more than this table. Undefined if the engine reports nothing.
   */
  readonly mark?: string | undefined
  /** When its rows last changed, if the engine records it. */
  readonly changedAt?: string | undefined
  /** Size in the engine, if reported: roughly the cost of a full read. */
  readonly bytes?: number | undefined
}

/** Row count: exact for small tables, the engine's estimate for large ones. */
export interface RowCount {
  readonly count: number
  readonly exact: boolean
}

export interface TableDetails extends TableSummary {
  readonly columns: readonly Column[]
  readonly primaryKey: readonly string[]
  readonly foreignKeys: readonly ForeignKey[]
  readonly indexes: readonly TableIndex[]
  /** Column lists of UNIQUE constraints that the engine does not list as an index. */
  readonly uniques?: readonly (readonly string[])[]
  /** Requirements of CHECKs beyond `labels` and `nullable` of a column. */
  readonly checks?: readonly Pick<Check, 'columns' | 'expression'>[]
  /** Partition columns or expressions, as the engine writes them. */
  readonly partitions: readonly string[]
  /** Undefined if neither a count nor an estimate is cheap to get. */
  readonly rows: RowCount | undefined
  readonly viewSql: string | undefined
}

/**
 * Rows as catalogue queries return them: one list for all tables, so that 5,000 tables cost a handful of round trips.
 */
export interface CatalogueRows {
  readonly tables: readonly TableRow[]
  readonly columns: readonly (TableKey & Column)[]
  readonly primaryKeys: readonly (TableKey & { readonly column: string })[]
  readonly foreignKeys: readonly ForeignKeyRow[]
  readonly indexes: readonly (TableKey & TableIndex)[]
  /** One column of one UNIQUE constraint, in order. */
  readonly uniques?: readonly (TableKey & { readonly constraint: string; readonly column: string })[]
  /** CHECKs as the engine writes them; `value` is the column that VALUE refers to in a domain's CHECK. */
  readonly checks?: readonly (TableKey & { readonly expression: string; readonly value?: string | undefined })[]
}

export interface TableKey {
  readonly schema: string
  readonly table: string
}

export interface TableRow extends TableKey {
  readonly kind: TableSummary['kind']
  readonly comment: string | undefined
  readonly viewSql: string | undefined
  readonly partitions: readonly string[]
  /** The engine's estimate, if any. */
  readonly rows: RowCount | undefined
  readonly mark?: string | undefined
  readonly changedAt?: string | undefined
  readonly bytes?: number | undefined
}

/** One column of one foreign key, in order. */
export interface ForeignKeyRow extends TableKey {
  readonly constraint: string
  readonly column: string
  readonly toSchema: string
  readonly toTable: string
  readonly toColumn: string
}

/** Groups the rows of a catalogue by table. */
export function assembleTables(database: string, rows: CatalogueRows): readonly TableDetails[] {
  const columns = byTable(rows.columns)
  const primaryKeys = byTable(rows.primaryKeys)
  const foreignKeys = byTable(rows.foreignKeys)
  const indexes = byTable(rows.indexes)
  const uniques = byTable(rows.uniques ?? [])
  const checks = byTable(rows.checks ?? [])
  return rows.tables.map((table) => {
    const of = <T>(groups: ReadonlyMap<string, readonly T[]>): readonly T[] => groups.get(keyOf(table)) ?? []
    const primaryKey = of(primaryKeys).map((row) => row.column)
    const named = of(columns)
    const demanded = of(checks).map(({ expression, value }) =>
      readCheck(
        expression,
        named.map(({ name }) => name),
        value,
      ),
    )
    const described = {
      kind: table.kind,
      comment: table.comment,
      columns: named.map((column) => describedColumn(column, demanded)),
      primaryKey,
      foreignKeys: joinForeignKeys(database, of(foreignKeys)),
      indexes: of(indexes).map(({ name, columns, unique }) => ({ name, columns, unique })),
      uniques: [...Map.groupBy(of(uniques), (row) => row.constraint).values()].map((parts) =>
        parts.map((part) => part.column),
      ),
      checks: demanded
        .filter(({ labels, says }) => labels === undefined && says === undefined)
        .map(({ columns, expression }) => ({ columns, expression })),
      partitions: table.partitions,
      viewSql: table.viewSql,
    }
    const fingerprint = sha256(JSON.stringify(described)).slice(0, 16)
    const { rows: counted, mark, changedAt, bytes } = table
    const data = { rows: counted, mark, changedAt, bytes }
    return { database, schema: table.schema, name: table.table, ...described, fingerprint, ...data }
  })
}

function describedColumn(
  { name, type, nullable, default: initial, comment, base, labels, generated }: Column,
  checks: readonly Check[],
): Column {
  const own = checks.filter(({ columns }) => columns.length === 1 && columns[0] === name)
  const listed = labels ?? labelsOfType(type) ?? own.find((check) => check.labels !== undefined)?.labels
  const told = base ?? (own.some(({ says }) => says === 'json') ? 'json' : undefined)
  return {
    name,
    type,
    nullable: nullable && !own.some(({ says }) => says === 'not null'),
    default: initial,
    comment,
    ...(told !== undefined && { base: told }),
    ...(listed !== undefined && { labels: listed }),
    ...(generated !== undefined && { generated }),
  }
}

function joinForeignKeys(database: string, rows: readonly ForeignKeyRow[]): readonly ForeignKey[] {
  const keys = Map.groupBy(rows, (row) => row.constraint)
  return [...keys.values()].map((parts) => ({
    columns: parts.map((part) => part.column),
    references: { database, schema: parts[0]!.toSchema, name: parts[0]!.toTable },
    referenced: parts.map((part) => part.toColumn),
  }))
}

const keyOf = (row: TableKey): string => JSON.stringify([row.schema, row.table])
const byTable = <T extends TableKey>(rows: readonly T[]): ReadonlyMap<string, readonly T[]> => Map.groupBy(rows, keyOf)
