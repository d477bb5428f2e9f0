import { constants, DatabaseSync } from 'node:sqlite'
import { isTellingPragma } from '../../core/sql/from-sqlite-tree.ts'
import { cellFromInteger, collectRows, type Cell, type QueryLimits, type QueryResult } from '../../core/sql/query.ts'
import { refusedFunction } from '../../core/sql/refused-functions.ts'

/** `opened` tells a file that is no database from a statement that is wrong. */
export type ProcessAnswer = { readonly result: QueryResult } | { readonly error: string; readonly opened: boolean }

let database: DatabaseSync | undefined

process.on('message', ({ sql, limits }: { sql: string; limits: QueryLimits }) => process.send?.(answer(sql, limits)))
process.on('disconnect', () => process.exit())

function answer(sql: string, limits: QueryLimits): ProcessAnswer {
  try {
    database ??= openReadOnly(process.argv[2] ?? '')
    return { result: run(database, sql, limits) }
  } catch (error) {
    return { error: (error as Error).message, opened: database !== undefined }
  }
}

function openReadOnly(path: string): DatabaseSync {
  const opened = new DatabaseSync(path, { readOnly: true })
  opened.exec('SELECT 1 FROM sqlite_schema')
  // Both came with Node 24; on Node 22 the parser and the read-only file stand alone.
  if ('enableDefensive' in opened) opened.enableDefensive(true)
  if ('setAuthorizer' in opened) opened.setAuthorizer(authorize)
  return opened
}

/** SQLite asks before every action it compiles: only reading is answered with yes. */
function authorize(action: number, first: string | null, second: string | null): number {
  const { SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE, SQLITE_FUNCTION, SQLITE_PRAGMA, SQLITE_OK, SQLITE_DENY } = constants
  if (action === SQLITE_SELECT || action === SQLITE_READ || action === SQLITE_RECURSIVE) return SQLITE_OK
  if (action === SQLITE_FUNCTION && !refusedFunction({ name: (second ?? '').toLowerCase(), schema: undefined }, 'sqlite')) return SQLITE_OK
  return action === SQLITE_PRAGMA && isTellingPragma(first ?? '', second !== null) ? SQLITE_OK : SQLITE_DENY
}

function run(database: DatabaseSync, sql: string, limits: QueryLimits): QueryResult {
  const statement = database.prepare(sql)
  statement.setReadBigInts(true)
  statement.setReturnArrays(true)
  const collector = collectRows(limits)
  for (const row of statement.iterate() as Iterable<unknown> as Iterable<readonly unknown[]>) if (!collector.add(row.map(toCell))) break
  const found = collector.finish([])
  // An expression has no declared type: the first value that is there tells it.
  const columns = statement
    .columns()
    .map(({ name, type }, i) => ({ name, type: type ?? typeOf(found.rows.find((row) => row[i] !== null)?.[i]) }))
  return { ...found, columns }
}

function toCell(value: unknown): Cell {
  if (typeof value === 'bigint') return cellFromInteger(value)
  if (value instanceof Uint8Array) return String.raw`\x` + Buffer.from(value).toString('hex')
  return value as Cell
}

function typeOf(cell: Cell | undefined): string {
  if (typeof cell === 'string') return 'TEXT'
  if (typeof cell === 'bigint') return 'INTEGER'
  if (typeof cell === 'number') return Number.isInteger(cell) ? 'INTEGER' : 'REAL'
  return ''
}
