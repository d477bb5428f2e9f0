import { COMPANY, SCHEMAS, TABLES, VIEWS, laterRows, rowsOf } from './company.ts'
import type { Column, Row, Table, Value } from './define.ts'

export type Engine = 'postgres' | 'duckdb' | 'sqlite'

const DOMAINS: Readonly<Record<string, readonly [string, string]>> = {
  'billing.fraction': ['numeric(8,4)', 'VALUE BETWEEN 0 AND 1'],
  'pim.ean13': ['char(13)', 'length(VALUE) = 13'],
}
const AT_ONCE = 500
const LARGE = { table: 'web.page_views', times: 300 }
/** Rows added in one day, by table: about one in a hundred of all rows. */
const NEW_ROWS = {
  'sales.orders': 170,
  'sales.order_lines': 260,
  'billing.invoices': 100,
  'billing.payments': 110,
  'logistics.shipments': 100,
  'web.events': 240,
}
const CHANGED_ROWS = 64

/** Table name in an engine. SQLite has no schemas: `crm.customers` becomes `crm_customers`. */
export const nameIn = (engine: Engine, name: string): string => (engine === 'sqlite' ? name.replace('.', '_') : name)

const sqlIn = (engine: Engine, sql: string): string =>
  engine === 'sqlite' ? sql.replace(new RegExp(`\\b(${SCHEMAS.join('|')})\\.(?=\\w)`, 'g'), '$1_') : sql

/** DuckDB has no foreign keys across schemas, and a self-reference fails for rows of the same insert. */
export const canDeclare = (engine: Engine, from: string, to: string): boolean =>
  engine !== 'duckdb' || (from !== to && from.split('.')[0] === to.split('.')[0])

export const rowsIn = ({ large = false }): number =>
  TABLES.reduce((sum, { name, rows }) => sum + (large && name === LARGE.table ? rows * (LARGE.times + 1) : rows), 0)

export function* buildStatements(engine: Engine, { large = false } = {}): Generator<string> {
  yield* types(engine)
  for (const own of TABLES) yield createTable(engine, own)
  for (const own of TABLES) yield* insertRows(engine, own, rowsOf(own.name))
  if (large) yield multiplied(engine)
  if (engine === 'postgres')
    for (const own of TABLES) yield* foreignKeys(engine, own).map((key) => `ALTER TABLE ${own.name} ADD ${key}`)
  for (const { name, sql, kind } of VIEWS)
    yield `CREATE ${kind === 'materialized view' && engine === 'postgres' ? kind : 'view'} ${nameIn(engine, name)} AS ${sqlIn(engine, sql)}`
  if (engine !== 'sqlite') yield* comments(engine)
  if (engine === 'postgres') yield 'ANALYZE'
}

/** Changes between two syncs, and the affected tables. */
export function changes(engine: Engine): {
  readonly tables: readonly string[]
  readonly statements: readonly string[]
  readonly rows: number
} {
  const statements = Object.entries(NEW_ROWS).flatMap(([name, count]) => {
    const own = TABLES.find((each) => each.name === name)!
    return [
      ...insertRows(
        engine,
        own,
        laterRows(own, count).map((row, i) => later(own, row, i)),
      ),
    ]
  })
  statements.push(
    `UPDATE ${nameIn(engine, 'crm.customers')} SET credit_limit = credit_limit + 500, updated_at = '2026-07-01 09:00:00' WHERE id <= ${CHANGED_ROWS}`,
  )
  const rows = Object.values(NEW_ROWS).reduce((sum, count) => sum + count, CHANGED_ROWS)
  return { tables: [...Object.keys(NEW_ROWS), 'crm.customers'], statements, rows }
}

function* types(engine: Engine): Generator<string> {
  if (engine === 'sqlite') return
  for (const schema of SCHEMAS) yield `CREATE SCHEMA ${schema}`
  const enums = new Map<string, readonly string[]>()
  for (const { columns } of TABLES)
    for (const { type, labels } of Object.values(columns))
      if (type.startsWith('enum ')) enums.set(type.slice(5), labels!)
  for (const [name, labels] of enums) yield `CREATE TYPE ${name} AS ENUM (${labels.map(quoted).join(', ')})`
  if (engine === 'postgres')
    for (const [name, [base, check]] of Object.entries(DOMAINS))
      yield `CREATE DOMAIN ${name} AS ${base} CHECK (${check})`
}

export function createTable(engine: Engine, own: Table, withKeys = engine !== 'postgres'): string {
  const lines = Object.entries(own.columns).map(([name, column]) => {
    const parts = [name, typeIn(engine, column.type)]
    if (!column.none) parts.push('NOT NULL')
    if (column.unique) parts.push('UNIQUE')
    if (column.default) parts.push(`DEFAULT ${column.default}`)
    if (engine === 'sqlite' && column.type.startsWith('enum '))
      parts.push(`CHECK (${name} IN (${column.labels!.map(quoted).join(', ')}))`)
    return parts.join(' ')
  })
  if (own.key.length > 0) lines.push(`PRIMARY KEY (${own.key.join(', ')})`)
  lines.push(...own.checks.map((check) => `CHECK (${check})`))
  if (withKeys) lines.push(...foreignKeys(engine, own))
  return `CREATE TABLE ${nameIn(engine, own.name)} (\n  ${lines.join(',\n  ')}\n)`
}

function foreignKeys(engine: Engine, own: Table): readonly string[] {
  const single = Object.entries(own.columns)
    .filter(([, { ref, declared }]) => ref !== undefined && declared !== false)
    .map(([name, { ref }]) => ({
      columns: [name],
      to: ref!.slice(0, ref!.lastIndexOf('.')),
      toColumns: [ref!.slice(ref!.lastIndexOf('.') + 1)],
    }))
  return [...single, ...own.joins.filter(({ declared }) => declared)]
    .filter(({ to }) => canDeclare(engine, own.name, to))
    .map(
      ({ columns, to, toColumns }) =>
        `FOREIGN KEY (${columns.join(', ')}) REFERENCES ${nameIn(engine, to)} (${toColumns.join(', ')})`,
    )
}

function* insertRows(engine: Engine, own: Table, rows: readonly Row[]): Generator<string> {
  const columns = Object.entries(own.columns)
  const into = `INSERT INTO ${nameIn(engine, own.name)} (${columns.map(([name]) => name).join(', ')}) VALUES\n`
  for (let at = 0; at < rows.length; at += AT_ONCE)
    yield (
      into +
        rows
          .slice(at, at + AT_ONCE)
          .map((row) => `(${columns.map(([name, column]) => literal(engine, column, row[name]!)).join(', ')})`)
          .join(',\n')
    )
}

const later = (own: Table, row: Row, i: number): Row => ({
  ...row,
  ...Object.fromEntries(
    Object.entries(own.columns)
      .filter(([name, { type }]) => type === 'timestamp' && row[name] !== null)
      .map(([name]) => [name, new Date(Date.UTC(2026, 6, 1, 8, i)).toISOString().slice(0, 19).replace('T', ' ')]),
  ),
})

function multiplied(engine: Engine): string {
  const own = TABLES.find(({ name }) => name === LARGE.table)!
  const name = nameIn(engine, own.name)
  const rest = Object.keys(own.columns).filter((column) => column !== 'id')
  const series =
    engine === 'sqlite'
      ? `(WITH RECURSIVE s(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM s WHERE k < ${LARGE.times}) SELECT k FROM s)`
      : `(SELECT generate_series AS k FROM generate_series(1, ${LARGE.times}))`
  return `INSERT INTO ${name} (id, ${rest.join(', ')}) SELECT t.id + s.k * ${own.rows}, ${rest.map((column) => `t.${column}`).join(', ')} FROM ${name} t CROSS JOIN ${series} s`
}

function* comments(engine: Engine): Generator<string> {
  for (const each of COMPANY) {
    const kind = engine === 'duckdb' && each.kind !== 'table' ? 'view' : each.kind
    if (each.about) yield `COMMENT ON ${kind} ${each.name} IS ${quoted(each.about)}`
    if (each.kind !== 'table') continue
    for (const [column, { about }] of Object.entries(each.columns))
      if (about) yield `COMMENT ON COLUMN ${each.name}.${column} IS ${quoted(about)}`
  }
}

function typeIn(engine: Engine, type: string): string {
  if (type.startsWith('domain ')) return engine === 'postgres' ? type.slice(7) : DOMAINS[type.slice(7)]![0]
  if (type.startsWith('enum ')) return engine === 'sqlite' ? 'text' : type.slice(5)
  if (engine === 'postgres') return type
  if (type === 'jsonb') return 'json'
  if (type === 'inet' || (engine === 'sqlite' && type === 'uuid')) return 'text'
  if (engine === 'sqlite' && type.endsWith('[]')) return 'json'
  return type
}

function literal(engine: Engine, { type }: Column, value: Value): string {
  if (value === null) return 'NULL'
  if (typeof value === 'boolean') return engine === 'sqlite' ? String(Number(value)) : String(value)
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string')
    return type.startsWith('numeric') || type === 'domain billing.fraction' ? value : quoted(value)
  if (!Array.isArray(value) || engine === 'sqlite' || type === 'jsonb') return quoted(JSON.stringify(value))
  return engine === 'postgres'
    ? quoted(`{${value.join(',')}}`)
    : `[${value.map((each) => quoted(String(each))).join(', ')}]`
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`
