import { connect } from 'node:net'
import type { Connection, ConnectionOptions, FieldPacket, PoolConnection } from 'mysql2'
import { loadOptional } from '../../../kernel/system/optional-package.ts'
import {
  cellFromBytes,
  cellFromDecimal,
  cellFromInteger,
  cellFromUtf8,
  collectRows,
  type Cell,
} from '../../domain/sql/query.ts'
import type { BoundValue, QueryLimits, QueryResult, Warehouse } from '../../ports/warehouse.ts'
import { boundedSocket } from '../bounded-socket.ts'
import { refusedByEngine, runWithin } from '../warehouse-limits.ts'

export interface Sessions {
  readonly query: Warehouse['query']
  rows(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  close(): Promise<void>
}

/** Connections that wrap every statement in START TRANSACTION READ ONLY … ROLLBACK. */
export async function openSessions(
  options: ConnectionOptions,
  secrets: readonly (string | undefined)[],
): Promise<Sessions> {
  const { default: driver } = await loadOptional<{ default: typeof import('mysql2') }>('mysql2')
  // Without LOCAL_FILES a server cannot request a local file.
  const pool = driver.createPool({
    ...options,
    ...(options.socketPath === undefined && {
      stream: () =>
        boundedSocket(
          connect({ host: options.host ?? 'localhost', port: options.port ?? 3306, noDelay: true, keepAlive: true }),
        ),
    }),
    connectionLimit: 4,
    connectTimeout: 15_000,
    charset: 'utf8mb4',
    multipleStatements: false,
    flags: ['-LOCAL_FILES'],
  })
  const prepared = new WeakMap<Connection, Promise<'MariaDB' | 'MySQL'>>()
  const borrow = async (): Promise<{ session: PoolConnection; server: 'MariaDB' | 'MySQL' }> => {
    const session = await new Promise<PoolConnection>((resolve, reject) =>
      pool.getConnection((error, found) => (error ? reject(error) : resolve(found))),
    )
    const ready = prepared.get(session) ?? prepareSession(session)
    prepared.set(session, ready)
    return { session, server: await ready }
  }
  return {
    async query(sql, limits, signal, values = []) {
      const { session, server } = await borrow()
      const stop = (): Promise<void> => kill(() => driver.createConnection(options), session)
      const run = async (isStopped: () => boolean): Promise<QueryResult> => {
        try {
          await send(session, timeLimit(server, limits))
          // DDL ends the transaction before it runs, and the session's setting applies from there on.
          await send(session, 'SET SESSION TRANSACTION READ ONLY')
          await send(session, 'START TRANSACTION READ ONLY')
          if (isStopped()) throw new Error('stopped')
          return await stream(session, { sql, values }, { limits, stop })
        } catch (error) {
          throw refusedByEngine(error, { secrets, about: aboutOf(error) })
        }
      }
      try {
        return await runWithin({ limits, signal, run, stop })
      } finally {
        await send(session, 'ROLLBACK').then(
          () => (READS.test(sql) ? session.release() : session.destroy()),
          () => session.destroy(),
        )
      }
    },
    async rows(sql) {
      const { session } = await borrow()
      try {
        return await send(session, sql)
      } finally {
        session.release()
      }
    },
    close: () => new Promise((resolve) => pool.end(() => resolve())),
  }
}

/** Anything else may have changed the database, mode or role, so its connection is not reused. */
const READS = /^[\s(]*(SELECT|WITH|VALUES|TABLE|EXPLAIN|SHOW|DESC|DESCRIBE|ANALYZE)\b/i

/** The parser reads "x" as a string and \ as an escape: modes that differ are removed from the session. */
async function prepareSession(session: Connection): Promise<'MariaDB' | 'MySQL'> {
  const [row] = await send(session, 'SELECT @@sql_mode AS mode, @@version AS version')
  const kept = String(row?.['mode'])
    .split(',')
    .filter((mode) => !/^(ANSI|ANSI_QUOTES|NO_BACKSLASH_ESCAPES|ORACLE|MSSQL|DB2|MAXDB|POSTGRESQL)$/.test(mode))
  await send(session, `SET SESSION sql_mode = '${kept.join(',')}'`)
  if (/mariadb/i.test(String(row?.['version']))) return 'MariaDB'
  // MySQL reports table sizes and times from a cache that is up to a day old; MySQL 5.7 has no cache.
  await send(session, 'SET SESSION information_schema_stats_expiry = 0').catch(() => undefined)
  return 'MySQL'
}

// Subset of SQLSTATE class 42, which MySQL also uses for invalid values: syntax, and names of columns, tables and
// functions.
const STATEMENT_FAULTS = new Set([1054, 1064, 1109, 1146, 1305])

const aboutOf = (error: unknown): 'statement' | 'data' =>
  STATEMENT_FAULTS.has(Number((error as { errno?: unknown }).errno)) ? 'statement' : 'data'

// Ken's timer stops a statement; the server's limit applies if Ken has exited.
const MARGIN_MS = 1_000

function timeLimit(server: 'MariaDB' | 'MySQL', { milliseconds }: QueryLimits): string {
  const total = Math.ceil(milliseconds) + MARGIN_MS
  return server === 'MariaDB'
    ? `SET SESSION max_statement_time = ${total / 1000}`
    : `SET SESSION max_execution_time = ${total}`
}

function send(session: Connection, sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  return new Promise((resolve, reject) =>
    session.query({ sql, dateStrings: true }, (error, rows) =>
      error ? reject(error) : resolve(rows as readonly Record<string, unknown>[]),
    ),
  )
}

/** Uses a connection outside the pool: the whole pool may be busy with statements to be stopped. */
async function kill(open: () => Connection, session: Connection): Promise<void> {
  const messenger = open()
  messenger.on('error', () => undefined)
  try {
    await send(messenger, `KILL QUERY ${session.threadId}`)
  } catch (error) {
    if ((error as { code?: string }).code !== 'ER_NO_SUCH_THREAD') throw error
  } finally {
    messenger.destroy()
  }
}

function stream(
  session: Connection,
  { sql, values }: { sql: string; values: readonly BoundValue[] },
  { limits, stop }: { limits: QueryLimits; stop(): Promise<void> },
): Promise<QueryResult> {
  const collector = collectRows(limits)
  let fields: readonly FieldPacket[] = []
  let killed: Promise<void> | undefined
  return new Promise((resolve, reject) => {
    const finish = (): void => {
      const result = collector.finish(fields.map((field) => ({ name: field.name, type: typeName(field) })))
      // A pending kill would hit the next statement of this connection.
      void (killed ?? Promise.resolve()).then(() => resolve(result), reject)
    }
    // Values are sent apart from the text; numbers then arrive as numbers, and the rest as bytes.
    const asked =
      values.length === 0
        ? session.query({ sql, rowsAsArray: true, typeCast: (field) => field.buffer() })
        : session.execute({
            sql,
            values: [...values],
            rowsAsArray: true,
            dateStrings: true,
            supportBigNumbers: true,
            bigNumberStrings: true,
            typeCast: (field, next) => (PACKED.has(field.type) ? next() : field.buffer()),
          })
    asked
      .on('fields', (found: readonly FieldPacket[]) => (fields = found ?? []))
      .on('result', (row: unknown) => {
        if (killed || !Array.isArray(row)) return
        const fits = collector.add(
          (row as (Buffer | string | number | null)[]).map((value, i) => toCell(value, fields[i], limits)),
        )
        if (!fits) killed = stop()
      })
      .on('error', (error: Error) => (killed ? finish() : reject(error)))
      .on('end', finish)
  })
}

const TYPES: Readonly<Record<number, string>> = {
  0: 'decimal',
  1: 'tinyint',
  2: 'smallint',
  3: 'int',
  4: 'float',
  5: 'double',
  6: 'null',
  7: 'timestamp',
  8: 'bigint',
  9: 'mediumint',
  10: 'date',
  11: 'time',
  12: 'datetime',
  13: 'year',
  16: 'bit',
  245: 'json',
  246: 'decimal',
  247: 'enum',
  248: 'set',
  252: 'text',
  253: 'varchar',
  254: 'char',
  255: 'geometry',
}
const INTEGERS = new Set([1, 2, 3, 8, 9, 13])
const FLOATS = new Set([4, 5])
const DECIMALS = new Set([0, 246])
const FLOAT = 4
const BIT = 16
const GEOMETRY = 255
const BINARY = 63

const typeName = (field: FieldPacket): string => TYPES[typeOf(field)] ?? 'unknown'
const typeOf = (field: FieldPacket): number => (field as { columnType?: number }).columnType ?? field.type ?? -1

/** Types that a prepared statement does not return as text or bytes. */
const PACKED = new Set(
  'TINY SHORT LONG INT24 LONGLONG YEAR FLOAT DOUBLE NULL DATE NEWDATE DATETIME TIMESTAMP TIME'.split(' '),
)
// As many digits as the server writes.
const FLOAT_DIGITS = 6

function toCell(value: Buffer | string | number | null, field: FieldPacket | undefined, limits: QueryLimits): Cell {
  if (value === null) return null
  const type = field ? typeOf(field) : -1
  if (!Buffer.isBuffer(value)) {
    if (INTEGERS.has(type)) return cellFromInteger(BigInt(value))
    return typeof value === 'number' && type === FLOAT ? Number(value.toPrecision(FLOAT_DIGITS)) : value
  }
  if (type === BIT) return cellFromInteger(BigInt(`0x${value.toString('hex') || '0'}`))
  const text = cellFromUtf8(value, limits)
  if (INTEGERS.has(type)) return cellFromInteger(BigInt(text))
  if (FLOATS.has(type)) return Number(text)
  if (DECIMALS.has(type)) return cellFromDecimal(text)
  const binary = type === GEOMETRY || ((field as { characterSet?: number })?.characterSet === BINARY && !isText(value))
  return binary ? cellFromBytes(value, limits) : text
}

/** Many text results have the binary character set too, so the bytes decide. */
const isText = (value: Buffer): boolean =>
  !value.some((byte) => byte < 9) && Buffer.from(value.toString()).equals(value)
