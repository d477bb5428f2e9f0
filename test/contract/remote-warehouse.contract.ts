import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { QueryLimits, Warehouse } from '../../src/context/ports/warehouse.ts'
import type { AppError } from '../../src/kernel/domain/errors.ts'
import { recordingOf, REMOTE_ENGINES, type RemoteType } from '../remote-engines.ts'
import { SECRET, type Answer, type ColumnType, type Reply, type VendorServer } from '../vendors/reply.ts'

export interface RemoteWarehouseSubject {
  serve(answer: Answer): Promise<VendorServer>
  /** Opens a connection to the server; omitted if ken.yaml's own fields are enough. */
  open?(connection: Record<string, unknown>, server: VendorServer): Promise<Warehouse>
  readonly knownGaps?: Readonly<Record<string, string>>
}

const LIMITS: QueryLimits = { rows: 100, bytes: 1_000_000, milliseconds: 30_000 }

/**
 * Contract of a vendor's client together with Ken's driver, over the vendor's own protocol. `knownGaps` lists rules
 * that the subject breaks, with the reason; a stale entry fails.
 */
export function describeRemoteWarehouse(name: RemoteType, subject: RemoteWarehouseSubject): void {
  const rule = (title: string, body: () => Promise<void>) =>
    (subject.knownGaps?.[title] ? test.fails : test)(title, body)

  describe(`${name} over its protocol`, () => {
    const { type } = REMOTE_ENGINES.find((engine) => engine.name === name)!
    const recording = recordingOf(name)
    let server: VendorServer
    let warehouse: Warehouse
    const open = (connection: Record<string, unknown>): Promise<Warehouse> =>
      subject.open
        ? subject.open(type.connection.parse(connection) as never, server)
        : type.open(type.connection.parse(connection) as never)
    const query = (sql: string, limits: Partial<QueryLimits> = {}, signal?: AbortSignal) =>
      warehouse.query(sql, { ...LIMITS, ...limits }, signal)
    const failure = (promise: Promise<unknown>): Promise<AppError> =>
      promise.then(
        () => expect.unreachable('it should have failed'),
        (error: unknown) => error as AppError,
      )

    beforeAll(async () => {
      server = await subject.serve((sql) => replyTo(sql) ?? recorded(sql, name))
      warehouse = await open(server.connection)
    })
    afterAll(async () => {
      await warehouse?.close()
      await server?.close()
    })
    beforeEach(() => {
      server.begun.length = 0
      server.stopped.length = 0
    })

    rule('returns rows in order with their columns: numbers, ISO times and nulls', async () => {
      const { columns, rows, truncated } = await query('SELECT * FROM everything')
      expect(columns.map((column) => column.name)).toEqual(EVERYTHING.columns.map((column) => column.name))
      expect(columns.every((column) => column.type !== '' && column.type !== 'unknown')).toBe(true)
      expect(rows.map((row) => row.slice(0, 5))).toEqual([
        [1, 12.5, 0.25, true, 'Zoë said "hi"'],
        [null, null, null, null, null],
      ])
      expect(new Date(`${String(rows[0]![5]).replace(' ', 'T').replace(/Z?$/, 'Z')}`).toISOString()).toBe(MOMENT)
      expect(truncated).toBe(false)
    })

    rule('an integer too large for a number is not rounded', async () => {
      expect((await query('SELECT * FROM wide')).rows[0]![0]).toBe(9007199254740993n)
    })

    rule('a long decimal is not rounded', async () => {
      expect((await query('SELECT * FROM wide')).rows[0]![1]).toBe('12345678901234567.89')
    })

    rule('keeps both of two columns with the same name', async () => {
      expect(await query('SELECT a.id, b.id FROM twins')).toMatchObject({
        columns: [{ name: 'id' }, { name: 'id' }],
        rows: [[1, 2]],
      })
    })

    rule('returns the columns of a result without rows', async () => {
      expect(await query('SELECT * FROM nothing')).toMatchObject({
        columns: [{ name: 'id' }, { name: 'email' }],
        rows: [],
        truncated: false,
      })
    })

    rule('returns all pages of a result', async () => {
      const { rows, truncated } = await query('SELECT n FROM many')
      expect(rows.map(([n]) => n)).toEqual(Array.from({ length: 25 }, (_, i) => i))
      expect(truncated).toBe(false)
    })

    rule('truncates at the row limit, and reports it only if rows were cut', async () => {
      expect(await query('SELECT n FROM many', { rows: 7 })).toMatchObject({ rows: { length: 7 }, truncated: true })
      expect(await query('SELECT n FROM many', { rows: 25 })).toMatchObject({ rows: { length: 25 }, truncated: false })
    })

    rule('passes on the engine’s message about a mistake', async () => {
      const error = await failure(query('SELECT broken FROM orders'))
      expect(error).toMatchObject({ code: 'invalid_input', message: expect.stringContaining('no_such_column') })
      expect(await query('SELECT n FROM many', { rows: 1 })).toMatchObject({ rows: [[0]] })
    })

    rule('releases the connection of a failed statement', async () => {
      for (let i = 0; i < 12; i++) await failure(query('SELECT broken FROM orders'))
      expect(await query('SELECT n FROM many', { rows: 1 })).toMatchObject({ rows: [[0]] })
    })

    rule('stops a statement at the engine once it runs too long', async () => {
      const error = await failure(query('SELECT * FROM endless', { milliseconds: 300 }))
      expect(error).toMatchObject({ code: 'unavailable', details: { reason: 'timeout' } })
      await expect.poll(() => server.stopped).toEqual(['SELECT * FROM endless'])
      expect(await query('SELECT n FROM many', { rows: 1 })).toMatchObject({ rows: [[0]] })
    })

    rule('stops a statement at the engine on request', async () => {
      const stopping = new AbortController()
      const running = failure(query('SELECT * FROM endless', {}, stopping.signal))
      await expect.poll(() => server.begun).toEqual(['SELECT * FROM endless'])
      stopping.abort()
      expect(await running).toMatchObject({ code: 'stopped' })
      await expect.poll(() => server.stopped).toEqual(['SELECT * FROM endless'])
    })

    rule('answers concurrent statements, each with its own rows', async () => {
      const numbers = Array.from({ length: 8 }, (_, i) => i)
      const answers = await Promise.all(numbers.map((n) => query(`SELECT ${n} AS n`)))
      expect(answers.map((answer) => answer.rows)).toEqual(numbers.map((n) => [[n]]))
    })

    rule('reads the catalogue as recorded', async () => {
      const tables = await warehouse.tables()
      expect(Object.fromEntries(tables.map((table) => [table.name, table.kind]))).toEqual(recording.kinds)
      const orders = await warehouse.describe(tables.find((table) => table.name.toLowerCase() === 'orders')!)
      const { database: _database, ...expected } = recording.orders as { database: string }
      expect(orders).toMatchObject({ ...expected, columns: recording.columns.map((column) => ({ name: column })) })
    })

    rule('reads the history if there is one', async () => {
      expect(await warehouse.history(10)).toMatchObject(recording.history ? [recording.history] : [])
    })

    rule('refuses wrong credentials without revealing a secret', async () => {
      const error = await failure(
        open(server.wrongConnection).then((other) => other.tables().finally(() => other.close())),
      )
      expect(['unavailable', 'invalid_input']).toContain(error.code)
      expect(`${error.message} ${error.hint}`).not.toMatch(new RegExp(`${SECRET}|another-secret`))
    })
  })
}

const MOMENT = '2026-02-03T04:05:06.789Z'
const column = (name: string, type: ColumnType) => ({ name, type })
const EVERYTHING = {
  columns: [
    column('id', 'bigint'),
    column('price', 'decimal'),
    column('ratio', 'double'),
    column('ok', 'boolean'),
    column('name', 'text'),
    column('born', 'timestamp'),
  ],
  rows: [
    [1, '12.50', 0.25, true, 'Zoë said "hi"', '2026-02-03 04:05:06.789'],
    [null, null, null, null, null, null],
  ],
}

function replyTo(sql: string): Reply | undefined {
  const number = /^SELECT (\d+)(?: AS n)?$/.exec(sql)?.[1]
  if (number !== undefined) return { columns: [column('n', 'bigint')], rows: [[Number(number)]] }
  switch (sql) {
    case 'SELECT * FROM everything':
      return EVERYTHING
    case 'SELECT * FROM wide':
      return {
        columns: [column('big', 'bigint'), column('long', 'decimal')],
        rows: [['9007199254740993', '12345678901234567.89']],
      }
    case 'SELECT a.id, b.id FROM twins':
      return { columns: [column('id', 'bigint'), column('id', 'bigint')], rows: [[1, 2]] }
    case 'SELECT * FROM nothing':
      return { columns: [column('id', 'bigint'), column('email', 'text')], rows: [] }
    case 'SELECT n FROM many':
      return { columns: [column('n', 'bigint')], rows: Array.from({ length: 25 }, (_, i) => [i]) }
    case 'SELECT broken FROM orders':
      return { error: `Column 'no_such_column' cannot be resolved` }
    case 'SELECT * FROM endless':
      return 'runs on'
    default:
      return undefined
  }
}

/** The recorded catalogue answers, in columns of the type of their values. */
function recorded(sql: string, name: RemoteType): Reply {
  const found = recordingOf(name).answers.find(({ contains }) => contains.every((part) => sql.includes(part)))
  if (!found) return { error: `nothing was recorded for ${sql}` }
  return {
    columns: found.columns.map((given, i) => {
      const value = found.rows.map((row) => row[i]).find((cell) => cell !== null)
      return column(given, typeof value === 'boolean' ? 'boolean' : typeof value === 'number' ? 'bigint' : 'text')
    }),
    rows: found.rows,
  }
}
