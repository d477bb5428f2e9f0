import { PAGE, SECRET, sendJson, serveHttp, type Answer, type ColumnType, type VendorServer } from './reply.ts'

const TYPES: Readonly<Record<ColumnType, string>> = {
  bigint: 'bigint',
  decimal: 'decimal',
  double: 'double',
  boolean: 'boolean',
  text: 'varchar',
  timestamp: 'timestamp',
}

/**
 * Athena's JSON API: a statement is started, polled until it has ended, and its results are fetched page by page; the
 * first row of a query contains the names. https://docs.aws.amazon.com/athena/latest/APIReference/
 */
export async function serveAthena(answer: Answer): Promise<VendorServer> {
  const begun: string[] = []
  const stopped: string[] = []
  const queries: { sql: string; isStopped: boolean }[] = []
  const server = await serveHttp((request, body, response) => {
    const action = String(request.headers['x-amz-target']).replace('AmazonAthena.', '')
    const input = JSON.parse(body) as Readonly<Record<string, string | undefined>>
    const refuse = (status: number, type: string, message: string): void =>
      sendJson(response, status, { __type: type, message, Message: message })
    if (!request.headers.authorization?.includes('Credential=AKIAREADER/'))
      return refuse(400, 'UnrecognizedClientException', 'The security token included in the request is invalid.')
    if (action === 'StartQueryExecution') {
      begun.push(input['QueryString']!)
      queries.push({ sql: input['QueryString']!, isStopped: false })
      return sendJson(response, 200, { QueryExecutionId: `q-${queries.length - 1}` })
    }
    const query = queries[Number(input['QueryExecutionId']!.slice(2))]!
    const reply = answer(query.sql)
    if (action === 'StopQueryExecution') {
      query.isStopped = true
      stopped.push(query.sql)
      return sendJson(response, 200, {})
    }
    if (action === 'GetQueryExecution') {
      const status =
        reply === 'runs on'
          ? { State: query.isStopped ? 'CANCELLED' : 'RUNNING' }
          : 'error' in reply
            ? { State: 'FAILED', StateChangeReason: reply.error }
            : { State: 'SUCCEEDED' }
      return sendJson(response, 200, { QueryExecution: { Status: status, StatementType: 'DML' } })
    }
    if (action !== 'GetQueryResults' || reply === 'runs on' || 'error' in reply)
      return refuse(400, 'InvalidRequestException', `${action} of ${query.sql}`)
    const names = { Data: reply.columns.map(({ name }) => ({ VarCharValue: name })) }
    const rows = reply.rows.map((row) => ({
      Data: row.map((cell) => (cell === null ? {} : { VarCharValue: String(cell) })),
    }))
    const from = Number(input['NextToken'] ?? 0)
    const end = from + Math.min(PAGE, Number(input['MaxResults']))
    sendJson(response, 200, {
      ResultSet: {
        Rows: [names, ...rows].slice(from, end),
        ResultSetMetadata: { ColumnInfo: reply.columns.map(({ name, type }) => ({ Name: name, Type: TYPES[type] })) },
      },
      ...(end < rows.length + 1 ? { NextToken: String(end) } : {}),
    })
  })
  process.env['AWS_ENDPOINT_URL_ATHENA'] = server.url
  const connection = { region: 'eu-west-1', database: 'shop', secret_access_key: SECRET }
  return {
    connection: { ...connection, access_key_id: 'AKIAREADER' },
    wrongConnection: { ...connection, access_key_id: 'AKIANOBODY' },
    begun,
    stopped,
    async close() {
      delete process.env['AWS_ENDPOINT_URL_ATHENA']
      await server.close()
    },
  }
}
