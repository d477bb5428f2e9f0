import type { CatalogueRows, TableKey, TableRow } from './catalogue.ts'

export type Row = Readonly<Record<string, unknown>>

/** Runs a catalogue query. Keys are lower-case column names. */
export type RunRows = (sql: string) => Promise<readonly Row[]>

/**
 * Results of an adapter's catalogue queries. Every row has `schema_name` and `table_name`; the other names are the same
 * in all dialects, so that only the SQL differs. A list is omitted if the engine has no such objects.
 */
export interface CatalogueAnswers {
  /** kind, comment_text, view_sql, partition_key, row_estimate; data_mark, changed_at, byte_estimate */
  readonly tables: readonly Row[]
  /**
   * column_name, data_type, nullable, default_text, comment_text, base_type, labels (a JSON list), generated
   * (`identity` or an expression); in order
   */
  readonly columns: readonly Row[]
  /** column_name; in order */
  readonly primaryKeys?: readonly Row[]
  /** constraint_name, column_name, to_schema, to_table, to_column; in order */
  readonly foreignKeys?: readonly Row[]
  /** index_name, is_unique, column_name (null for an expression); in order */
  readonly indexes?: readonly Row[]
  /** constraint_name, column_name; in order */
  readonly uniques?: readonly Row[]
  /** expression, value_name (the column that VALUE refers to) */
  readonly checks?: readonly Row[]
}

export function toCatalogueRows({
  tables,
  columns,
  primaryKeys = [],
  foreignKeys = [],
  indexes = [],
  uniques = [],
  checks = [],
}: CatalogueAnswers): CatalogueRows {
  return {
    tables: tables.map(toTable),
    columns: columns.map((row) => ({
      ...keyOf(row),
      name: String(row['column_name']),
      type: String(row['data_type'] ?? ''),
      nullable: isTrue(row['nullable']),
      default: text(row['default_text']),
      comment: text(row['comment_text']),
      base: text(row['base_type']),
      labels: listOf(row['labels']),
      generated: text(row['generated']),
    })),
    primaryKeys: primaryKeys.map((row) => ({ ...keyOf(row), column: String(row['column_name']) })),
    foreignKeys: foreignKeys.map((row) => ({
      ...keyOf(row),
      constraint: String(row['constraint_name']),
      column: String(row['column_name']),
      toSchema: String(row['to_schema']),
      toTable: String(row['to_table']),
      toColumn: String(row['to_column'] ?? ''),
    })),
    indexes: [
      ...Map.groupBy(indexes, (row) =>
        JSON.stringify([row['schema_name'], row['table_name'], row['index_name']]),
      ).values(),
    ].map((parts) => ({
      ...keyOf(parts[0]!),
      name: String(parts[0]!['index_name']),
      columns: parts.map((part) => text(part['column_name']) ?? '(expression)'),
      unique: isTrue(parts[0]!['is_unique']),
    })),
    uniques: uniques.map((row) => ({
      ...keyOf(row),
      constraint: String(row['constraint_name']),
      column: String(row['column_name']),
    })),
    checks: checks.map((row) => ({
      ...keyOf(row),
      expression: String(row['expression'] ?? ''),
      value: text(row['value_name']),
    })),
  }
}

function toTable(row: Row): TableRow {
  const estimate = row['row_estimate']
  const partition = text(row['partition_key'])
  return {
    ...keyOf(row),
    kind: kindOf(String(row['kind'] ?? '')),
    comment: text(row['comment_text']),
    viewSql: text(row['view_sql']),
    partitions: partition === undefined ? [] : partition.split('\n'),
    rows:
      estimate === null || estimate === undefined || Number(estimate) < 0
        ? undefined
        : { count: Math.round(Number(estimate)), exact: false },
    mark: text(row['data_mark']),
    changedAt: isoTime(row['changed_at']),
    bytes: numberOf(row['byte_estimate']),
  }
}

function kindOf(kind: string): TableRow['kind'] {
  if (/materiali[sz]ed/i.test(kind)) return 'materialized view'
  if (/view/i.test(kind)) return 'view'
  return /external|foreign/i.test(kind) ? 'external' : 'table'
}

const keyOf = (row: Row): TableKey => ({ schema: String(row['schema_name']), table: String(row['table_name']) })
const text = (value: unknown): string | undefined =>
  value === null || value === undefined || value === '' ? undefined : String(value)
const listOf = (value: unknown): readonly string[] | undefined =>
  value === null || value === undefined ? undefined : (JSON.parse(String(value)) as readonly string[])
const numberOf = (value: unknown): number | undefined =>
  value === null || value === undefined || !Number.isFinite(Number(value)) ? undefined : Number(value)
const isTrue = (value: unknown): boolean => value === true || /^(yes|y|true|t|1)$/i.test(String(value))

/** Parses the timestamp formats of engines; undefined for any other. */
function isoTime(value: unknown): string | undefined {
  const given = text(value)
  if (given === undefined) return undefined
  const plain = given
    .trim()
    .replace(/^(\d{4}-\d\d-\d\d) /, '$1T')
    .replace(/(T.*) ?([+-]\d\d)$/, '$1$2:00')
  const moment = new Date(/T.*(?:Z|[+-]\d\d:?\d\d)$/.test(plain) ? plain : `${plain}Z`)
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString().replace(/\.\d+Z$/, 'Z')
}
