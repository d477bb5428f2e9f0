import { setTimeout as sleep } from 'node:timers/promises'
import { cellFromDecimal, collectRows, type Cell, type QueryLimits, type QueryResult } from '../../domain/sql/query.ts'
import { loadDriver, type Driver } from '../remote-warehouse.ts'
import type { AthenaConnection } from './index.ts'

type Command = new (input: Record<string, unknown>) => object
interface Sdk {
  AthenaClient: new (options: Record<string, unknown>) => { send(command: object): Promise<Answer>; destroy(): void }
  StartQueryExecutionCommand: Command
  GetQueryExecutionCommand: Command
  GetQueryResultsCommand: Command
  StopQueryExecutionCommand: Command
}
interface Answer {
  readonly QueryExecutionId?: string
  readonly QueryExecution?: {
    readonly Status?: { readonly State?: string; readonly StateChangeReason?: string }
    readonly StatementType?: string
  }
  readonly ResultSet?: {
    readonly Rows?: readonly { readonly Data?: readonly { readonly VarCharValue?: string }[] }[]
    readonly ResultSetMetadata?: { readonly ColumnInfo?: readonly { readonly Name: string; readonly Type: string }[] }
  }
  readonly NextToken?: string
}

const POLL_MS = 500
const PAGE_ROWS = 1_000

export async function openAthenaDriver(given: AthenaConnection): Promise<Driver> {
  const sdk = await loadDriver<Sdk>('@aws-sdk/client-athena', 'Athena')
  const { region, access_key_id, secret_access_key, session_token } = given
  const keys =
    access_key_id && secret_access_key
      ? { credentials: { accessKeyId: access_key_id, secretAccessKey: secret_access_key, sessionToken: session_token } }
      : { ...(given.profile !== undefined && { profile: given.profile }) }
  const client = new sdk.AthenaClient({ region, ...keys })
  const send = (command: Command, input: Record<string, unknown>): Promise<Answer> => client.send(new command(input))
  return {
    async run(sql, limits, canStop) {
      const { QueryExecutionId: id } = await send(sdk.StartQueryExecutionCommand, {
        QueryString: sql,
        QueryExecutionContext: { Catalog: given.catalog, Database: given.database },
        WorkGroup: given.workgroup,
        ...(given.output_location === undefined
          ? {}
          : { ResultConfiguration: { OutputLocation: given.output_location } }),
      })
      canStop(async () => void (await send(sdk.StopQueryExecutionCommand, { QueryExecutionId: id })))
      const hasHeader = await finished(() => send(sdk.GetQueryExecutionCommand, { QueryExecutionId: id }))
      return readPages(
        (token) => send(sdk.GetQueryResultsCommand, { QueryExecutionId: id, MaxResults: PAGE_ROWS, NextToken: token }),
        limits,
        hasHeader,
      )
    },
    async close() {
      client.destroy()
    },
  }
}

/** Waits for the end. True if the result starts with a row of column names, which only queries have. */
async function finished(look: () => Promise<Answer>): Promise<boolean> {
  for (;;) {
    const { QueryExecution: execution } = await look()
    const state = execution?.Status?.State
    if (state === 'SUCCEEDED') return execution?.StatementType === 'DML'
    if (state === 'FAILED' || state === 'CANCELLED')
      throw new Error(execution?.Status?.StateChangeReason ?? `the statement ${state.toLowerCase()}`)
    await sleep(POLL_MS)
  }
}

async function readPages(
  page: (token: string | undefined) => Promise<Answer>,
  limits: QueryLimits,
  hasHeader: boolean,
): Promise<QueryResult> {
  const collector = collectRows(limits)
  let columns: QueryResult['columns'] = []
  let token: string | undefined
  let skipped = hasHeader ? 1 : 0
  do {
    const { ResultSet: results, NextToken } = await page(token)
    columns = (results?.ResultSetMetadata?.ColumnInfo ?? []).map(({ Name, Type }) => ({ name: Name, type: Type }))
    const rows = (results?.Rows ?? [])
      .slice(skipped)
      .map(({ Data = [] }) => columns.map(({ type }, i) => toCell(Data[i]?.VarCharValue, type)))
    skipped = 0
    token = rows.every((row) => collector.add(row)) ? NextToken : undefined
  } while (token !== undefined)
  return collector.finish(columns)
}

function toCell(text: string | undefined, type: string): Cell {
  if (text === undefined) return null
  if (type === 'boolean') return text === 'true'
  return /^(tinyint|smallint|integer|bigint|float|double|real|decimal)/.test(type) ? cellFromDecimal(text) : text
}
