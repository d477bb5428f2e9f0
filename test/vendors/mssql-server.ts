import { createServer, type AddressInfo, type Socket } from 'node:net'
import { SECRET, type Answer, type ColumnType, type Reply, type VendorServer } from './reply.ts'

const PACKET = { batch: 0x01, call: 0x03, reply: 0x04, attention: 0x06, transaction: 0x0e, login: 0x10, prelogin: 0x12 }
const DONE = { final: 0, error: 2, count: 0x10, attention: 0x20 }
const PACKET_BYTES = 4096

/**
 * SQL Server's TDS 7.4 without encryption: a handshake, a login, statements as calls of sp_executesql inside
 * transactions, and attention signals that end them. https://learn.microsoft.com/openspecs/windows_protocols/ms-tds/
 */
export async function serveMssql(answer: Answer): Promise<VendorServer> {
  const begun: string[] = []
  const stopped: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    let running: string | undefined
    const handle = (type: number, body: Buffer): Buffer | undefined => {
      if (type === PACKET.prelogin) return preloginReply()
      if (type === PACKET.login) return loginReply(body)
      if (type === PACKET.transaction) return Buffer.concat([transactionReply(body), done(DONE.final)])
      if (type === PACKET.attention) {
        if (running !== undefined) {
          stopped.push(running)
          // The statement's response ends first; the signal is acknowledged in a separate message.
          send(socket, done(DONE.error, 0xfe))
        }
        running = undefined
        return done(DONE.attention)
      }
      // Session settings arrive as plain batches.
      if (type === PACKET.batch) return done(DONE.final)
      const sql = statementOf(body)
      // The pool's liveness check.
      if (sql === 'SELECT 1;') return resultOf({ columns: [{ name: '', type: 'bigint' }], rows: [[1]] })
      begun.push(sql)
      const reply = answer(sql)
      if (reply !== 'runs on') return resultOf(reply)
      running = sql
      return undefined
    }
    eachMessage(socket, (type, body) => {
      const reply = handle(type, body)
      if (reply) send(socket, reply)
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  const connection = { host: '127.0.0.1', port, database: 'shop', user: 'reader', encrypt: false }
  return {
    connection: { ...connection, password: SECRET },
    wrongConnection: { ...connection, password: 'another-secret' },
    begun,
    stopped,
    close: () =>
      new Promise((closed) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => closed())
      }),
  }
}

/** Messages arrive in packets; the last packet of a message is marked. */
function eachMessage(socket: Socket, use: (type: number, body: Buffer) => void): void {
  let waiting = Buffer.alloc(0)
  let parts: Buffer[] = []
  socket.on('data', (bytes) => {
    waiting = Buffer.concat([waiting, bytes])
    while (waiting.length >= 8 && waiting.length >= waiting.readUInt16BE(2)) {
      const length = waiting.readUInt16BE(2)
      const [type, isLast] = [waiting[0]!, (waiting[1]! & 1) === 1]
      parts.push(waiting.subarray(8, length))
      waiting = waiting.subarray(length)
      if (!isLast) continue
      const message = Buffer.concat(parts)
      parts = []
      use(type, message)
    }
  })
}

function send(socket: Socket, message: Buffer): void {
  const room = PACKET_BYTES - 8
  for (let at = 0; at === 0 || at < message.length; at += room) {
    const part = message.subarray(at, at + room)
    const header = Buffer.from([PACKET.reply, at + room >= message.length ? 1 : 0, 0, 0, 0, 0, 1, 0])
    header.writeUInt16BE(part.length + 8, 2)
    socket.write(Buffer.concat([header, part]))
  }
}

/** The version, and no encryption. */
const preloginReply = (): Buffer => Buffer.from([0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 0xff, 16, 0, 0, 0, 0, 0, 2])

function loginReply(body: Buffer): Buffer {
  const [at, letters] = [body.readUInt16LE(44), body.readUInt16LE(46)]
  const password = Buffer.from(
    body.subarray(at, at + letters * 2).map((byte) => (((byte ^ 0xa5) << 4) & 0xf0) | ((byte ^ 0xa5) >> 4)),
  ).toString('utf16le')
  if (password !== SECRET) return Buffer.concat([failure(18456, "Login failed for user 'reader'."), done(DONE.error)])
  const ack = Buffer.concat([
    Buffer.from([1, 0x74, 0, 0, 4]),
    shortText('Microsoft SQL Server'),
    Buffer.from([16, 0, 0, 0]),
  ])
  return Buffer.concat([Buffer.from([0xad]), uint16(ack.length), ack, done(DONE.final)])
}

/** A new transaction gets a number; a rollback releases it. */
function transactionReply(body: Buffer): Buffer {
  const isBegin = body.readUInt16LE(body.readUInt32LE(0)) === 5
  const number = Buffer.from([8, 1, 0, 0, 0, 0, 0, 0, 0])
  const change = isBegin ? [Buffer.from([8]), number, Buffer.from([0])] : [Buffer.from([10, 0]), number]
  const bytes = Buffer.concat(change)
  return Buffer.concat([Buffer.from([0xe3]), uint16(bytes.length), bytes])
}

/** The first parameter of sp_executesql: short text with its length, or long text in chunks. */
function statementOf(body: Buffer): string {
  let at = body.readUInt32LE(0) + 6
  at += 1 + body[at]! * 2 + 1
  const isLong = body.readUInt16LE(at + 1) === 0xffff
  at += 8
  if (!isLong) return body.subarray(at + 2, at + 2 + body.readUInt16LE(at)).toString('utf16le')
  const pieces: Buffer[] = []
  for (at += 8; body.readUInt32LE(at) > 0; at += 4 + body.readUInt32LE(at))
    pieces.push(body.subarray(at + 4, at + 4 + body.readUInt32LE(at)))
  return Buffer.concat(pieces).toString('utf16le')
}

function resultOf(reply: Exclude<Reply, 'runs on'>): Buffer {
  if ('error' in reply) return Buffer.concat([failure(207, reply.error), done(DONE.error, 0xfe)])
  const columns = reply.columns.map(({ name, type }) =>
    Buffer.concat([Buffer.from([0, 0, 0, 0, 1, 0]), WIRE[type].info, shortText(name)]),
  )
  const rows = reply.rows.map((row) =>
    Buffer.concat([Buffer.from([0xd1]), ...row.map((cell, i) => WIRE[reply.columns[i]!.type].value(cell))]),
  )
  return Buffer.concat([
    Buffer.from([0x81]),
    uint16(columns.length),
    ...columns,
    ...rows,
    done(DONE.count, 0xff),
    Buffer.from([0x79, 0, 0, 0, 0]),
    done(DONE.final, 0xfe),
  ])
}

const COLLATION = [0x09, 0x04, 0xd0, 0, 0x34]
const sized = (bytes: Buffer | undefined): Buffer => Buffer.from(bytes ? [bytes.length, ...bytes] : [0])
const buffer = (size: number, write: (bytes: Buffer) => void): Buffer => {
  const bytes = Buffer.alloc(size)
  write(bytes)
  return bytes
}
const uint16 = (value: number): Buffer => buffer(2, (bytes) => bytes.writeUInt16LE(value))

interface Wire {
  /** Type information that precedes the rows. */
  readonly info: Buffer
  value(cell: unknown): Buffer
}

const WIRE: Readonly<Record<ColumnType, Wire>> = {
  bigint: {
    info: Buffer.from([0x26, 8]),
    value: (cell) => sized(cell === null ? undefined : buffer(8, (b) => b.writeBigInt64LE(BigInt(cell as string)))),
  },
  decimal: {
    info: Buffer.from([0x6c, 17, 38, 2]),
    value: (cell) => sized(cell === null ? undefined : decimalBytes(String(cell))),
  },
  double: {
    info: Buffer.from([0x6d, 8]),
    value: (cell) => sized(cell === null ? undefined : buffer(8, (b) => b.writeDoubleLE(Number(cell)))),
  },
  boolean: {
    info: Buffer.from([0x68, 1]),
    value: (cell) => sized(cell === null ? undefined : Buffer.from([Number(cell)])),
  },
  text: {
    info: Buffer.from([0xe7, 0x40, 0x1f, ...COLLATION]),
    value: (cell) => {
      if (cell === null) return uint16(0xffff)
      const bytes = Buffer.from(String(cell), 'utf16le')
      return Buffer.concat([uint16(bytes.length), bytes])
    },
  },
  timestamp: {
    info: Buffer.from([0x2a, 7]),
    value: (cell) => sized(cell === null ? undefined : momentBytes(Date.parse(`${String(cell)}Z`))),
  },
}

/** A sign, and the digits without the decimal point. */
const decimalBytes = (text: string): Buffer =>
  buffer(17, (bytes) => {
    bytes[0] = text.startsWith('-') ? 0 : 1
    bytes.writeBigUInt64LE(BigInt(text.replaceAll(/[-.]/g, '')), 1)
  })

/** Tenths of a microsecond since midnight, and days since the year 1. */
const momentBytes = (milliseconds: number): Buffer =>
  buffer(8, (bytes) => {
    const day = 86_400_000
    bytes.writeUIntLE((milliseconds % day) * 10_000, 0, 5)
    bytes.writeUIntLE(Math.floor(milliseconds / day) + 719_162, 5, 3)
  })

const shortText = (text: string): Buffer => Buffer.concat([Buffer.from([text.length]), Buffer.from(text, 'utf16le')])

const done = (status: number, token = 0xfd): Buffer =>
  buffer(13, (bytes) => {
    bytes[0] = token
    bytes.writeUInt16LE(status, 1)
  })

function failure(number: number, message: string): Buffer {
  const text = Buffer.from(message, 'utf16le')
  const bytes = Buffer.concat([
    buffer(6, (head) => {
      head.writeUInt32LE(number)
      head.set([1, 16], 4)
    }),
    uint16(message.length),
    text,
    shortText('loopback'),
    shortText(''),
    Buffer.from([1, 0, 0, 0]),
  ])
  return Buffer.concat([Buffer.from([0xaa]), uint16(bytes.length), bytes])
}
