import { createServer } from 'node:https'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { ownCertificate } from './own-certificate.ts'
import { PAGE, SECRET, type Answer, type ColumnType, type Reply, type VendorServer } from './reply.ts'

/** Thrift's type numbers. */
const TYPES: Readonly<Record<ColumnType, number>> = {
  boolean: 0,
  bigint: 4,
  double: 6,
  text: 7,
  timestamp: 8,
  decimal: 15,
}
// The first version with results in Arrow format.
const PROTOCOL_V5 = 0xa505
const OK = { statusCode: 0 }
const STATE = { running: 1, finished: 2, cancelled: 3, failed: 5 }

export interface DatabricksServer extends VendorServer {
  readonly port: number
}

/**
 * HiveServer2's thrift service over HTTPS, which Databricks uses: a session, operations in it, their state, their
 * schema and their rows in portions. https://github.com/apache/hive/blob/master/service-rpc/if/TCLIService.thrift
 */
export async function serveDatabricks(answer: Answer): Promise<DatabricksServer> {
  const begun: string[] = []
  const stopped: string[] = []
  const process = thriftProcessor(serviceOf(answer, { begun, stopped }))
  const server = createServer(ownCertificate(), async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (request.headers.authorization !== `Bearer ${SECRET}`) {
      response.writeHead(403, { 'x-thriftserver-error-message': 'Invalid access token.' }).end()
      return
    }
    process(Buffer.concat(chunks), (bytes) =>
      response.writeHead(200, { 'content-type': 'application/x-thrift' }).end(bytes),
    )
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const connection = { host: '127.0.0.1', http_path: '/sql/1.0/warehouses/1', catalog: 'main', schema: 'shop' }
  return {
    port: (server.address() as AddressInfo).port,
    connection: { ...connection, token: SECRET },
    wrongConnection: { ...connection, token: 'another-secret' },
    begun,
    stopped,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
}

type Call = (request: never, reply: (error: null, result: unknown) => void) => void
interface Operation {
  readonly sql: string
  isStopped: boolean
  sent: number
}
interface OnOperation {
  readonly operationHandle: { readonly operationId: { readonly guid: Buffer } }
}

function serviceOf(answer: Answer, log: { begun: string[]; stopped: string[] }): Readonly<Record<string, Call>> {
  const operations: Operation[] = []
  const named = (id: number): { guid: Buffer; secret: Buffer } => {
    const guid = Buffer.from('00000000000040008000000000000000', 'hex')
    guid.writeUInt32BE(id)
    return { guid, secret: Buffer.alloc(16) }
  }
  const found = ({ operationHandle }: OnOperation): Operation =>
    operations[operationHandle.operationId.guid.readUInt32BE()]!
  const call =
    (work: (request: never) => object): Call =>
    (request, reply) =>
      reply(null, { status: OK, ...work(request) })
  return {
    OpenSession: call(() => ({
      serverProtocolVersion: PROTOCOL_V5,
      sessionHandle: { sessionId: named(0), serverProtocolVersion: PROTOCOL_V5 },
    })),
    ExecuteStatement: call(({ statement }: { statement: string }) => {
      log.begun.push(statement)
      operations.push({ sql: statement, isStopped: false, sent: 0 })
      const operationId = named(operations.length - 1)
      return { operationHandle: { operationId, operationType: 0, hasResultSet: true } }
    }),
    GetOperationStatus: call((request: OnOperation) => {
      const { sql, isStopped } = found(request)
      const reply = answer(sql)
      if (isStopped) return { operationState: STATE.cancelled }
      if (reply === 'runs on') return { operationState: STATE.running }
      return 'error' in reply
        ? { operationState: STATE.failed, errorMessage: reply.error, displayMessage: reply.error }
        : { operationState: STATE.finished, hasResultSet: true }
    }),
    GetResultSetMetadata: call((request: OnOperation) => ({
      schema: {
        columns: columnsOf(answer(found(request).sql)).map(({ name, type }, i) => ({
          columnName: name,
          typeDesc: { types: [{ primitiveEntry: { type: TYPES[type] } }] },
          position: i + 1,
        })),
      },
      resultFormat: 0,
      arrowSchema: arrowOf(answer(found(request).sql), 0).schema,
    })),
    FetchResults: call((request: OnOperation) => {
      const operation = found(request)
      const reply = answer(operation.sql)
      const from = operation.sent
      operation.sent += PAGE
      const rowCount = Math.min(PAGE, rowsOf(reply).length - from)
      const arrowBatches = rowCount > 0 ? [{ batch: arrowOf(reply, from).batch, rowCount }] : []
      return {
        hasMoreRows: operation.sent < rowsOf(reply).length,
        results: { startRowOffset: from, rows: [], arrowBatches },
      }
    }),
    CancelOperation: call((request: OnOperation) => {
      found(request).isStopped = true
      log.stopped.push(found(request).sql)
      return {}
    }),
    CloseOperation: call(() => ({})),
    CloseSession: call(() => ({})),
  }
}

const columnsOf = (reply: Reply) => (reply === 'runs on' || 'error' in reply ? [] : reply.columns)
const rowsOf = (reply: Reply) => (reply === 'runs on' || 'error' in reply ? [] : reply.rows)

/** A portion of the rows in Arrow's stream format, split into the part before the first batch and the batch. */
function arrowOf(reply: Reply, from: number): { schema: Buffer; batch: Buffer } {
  const rows = rowsOf(reply).slice(from, from + PAGE)
  const vectors = columnsOf(reply).map(({ type }, i) =>
    arrow.vectorFromArray(
      rows.map((row) => (row[i] === null ? null : inArrow(row[i], type))),
      ARROW[type],
    ),
  )
  const fields = columnsOf(reply).map(({ name, type }) => new arrow.Field(name, ARROW[type], true))
  const struct = { type: new arrow.Struct(fields), length: rows.length, children: vectors.map(({ data }) => data[0]) }
  const batch = new arrow.RecordBatch(new arrow.Schema(fields), arrow.makeData(struct))
  const stream = Buffer.from(arrow.tableToIPC(new arrow.Table([batch]), 'stream'))
  const end = 8 + stream.readInt32LE(4)
  return { schema: stream.subarray(0, end), batch: stream.subarray(end, stream.length - 8) }
}

function inArrow(cell: unknown, type: ColumnType): unknown {
  if (type === 'bigint') return BigInt(cell as string)
  if (type === 'timestamp') return Date.parse(`${cell}Z`)
  if (type !== 'decimal') return cell
  const words = new BigUint64Array([BigInt(String(cell).replace('.', '')), 0n])
  return new Uint32Array(words.buffer)
}

/** Thrift and the generated service, from Databricks' own client. */
const load = createRequire(createRequire(import.meta.url).resolve('@databricks/sql'))
const thrift = load('thrift') as {
  TBinaryProtocol: new (transport: unknown) => unknown
  TBufferedTransport: { receiver(use: (transport: unknown) => void): (bytes: Buffer) => void } & (new (
    buffer: undefined,
    flush: (bytes: Buffer) => void,
  ) => unknown)
}
interface ArrowVector {
  readonly data: readonly unknown[]
}
const arrow = load('apache-arrow') as {
  vectorFromArray(values: readonly unknown[], type: unknown): ArrowVector
  makeData(parts: object): unknown
  tableToIPC(table: unknown, kind: 'stream'): Uint8Array
} & Record<
  | 'Field'
  | 'Struct'
  | 'Schema'
  | 'RecordBatch'
  | 'Table'
  | 'Int64'
  | 'Float64'
  | 'Bool'
  | 'Utf8'
  | 'Decimal'
  | 'TimestampMicrosecond',
  new (...parts: unknown[]) => unknown
>
const ARROW: Readonly<Record<ColumnType, unknown>> = {
  bigint: new arrow.Int64(),
  decimal: new arrow.Decimal(2, 38, 128),
  double: new arrow.Float64(),
  boolean: new arrow.Bool(),
  text: new arrow.Utf8(),
  timestamp: new arrow.TimestampMicrosecond(),
}
const { Processor } = load('@databricks/sql/thrift/TCLIService') as {
  Processor: new (service: object) => { process(input: unknown, output: unknown): void }
}

function thriftProcessor(service: object): (request: Buffer, respond: (bytes: Buffer) => void) => void {
  const processor = new Processor(service)
  return (request, respond) =>
    thrift.TBufferedTransport.receiver((transport) => {
      const output = new thrift.TBinaryProtocol(new thrift.TBufferedTransport(undefined, respond))
      processor.process(new thrift.TBinaryProtocol(transport), output)
    })(request)
}
