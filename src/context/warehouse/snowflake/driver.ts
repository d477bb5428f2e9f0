import {
  cellFromDecimal,
  cellFromUnknown,
  collectRows,
  type Cell,
  type QueryLimits,
  type QueryResult,
} from '../../domain/sql/query.ts'
import { loadDriver, type Driver } from '../remote-warehouse.ts'
import type { SnowflakeConnection } from './index.ts'

interface Sdk {
  configure(options: Record<string, unknown>): void
  createConnection(options: Record<string, unknown>): SdkConnection
}
interface SdkConnection {
  connectAsync(callback: () => void): Promise<unknown>
  execute(options: Record<string, unknown>): SdkStatement
  destroy(callback: () => void): void
}
interface SdkStatement {
  getColumns(): readonly { getName(): string; getType(): string }[] | undefined
  streamRows(): AsyncIterable<readonly unknown[]>
  cancel(callback: () => void): void
}

/** `more` holds Snowflake client settings, such as another address. */
export async function openSnowflakeDriver(
  given: SnowflakeConnection,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Driver> {
  const sdk = await loadDriver<Sdk>('snowflake-sdk', 'Snowflake')
  // In stdio mode stdout belongs to the protocol, but the client writes its log there.
  sdk.configure({ logLevel: 'OFF', additionalLogToConsole: false })
  const { account, user, password, database, schema, warehouse, role, token } = given
  const connection = sdk.createConnection({
    account,
    username: user,
    password,
    database,
    schema,
    warehouse,
    role,
    token,
    authenticator: given.authenticator ?? (given.private_key_path ? 'SNOWFLAKE_JWT' : 'SNOWFLAKE'),
    privateKeyPath: given.private_key_path,
    privateKeyPass: given.private_key_passphrase,
    application: 'Ken',
    representNullAsStringNull: false,
    // A session without statements ends after four hours; the app and a server stay open longer.
    clientSessionKeepAlive: true,
    ...more,
  })
  await connection.connectAsync(() => undefined)
  return {
    async run(sql, limits, canStop) {
      const statement = await execute(connection, sql, { limits, canStop })
      const collector = collectRows(limits)
      const columns = columnsOf(statement)
      for await (const row of statement.streamRows())
        if (!collector.add(row.map((value, i) => toCell(value, columns[i]?.type ?? '')))) break
      return collector.finish(columns)
    },
    close: () => new Promise((resolve) => connection.destroy(() => resolve())),
  }
}

function execute(
  connection: SdkConnection,
  sql: string,
  { limits, canStop }: { limits: QueryLimits; canStop(stop: () => Promise<void>): void },
): Promise<SdkStatement> {
  return new Promise((resolve, reject) => {
    const statement = connection.execute({
      sqlText: sql,
      streamResult: true,
      rowMode: 'array',
      // As numbers the client would round values of more than 53 bits.
      fetchAsString: ['Number'],
      parameters: {
        MULTI_STATEMENT_COUNT: 1,
        STATEMENT_TIMEOUT_IN_SECONDS: Math.ceil(limits.milliseconds / 1000) + 1,
        ROWS_PER_RESULTSET: limits.rows + 1,
      },
      complete: (error: unknown, done: SdkStatement) => (error ? reject(error) : resolve(done)),
    })
    canStop(() => new Promise((stopped) => statement.cancel(() => stopped())))
  })
}

const columnsOf = (statement: SdkStatement): QueryResult['columns'] =>
  (statement.getColumns() ?? []).map((column) => ({ name: column.getName(), type: column.getType() }))

function toCell(value: unknown, type: string): Cell {
  if (typeof value !== 'string') return cellFromUnknown(value)
  if (type === 'real') return Number.isFinite(Number(value)) ? Number(value) : value
  return type === 'fixed' ? cellFromDecimal(value) : value
}
