import { describe, expect, test } from 'vitest'
import { collectRows } from '../src/context/domain/sql/query.ts'
import type { Warehouse } from '../src/context/ports/warehouse.ts'
import { loadDriver, openRemoteWarehouse, type Driver } from '../src/context/warehouse/remote-warehouse.ts'
import { trinoEngine } from '../src/context/warehouse/trino/trino-engine.ts'
import { recordingOf, REMOTE_ENGINES } from './remote-engines.ts'

const LIMITS = { rows: 100, bytes: 100_000, milliseconds: 10_000 }

describe.each(REMOTE_ENGINES)('$name', ({ name, type, engine }) => {
  const recording = recordingOf(name)
  const connection = type.connection.parse(recording.connection)
  const sent: string[] = []
  const driver: Driver = {
    async run(sql, limits) {
      sent.push(sql)
      const answer = recording.answers.find(({ contains }) => contains.every((part) => sql.includes(part)))
      if (!answer) throw new Error(`nothing was recorded for ${sql}, hush-hush`)
      const collector = collectRows(limits)
      answer.rows.every((row) => collector.add(row))
      return collector.finish(answer.columns.map((column) => ({ name: column, type: 'text' })))
    },
    close: async () => undefined,
  }
  const open = (): Promise<Warehouse> => openRemoteWarehouse(engine(connection), driver)

  test('distinguishes tables, views and external tables', async () => {
    const warehouse = await open()
    expect(Object.fromEntries((await warehouse.tables()).map((table) => [table.name, table.kind]))).toEqual(
      recording.kinds,
    )
  })

  test('returns a table with its columns, keys, partitions and rows', async () => {
    const warehouse = await open()
    const table = (await warehouse.tables()).find((candidate) => candidate.name.toLowerCase() === 'orders')
    const orders = await warehouse.describe(table!)
    expect(orders).toMatchObject(recording.orders)
    expect(orders.columns.map((column) => column.name)).toEqual(recording.columns)
    expect(orders.columns.every((column) => column.type !== '')).toBe(true)
    for (const [name, meaning] of Object.entries(recording.meanings ?? {}))
      expect(orders.columns.find((column) => column.name === name)).toMatchObject(meaning)
  })

  test('the whole catalogue takes at most six statements, however many tables there are', async () => {
    const warehouse = await open()
    sent.length = 0
    const tables = await warehouse.tables()
    for (const table of tables) await warehouse.describe(table)
    expect(sent.length).toBeLessThanOrEqual(6)
    // Redshift rejects a statement that reads both: one runs on the compute nodes, the other only on the leader node.
    expect(sent.filter((sql) => sql.includes('svv_table_info') && /information_schema\.|svv_tables/.test(sql))).toEqual(
      [],
    )
  })

  test('a query is parsed, checked and run within its limits, and reports truncation', async () => {
    const warehouse = await open()
    expect(await warehouse.query(`${recording.query} -- all of them`, LIMITS)).toMatchObject({
      rows: [[1], [2], [3]],
      truncated: false,
    })
    expect(sent.at(-1)).toBe(recording.query)
    expect(await warehouse.query(recording.query, { ...LIMITS, rows: 2 })).toMatchObject({
      rows: [[1], [2]],
      truncated: true,
    })
  })

  test('a write never reaches the driver', async () => {
    const warehouse = await open()
    sent.length = 0
    for (const sql of ['DELETE FROM orders', "SELECT '--'; DELETE FROM orders", 'SELECT * INTO x FROM orders', '']) {
      await expect(warehouse.query(sql, LIMITS)).rejects.toMatchObject({ code: 'invalid_input' })
    }
    expect(sent).toEqual([])
  })

  test('an engine error is passed on without secrets', async () => {
    const warehouse = await open()
    const failure = await warehouse.query('SELECT 1 FROM unrecorded', LIMITS).catch((error: Error) => error)
    expect(failure).toMatchObject({ code: 'invalid_input', message: expect.stringContaining('nothing was recorded') })
    expect((failure as Error).message).not.toContain('hush-hush')
  })

  test('the query history is read if the engine has one', async () => {
    const history = await (await open()).history(10)
    expect(history).toMatchObject(recording.history ? [recording.history] : [])
  })

  test('a difficult name is quoted for the engine', async () => {
    expect((await open()).quote('we.ird/é"x')).toBe(recording.quoted)
  })

  test('a misspelt connection field is named', () => {
    expect(() => type.connection.parse({ ...recording.connection, pasword: 'x' })).toThrow(/pasword/)
  })
})

test('if a vendor’s package is missing, names the package to install', async () => {
  await expect(loadDriver('@acme/no-such-client' as 'mssql', 'Acme')).rejects.toMatchObject({
    code: 'unavailable',
    message: 'The package @acme/no-such-client is not installed (needed for Acme)',
    hint: expect.stringContaining('npm install @acme/no-such-client@latest'),
  })
})

describe('a login', () => {
  const parse = (name: string, more: object) => {
    const { connection } = REMOTE_ENGINES.find((one) => one.name === name)!.type
    return connection.safeParse({ ...LOGIN[name], ...more }).error?.issues[0]?.message
  }
  const LOGIN: Readonly<Record<string, object>> = {
    databricks: { host: 'h', http_path: '/sql', catalog: 'main' },
    mssql: { host: 'h', database: 'shop' },
    trino: { host: 'h', catalog: 'hive', user: 'reader' },
  }

  test.each([
    ['databricks', { token: 't' }],
    ['databricks', { client_id: 'c', client_secret: 's' }],
    ['databricks', { browser: true }],
    ['mssql', { user: 'u', password: 'p' }],
    ['mssql', { login: 'entra-service-principal', client_id: 'c', client_secret: 's', tenant_id: 't' }],
    ['mssql', { login: 'entra-default' }],
    ['trino', {}],
    ['trino', { ssl: true, token: 't' }],
    ['trino', { ssl: true, certificate_path: 'c.pem', key_path: 'k.pem' }],
  ])('%s accepts %j', (name, more) => expect(parse(name, more)).toBeUndefined())

  test.each([
    ['databricks', {}, 'give token, or client_id and client_secret, or browser: true'],
    ['databricks', { token: 't', browser: true }, 'give token, or client_id and client_secret, or browser: true'],
    ['databricks', { client_id: 'c' }, 'client_id and client_secret belong together'],
    ['mssql', { user: 'u' }, 'login: password needs password'],
    ['mssql', { login: 'entra-token' }, 'login: entra-token needs token'],
    ['trino', { token: 't' }, 'token and certificates need ssl: true'],
    ['trino', { ssl: true, token: 't', password: 'p' }, 'give password or token, not both'],
  ])('%s rejects %j and names the missing field', (name, more, message) => expect(parse(name, more)).toBe(message))
})

describe('cancelling a remote statement', () => {
  const engine = trinoEngine({
    host: 'h',
    port: 8080,
    ssl: false,
    catalog: 'c',
    schema: 's',
    user: 'u',
    password: undefined,
  })

  test('the driver cancels the statement on timeout or when the caller aborts', async () => {
    const stopped: string[] = []
    const driver: Driver = {
      run: (sql, _limits, canStop) =>
        new Promise((_resolve, reject) =>
          canStop(async () => {
            stopped.push(sql)
            reject(new Error('cancelled'))
          }),
        ),
      close: async () => undefined,
    }
    const warehouse = await openRemoteWarehouse(engine, driver)
    await expect(warehouse.query('SELECT 1', { ...LIMITS, milliseconds: 50 })).rejects.toMatchObject({
      code: 'unavailable',
      details: { reason: 'timeout' },
    })
    const stopping = new AbortController()
    const running = warehouse.query('SELECT 2', LIMITS, stopping.signal)
    stopping.abort()
    await expect(running).rejects.toMatchObject({ code: 'stopped' })
    expect(stopped).toEqual(['SELECT 1', 'SELECT 2'])
  })
})
