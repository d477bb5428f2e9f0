import type { ConnectionOptions } from 'mysql2'
import type { RowCount, TableDetails } from '../../domain/sql/catalogue.ts'
import { parseDialect } from '../../domain/sql/parse-dialect.ts'
import type { Warehouse } from '../../ports/warehouse.ts'
import { openCatalogueSnapshot } from '../catalogue-snapshot.ts'
import { loadSqlparser } from '../sqlparser-tree.ts'
import { unreachable } from '../warehouse-limits.ts'
import { readCatalogue, readHistory, readOwnFunctions, readWholeMark } from './catalogue.ts'
import { mysqlDialect } from './dialect.ts'
import type { MysqlConnection } from './index.ts'
import { openSessions } from './sessions.ts'

/** MySQL or MariaDB database: every statement runs alone in a READ ONLY transaction. */
export async function openMysqlWarehouse(given: MysqlConnection): Promise<Warehouse> {
  const { options, database, secrets } = address(given)
  const [parse, sessions] = await Promise.all([loadSqlparser(), openSessions(options, secrets)])
  const rows = (sql: string): ReturnType<typeof sessions.rows> => sessions.rows(sql)
  const [server] = await rows('SELECT @@lower_case_table_names AS folding').catch(async (error: unknown) => {
    await sessions.close()
    throw unreachable(`the MySQL database ${database}`, error, secrets)
  })
  const names = { searchPath: [database], exactCase: Number(server?.['folding']) === 0 }
  return {
    dialect: mysqlDialect,
    ...openCatalogueSnapshot({
      database,
      load: () => readCatalogue(rows, database),
      count: (table) => countRows(table, sessions.query),
      wholeMark: () => readWholeMark(rows).catch(() => undefined),
      // A checksum covers all columns or none.
      look: async (table, columns) => (columns.length < table.columns.length ? table.mark : lookAtRows(table, rows)),
    }),
    parse: async (sql) =>
      parseDialect(sql, mysqlDialect, { names: { ...names, ownFunctions: await readOwnFunctions(rows) }, parse }),
    query: sessions.query,
    history: (limit) => readHistory(rows, database, limit),
    quote,
    close: sessions.close,
  }
}

const READ_BYTES = 4 * 1024 ** 2

/** Checksum of the rows if they are few; otherwise the time of the last write, in seconds, and the size. */
async function lookAtRows(
  { kind, schema, name, mark, bytes }: TableDetails,
  rows: (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>,
): Promise<string | undefined> {
  if (kind !== 'table' || bytes === undefined || bytes > READ_BYTES) return mark
  const [row] = await rows(`CHECKSUM TABLE ${quote(schema)}.${quote(name)}`).catch(() => [])
  return row?.['Checksum'] == null ? mark : `rows ${String(row['Checksum'])}`
}

// Tables up to this size are counted; for larger ones the engine's estimate is close enough.
const COUNTED_ROWS = 100_000

async function countRows(
  { kind, schema, name, rows }: TableDetails,
  query: Warehouse['query'],
): Promise<RowCount | undefined> {
  if (kind !== 'table' || (rows && rows.count > COUNTED_ROWS)) return rows
  try {
    const counted = await query(`SELECT count(*) FROM ${quote(schema)}.${quote(name)}`, {
      rows: 1,
      bytes: 100,
      milliseconds: 2_000,
    })
    return { count: Number(counted.rows[0]?.[0]), exact: true }
  } catch {
    return rows
  }
}

const quote = (identifier: string): string => `\`${identifier.replaceAll('`', '``')}\``

interface Address {
  readonly options: ConnectionOptions
  readonly database: string
  readonly secrets: readonly (string | undefined)[]
}

export function address(given: MysqlConnection): Address {
  const url = given.url === undefined ? undefined : new URL(given.url)
  const database = given.database ?? decodeURIComponent(url?.pathname.slice(1) ?? '')
  const password = given.password ?? (url?.password ? decodeURIComponent(url.password) : undefined)
  const user = given.user ?? (url?.username ? decodeURIComponent(url.username) : undefined)
  return {
    options: {
      ...(given.socket === undefined
        ? { host: given.host ?? (url?.hostname || 'localhost'), port: given.port ?? Number(url?.port || 3306) }
        : { socketPath: given.socket }),
      database,
      ...(user === undefined ? {} : { user }),
      ...(password === undefined ? {} : { password }),
      ...(given.ssl ? { ssl: {} } : {}),
    },
    database,
    secrets: [given.url, password, url?.password],
  }
}
