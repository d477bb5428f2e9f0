import { createHash } from 'node:crypto'
import { constants, DatabaseSync, type StatementSync } from 'node:sqlite'
import type { BoundValue } from '../../domain/sql/bind-names.ts'
import {
  cellFromBytes,
  cellFromInteger,
  collectRows,
  type Cell,
  type QueryLimits,
  type QueryResult,
} from '../../domain/sql/query.ts'
import { refusedFunction } from '../../domain/sql/refused-functions.ts'
import { serveEngine, StatementFault } from '../engine-process.ts'
import { sqliteDialect } from './dialect.ts'
import { isTellingPragma } from './from-sqlite-tree.ts'

export interface SqliteTask {
  readonly sql: string
  readonly limits: QueryLimits
  readonly values?: readonly BoundValue[]
  /** Returns a hash of the rows instead of the rows. */
  readonly hashed?: boolean
}

serveEngine<SqliteTask, DatabaseSync>({
  open: openReadOnly,
  close: (database) => database.close(),
  run: (task, database) => (task.hashed ? hashOfRows(database, task.sql) : run(database, task)),
  isAboutStatement: (error) => error instanceof StatementFault,
})

// A writer locks readers out during its commit.
const PATIENCE_MS = 5_000

function openReadOnly(path: string, memory: number): DatabaseSync {
  const opened = new DatabaseSync(path, { readOnly: true, timeout: PATIENCE_MS })
  opened.exec('SELECT 1 FROM sqlite_schema')
  opened.exec(`PRAGMA hard_heap_limit = ${Math.floor(memory / 2)}`)
  // Both are new in Node 24; on Node 22 only the parser and the read-only file protect the database.
  if ('enableDefensive' in opened) opened.enableDefensive(true)
  if ('setAuthorizer' in opened) opened.setAuthorizer(authorize)
  return opened
}

/** Called by SQLite before every action it compiles; only reads are allowed. */
function authorize(action: number, first: string | null, second: string | null): number {
  const { SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE, SQLITE_FUNCTION, SQLITE_PRAGMA, SQLITE_OK, SQLITE_DENY } =
    constants
  if (action === SQLITE_SELECT || action === SQLITE_READ || action === SQLITE_RECURSIVE) return SQLITE_OK
  if (
    action === SQLITE_FUNCTION &&
    !refusedFunction({ name: (second ?? '').toLowerCase(), schema: undefined }, sqliteDialect)
  )
    return SQLITE_OK
  return action === SQLITE_PRAGMA && isTellingPragma(first ?? '', second !== null) ? SQLITE_OK : SQLITE_DENY
}

function run(database: DatabaseSync, { sql, limits, values = [] }: SqliteTask): QueryResult {
  const statement = prepare(database, sql)
  statement.setReadBigInts(true)
  statement.setReturnArrays(true)
  const collector = collectRows(limits)
  const bound = values.map((value) => (Number.isInteger(value) ? BigInt(value) : value))
  for (const row of statement.iterate(...bound) as Iterable<unknown> as Iterable<readonly unknown[]>)
    if (!collector.add(row.map((value) => toCell(value, limits)))) break
  const found = collector.finish([])
  // An expression has no declared type: its first value determines it.
  const columns = statement
    .columns()
    .map(({ name, type }, i) => ({ name, type: type ?? typeOf(found.rows.find((row) => row[i] !== null)?.[i]) }))
  return { ...found, columns }
}

/** SQLite itself has no hash function. */
function hashOfRows(database: DatabaseSync, sql: string): string {
  const statement = prepare(database, sql)
  statement.setReadBigInts(true)
  statement.setReturnArrays(true)
  const hash = createHash('sha256')
  for (const row of statement.iterate() as Iterable<unknown> as Iterable<readonly unknown[]>)
    for (const value of row) {
      hash.update(value instanceof Uint8Array ? value : `${typeof value} ${String(value)}`)
      hash.update('\0')
    }
  return hash.digest('hex').slice(0, 16)
}

function prepare(database: DatabaseSync, sql: string): StatementSync {
  try {
    return database.prepare(sql)
  } catch (error) {
    throw new StatementFault((error as Error).message)
  }
}

function toCell(value: unknown, limits: QueryLimits): Cell {
  if (typeof value === 'bigint') return cellFromInteger(value)
  if (value instanceof Uint8Array) return cellFromBytes(value, limits)
  return value as Cell
}

function typeOf(cell: Cell | undefined): string {
  if (typeof cell === 'string') return 'TEXT'
  if (typeof cell === 'bigint') return 'INTEGER'
  if (typeof cell === 'number') return Number.isInteger(cell) ? 'INTEGER' : 'REAL'
  return ''
}
