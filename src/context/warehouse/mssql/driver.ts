import { cellFromDecimal, cellFromUnknown, collectRows, type Cell, type QueryResult } from '../../domain/sql/query.ts'
import { loadDriver, type Driver } from '../remote-warehouse.ts'
import type { MssqlConnection } from './index.ts'

interface Sdk {
  ConnectionPool: new (options: Record<string, unknown>) => Pool
  Transaction: new (pool: Pool) => Transaction
  Request: new (transaction: Transaction) => Request
}
interface Pool {
  connect(): Promise<Pool>
  close(): Promise<void>
}
interface Transaction {
  begin(): Promise<unknown>
  rollback(): Promise<unknown>
}
interface Request {
  stream: boolean
  arrayRowMode: boolean
  on(event: string, listener: (value: never) => void): Request
  query(sql: string): unknown
  cancel(): void
}

/** Every statement runs in a transaction that is rolled back; a read-only login is still safer. */
export async function openMssqlDriver(given: MssqlConnection): Promise<Driver> {
  const sdk = await loadDriver<Sdk>('mssql', 'SQL Server')
  const { host, port, database, encrypt, trust_server_certificate } = given
  const pool = new sdk.ConnectionPool({
    server: host,
    port,
    database,
    authentication: loginOf(given),
    // The statement's own limit stops it earlier.
    requestTimeout: 0,
    options: { encrypt, trustServerCertificate: trust_server_certificate, readOnlyIntent: true, appName: 'ken' },
  })
  await pool.connect()
  return {
    async run(sql, limits, canStop) {
      const transaction = new sdk.Transaction(pool)
      await transaction.begin()
      try {
        const request = new sdk.Request(transaction)
        canStop(async () => request.cancel())
        const collector = collectRows(limits)
        return await stream(request, sql, collector)
      } finally {
        await transaction.rollback().catch(() => undefined)
      }
    },
    close: () => pool.close(),
  }
}

/** The login as the driver names it. Unset options are left out, because it rejects them. */
function loginOf(given: MssqlConnection): { readonly type: string; readonly options: Record<string, unknown> } {
  const {
    user: userName,
    password,
    domain,
    client_id: clientId,
    client_secret: clientSecret,
    tenant_id: tenantId,
  } = given
  const options = { userName, password, domain, clientId, clientSecret, tenantId, token: given.token }
  return {
    type: TYPES[given.login],
    options: Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)),
  }
}

const TYPES: Readonly<Record<MssqlConnection['login'], string>> = {
  password: 'default',
  ntlm: 'ntlm',
  'entra-password': 'azure-active-directory-password',
  'entra-service-principal': 'azure-active-directory-service-principal-secret',
  'entra-token': 'azure-active-directory-access-token',
  'entra-default': 'azure-active-directory-default',
}

type ColumnInfo = { readonly name: string; readonly type?: { readonly declaration?: string } | (() => unknown) }

/** Settles when the request has ended, including after an error: until then its transaction cannot be rolled back. */
function stream(request: Request, sql: string, collector: ReturnType<typeof collectRows>): Promise<QueryResult> {
  let columns: QueryResult['columns'] = []
  let full = false
  let failure: Error | undefined
  return new Promise((resolve, reject) => {
    request.stream = true
    request.arrayRowMode = true
    request
      .on(
        'recordset',
        (found: readonly ColumnInfo[]) =>
          (columns = Object.values(found).map(({ name, type }) => ({
            name,
            type: (type as { declaration?: string })?.declaration ?? 'unknown',
          }))),
      )
      .on('row', (row: readonly unknown[]) => {
        if (full || collector.add(Object.values(row).map((value, i) => toCell(value, columns[i]?.type)))) return
        full = true
        request.cancel()
      })
      .on('error', (error: Error) => (failure ??= error))
      .on('done', () => (failure === undefined || full ? resolve(collector.finish(columns)) : reject(failure)))
    request.query(sql)
  })
}

/** 64-bit integers arrive as text. */
const toCell = (value: unknown, type: string | undefined): Cell =>
  typeof value === 'string' && type === 'bigint' ? cellFromDecimal(value) : cellFromUnknown(value)
