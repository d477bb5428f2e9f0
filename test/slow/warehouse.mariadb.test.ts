import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mysql } from '../../src/context/warehouse/mysql/index.ts'
import { describeWarehouse } from '../contract/warehouse.contract.ts'
import { makeShop, ownMysql, type Owner } from '../shop-database.ts'
import { judgeCorpus } from '../sql-corpus.ts'
import { mariadbMissing, startMariadb, type MariadbServer } from './mariadb-server.ts'

const missing = mariadbMissing()
if (missing) console.warn(`MariaDB suite skipped: ${missing}`)

describe.skipIf(missing)('with a MariaDB server', () => {
  let server: MariadbServer
  let owner: Owner
  const address = () => ({ host: server.host, port: server.port, database: server.database, user: server.user })
  const LIMITS = { rows: 10_000, bytes: 10_000_000, milliseconds: 60_000 }

  beforeAll(async () => {
    server = await startMariadb()
    owner = await ownMysql(address())
    await makeShop(owner, 'mysql')
  })
  afterAll(async () => {
    await owner?.close()
    await server?.stop()
  })

  describeWarehouse('mariadb', async () => ({
    open: () => mysql.open(address()),
    async change(sql, warehouse) {
      await owner.exec(sql)
      return warehouse
    },
    slowSql: 'SELECT count(*) FROM seq_1_to_1000000 a, seq_1_to_1000000 b WHERE a.seq % 7 = b.seq % 5',
    manyRowsSql: "SELECT seq, repeat('x', 10) FROM seq_1_to_1000000",
    running: async () =>
      Number(
        (
          await owner.column(
            "SELECT count(*) FROM information_schema.processlist WHERE command = 'Query' AND id <> connection_id()",
          )
        )[0],
      ),
    hasComments: true,
    keepsHistory: true,
    close: async () => undefined,
  }))

  test('the gate allows every read of the corpus and nothing else', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ken-gate-'))
    const warehouse = await mysql.open(address())
    const report = await judgeCorpus(warehouse, folder)
    await warehouse.close()
    rmSync(folder, { recursive: true, force: true })
    expect(report).toMatchObject({ falseRefusals: [], falseAllows: [], changes: [] })
  })

  test('a database function that writes cannot write', async () => {
    const warehouse = await mysql.open(address())
    await expect(warehouse.query('SELECT forget(3)', LIMITS)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('READ ONLY'),
    })
    await warehouse.close()
    expect(await owner.column('SELECT count(*) FROM orders')).toEqual([60])
  })

  test('a server with other quoting rules is queried with the rules that the parser expects', async () => {
    await owner.exec("SET GLOBAL sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES,PIPES_AS_CONCAT'")
    const warehouse = await mysql.open(address())
    try {
      expect((await warehouse.query("SELECT \"a\\\"b\", 'c\\'d', 'e' || 'f'", LIMITS)).rows).toEqual([
        ['a"b', "c'd", 'ef'],
      ])
    } finally {
      await warehouse.close()
      await owner.exec('SET GLOBAL sql_mode = DEFAULT')
    }
  })

  test('values are preserved: large and exact numbers, bytes, bits, dates, text in any script', async () => {
    const warehouse = await mysql.open(address())
    const { rows } = await warehouse.query(
      "SELECT 18446744073709551615, 1.10, 12345678901234567890.12, x'00ff', b'101', TIMESTAMP '2026-01-02 03:04:05.678', '名前 ü', NULL",
      LIMITS,
    )
    expect(rows).toEqual([
      [
        18446744073709551615n,
        1.1,
        '12345678901234567890.12',
        '\\x00ff',
        expect.anything(),
        '2026-01-02 03:04:05.678',
        '名前 ü',
        null,
      ],
    ])
    await warehouse.close()
  })

  test('a view over a dropped table does not hide other tables, and its error is not its comment', async () => {
    await owner.exec('CREATE TABLE gone (a INTEGER)')
    await owner.exec('CREATE VIEW broken AS SELECT a FROM gone')
    await owner.exec('DROP TABLE gone')
    const warehouse = await mysql.open(address())
    const tables = await warehouse.tables()
    expect(tables.find((table) => table.name === 'broken')).toMatchObject({ kind: 'view', comment: undefined })
    expect(tables.map((table) => table.name)).toContain('users')
    expect(tables.map((table) => table.name)).not.toContain('numbers')
    await warehouse.close()
  })

  test('two thousand tables are listed in a handful of statements', async () => {
    for (let i = 0; i < 2_000; i++)
      await owner.exec(`CREATE TABLE many_${i} (id INTEGER PRIMARY KEY, name TEXT) ENGINE = MyISAM`)
    const warehouse = await mysql.open(address())
    const questions = async (): Promise<number> =>
      Number(
        (
          await owner.column(
            "SELECT variable_value FROM information_schema.global_status WHERE variable_name = 'QUESTIONS'",
          )
        )[0],
      )
    const before = await questions()
    const tables = await warehouse.tables()
    const between = (await questions()) - before
    expect(tables.filter((table) => table.name.startsWith('many_')).length).toBe(2_000)
    expect(between).toBeLessThan(40)
    await warehouse.close()
  })

  test('a password never appears in a message', async () => {
    await owner.exec("CREATE USER guest IDENTIFIED BY 'hush-hush'")
    for (const connection of [
      { ...address(), user: 'guest', password: 'hush-hush-not' },
      { url: `mysql://guest:hush-hush@127.0.0.1:1/${server.database}` },
    ]) {
      const failure = await mysql.open(connection).then(
        () => undefined,
        (error: { code: string; message: string }) => error,
      )
      expect(failure).toMatchObject({ code: 'unavailable' })
      expect(failure!.message).not.toContain('hush-hush')
    }
  })
})
