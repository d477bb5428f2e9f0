import { cellFromDecimal, cellFromUnknown, collectRows, type Cell } from '../../domain/sql/query.ts'
import { loadDriver, type Driver } from '../remote-warehouse.ts'
import type { DatabricksConnection } from './index.ts'

interface Sdk {
  DBSQLClient: new (options: { logger: { log(): void; setLevel(): void } }) => Client
}
interface Client {
  connect(options: Record<string, unknown>): Promise<unknown>
  openSession(options: Record<string, unknown>): Promise<Session>
  close(): Promise<unknown>
}
interface Session {
  executeStatement(sql: string, options: Record<string, unknown>): Promise<Operation>
  close(): Promise<unknown>
}
interface Operation {
  getSchema(): Promise<{
    readonly columns?: readonly {
      readonly columnName: string
      readonly typeDesc?: { readonly types?: readonly { readonly primitiveEntry?: { readonly type: number } }[] }
    }[]
  } | null>
  iterateRows(options: { maxRows: number }): AsyncIterable<Readonly<Record<string, unknown>>>
  cancel(): Promise<unknown>
  close(): Promise<unknown>
}

const FETCHED_ROWS = 1_000
const TYPES = (
  'boolean tinyint smallint int bigint float double string timestamp binary array map struct union ' +
  'user_defined decimal null date varchar char interval interval'
).split(' ')

/** `more` are settings of Databricks' client, such as another port. */
export async function openDatabricksDriver(
  given: DatabricksConnection,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Driver> {
  const { host, http_path, catalog, schema } = given
  const { DBSQLClient } = await loadDriver<Sdk>('@databricks/sql', 'Databricks')
  // The default logger writes to the console, which in stdio mode belongs to the protocol.
  const client = new DBSQLClient({ logger: { log: () => undefined, setLevel: () => undefined } })
  await client.connect({
    host,
    path: http_path,
    ...loginOf(given),
    telemetryEnabled: false,
    preserveBigNumericPrecision: true,
    ...more,
  })
  const session = await client.openSession({ initialCatalog: catalog, initialSchema: schema })
  return {
    async run(sql, limits, canStop) {
      const operation = await session.executeStatement(sql, {
        runAsync: true,
        queryTimeout: Math.ceil(limits.milliseconds / 1000) + 1,
        maxRows: FETCHED_ROWS,
      })
      canStop(async () => void (await operation.cancel()))
      try {
        const collector = collectRows(limits)
        const schemaOf = (await operation.getSchema())?.columns ?? []
        const columns = schemaOf.map(({ columnName, typeDesc }) => ({
          name: columnName,
          type: TYPES[typeDesc?.types?.[0]?.primitiveEntry?.type ?? -1] ?? 'unknown',
        }))
        for await (const row of operation.iterateRows({ maxRows: FETCHED_ROWS })) {
          if (!collector.add(columns.map(({ name, type }) => toCell(row[name], type)))) break
        }
        return collector.finish(columns)
      } finally {
        await operation.close()
      }
    },
    async close() {
      await session.close()
      await client.close()
    },
  }
}

/** Without a secret the client opens a browser. */
const loginOf = ({ token, client_id, client_secret }: DatabricksConnection): Record<string, unknown> =>
  token === undefined
    ? {
        authType: 'databricks-oauth',
        ...(client_id !== undefined && { oauthClientId: client_id, oauthClientSecret: client_secret }),
      }
    : { token }

/** Decimals arrive as text, so that they are not rounded. */
const toCell = (value: unknown, type: string): Cell =>
  typeof value === 'string' && type === 'decimal' ? cellFromDecimal(value) : cellFromUnknown(value)
