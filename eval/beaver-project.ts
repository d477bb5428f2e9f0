import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { stringify } from 'yaml'
import { EVERY_SET, type SuiteOptions } from './suite.ts'

export interface BeaverTable {
  readonly db_id: string
  readonly table_name_original: string
  readonly column_names_original: readonly string[]
  readonly column_types: readonly string[]
  readonly primary_key?: readonly string[]
  readonly foreign_key?: readonly {
    readonly column_name: string
    readonly referenced_table_name: string
    readonly referenced_column_name: string
  }[]
}

export interface BeaverQuestion {
  readonly id: string
  readonly question: string
  readonly source: 'dw' | 'nw'
  readonly sql: string
  readonly gold_tables: readonly string[]
}

/** Folder of the labelled data; ends the run with a message if missing. */
export function beaverFolder(given: string | undefined): string {
  const data = join(given ?? process.env['KEN_EVAL_DATA'] ?? join(import.meta.dirname, '../../shared/data'), 'beaver')
  if (existsSync(data)) return data
  console.error(`no tables in ${data}: name the folder of labelled data with --data or KEN_EVAL_DATA`)
  process.exit(2)
}

/** Returns false, with a message, if a folder of labelled data has no BEAVER tables. */
export function hasBeaver({ data, leaveOut }: SuiteOptions): boolean {
  const isThere = data !== undefined && existsSync(join(data, 'beaver'))
  if (!isThere) leaveOut(EVERY_SET, 'the data has no folder beaver')
  return isThere
}

export const readBeaver = <T>(data: string, file: string): T => JSON.parse(readFileSync(join(data, file), 'utf8')) as T

export const tableId = (database: string, table: string): string => `${database}.${table}`.toUpperCase()

export const goldTables = ({ gold_tables }: BeaverQuestion): readonly string[] => [
  ...new Set(gold_tables.map((table) => tableId(...(table.split('#sep#') as [string, string])))),
]

export const isKeptBackId = (id: string): boolean => createHash('sha256').update(id).digest()[31]! % 2 === 1

/** A context project with the whole schema in SQLite: names, types and keys, no rows. */
export function makeBeaver(place: string, tables: readonly BeaverTable[]): void {
  const names = [...new Set(tables.map((table) => table.db_id))]
  for (const name of names) {
    const database = new DatabaseSync(join(place, `${name}.sqlite`))
    for (const table of tables.filter((one) => one.db_id === name)) database.exec(createTable(table))
    database.close()
  }
  writeFileSync(
    join(place, 'ken.yaml'),
    stringify({ name: 'beaver', databases: names.map((name) => ({ name, type: 'sqlite', path: `${name}.sqlite` })) }),
  )
}

export function createTable(table: BeaverTable): string {
  const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`
  const columns = table.column_names_original.map((name, i) => {
    const [type = ''] = (table.column_types[i] ?? '').match(/^[a-z0-9_]+(?:\([\d, ]*\))?/i) ?? []
    return `${quote(name)} ${type}${/NOT NULL/i.test(table.column_types[i] ?? '') ? ' NOT NULL' : ''}`
  })
  const key = table.primary_key ?? []
  return `CREATE TABLE ${quote(table.table_name_original)} (${[
    ...columns,
    ...(key.length === 0 ? [] : [`PRIMARY KEY (${key.map(quote).join(', ')})`]),
    ...(table.foreign_key ?? []).map(
      (one) =>
        `FOREIGN KEY (${quote(one.column_name)}) REFERENCES ${quote(one.referenced_table_name.split('#sep#')[1] ?? '')} (${quote(one.referenced_column_name)})`,
    ),
  ].join(', ')})`
}
