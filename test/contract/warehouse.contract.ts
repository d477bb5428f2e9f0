import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openLiquidTemplates } from '../../src/context/adapters/liquid-templates.ts'
import { openDatabaseSource } from '../../src/context/database-source.ts'
import { databaseFields } from '../../src/context/domain/context-project/config.ts'
import type { QueryLimits, TableDetails, Warehouse } from '../../src/context/ports/warehouse.ts'
import { AppError } from '../../src/kernel/domain/errors.ts'

export interface WarehouseSubject {
  /** A warehouse over the shop of test/shop-database.ts. */
  open(): Promise<Warehouse>
  /** Changes the database as its owner would, while the warehouse is open or by reopening it. */
  change(sql: string, warehouse: Warehouse): Promise<Warehouse>
  /** Runs for minutes. */
  readonly slowSql: string
  /** Returns a million rows one by one. */
  readonly manyRowsSql: string
  /** Number of statements the engine runs for us now; omitted if this can be observed only through the next answer. */
  running?(): Promise<number>
  readonly hasComments: boolean
  readonly keepsHistory: boolean
  close(): Promise<void>
}

const MEANINGS = JSON.parse(
  readFileSync(join(import.meta.dirname, '../fixtures/sql/meanings.json'), 'utf8'),
) as Readonly<Record<string, { readonly tickets: readonly string[]; readonly lab: readonly string[] }>>

const LIMITS: QueryLimits = { rows: 100, bytes: 1_000_000, milliseconds: 60_000 }

/** Contract of src/context/ports/warehouse.ts for every engine. */
export function describeWarehouse(name: string, make: () => Promise<WarehouseSubject>): void {
  let subject: WarehouseSubject
  let warehouse: Warehouse
  beforeAll(async () => {
    subject = await make()
    warehouse = await subject.open()
  })
  afterAll(async () => {
    await warehouse?.close()
    await subject?.close()
  })
  const details = async (table: string): Promise<TableDetails> => {
    const found = (await warehouse.tables()).find((candidate) => candidate.name === table)
    return warehouse.describe(found!)
  }
  const query = (sql: string, limits: Partial<QueryLimits> = {}, signal?: AbortSignal) =>
    warehouse.query(sql, { ...LIMITS, ...limits }, signal)
  const failure = (promise: Promise<unknown>): Promise<AppError> =>
    promise.then(
      () => expect.unreachable('it should have failed'),
      (error: unknown) => error as AppError,
    )
  const untilIdle = async (): Promise<void> => {
    if (subject.running) await expect.poll(() => subject.running!(), { timeout: 20_000 }).toBe(0)
    expect((await query('SELECT 42')).rows).toEqual([[42]])
  }

  describe(`${name}: the catalogue`, () => {
    test('lists tables and views, each once, with their kind', async () => {
      const tables = await warehouse.tables()
      const kinds = Object.fromEntries(tables.map((table) => [table.name, table.kind]))
      expect(kinds).toMatchObject({ users: 'table', orders: 'table', user_emails: 'view', 'we.ird/é"x': 'table' })
      expect(new Set(tables.map((table) => `${table.schema}.${table.name}`)).size).toBe(tables.length)
    })

    test('returns columns in order with type, default and nullability', async () => {
      const { columns } = await details('users')
      expect(columns.map((column) => column.name)).toEqual(['id', 'email', 'password'])
      expect(columns.map((column) => /int|varchar|character varying/i.test(column.type))).toEqual([true, true, true])
      expect(columns[1]).toMatchObject({ nullable: false, default: expect.stringContaining('none') })
      expect(columns[2]).toMatchObject({ nullable: true, default: undefined })
    })

    test('returns primary keys, foreign keys and indexes', async () => {
      const users = await details('users')
      const orders = await details('orders')
      expect(users.primaryKey).toEqual(['id'])
      expect(orders.foreignKeys).toEqual([
        {
          columns: ['user_id'],
          references: { database: users.database, schema: users.schema, name: 'users' },
          referenced: ['id'],
        },
      ])
      expect(orders.indexes).toContainEqual({ name: 'orders_by_user', columns: ['user_id'], unique: false })
    })

    test('counts the rows of a small table and returns the text of a view', async () => {
      expect((await details('orders')).rows).toEqual({ count: 60, exact: true })
      expect((await details('user_emails')).viewSql).toMatch(/email/i)
    })

    test('returns comments if the engine has them', async () => {
      const users = await details('users')
      expect(users.comment).toBe(subject.hasComments ? 'People with an account' : undefined)
      expect(users.columns[1]!.comment).toBe(subject.hasComments ? 'Where we write to' : undefined)
    })

    test('a name with a dot, a slash, a quote and an accent is listed, described and read like any other', async () => {
      const weird = await details('we.ird/é"x')
      expect(weird.columns.map((column) => column.name)).toEqual(['a b', 'select'])
      const columns = weird.columns.map((column) => warehouse.quote(column.name)).join(', ')
      expect((await query(`SELECT ${columns} FROM ${warehouse.quote(weird.name)}`)).rows).toEqual([['ü', 1]])
    })

    test('a fingerprint is stable while nothing changes and changes with a column', async () => {
      const fingerprints = async (): Promise<Record<string, string>> =>
        Object.fromEntries((await warehouse.tables()).map((table) => [table.name, table.fingerprint]))
      const before = await fingerprints()
      expect(await fingerprints()).toEqual(before)
      warehouse = await subject.change('ALTER TABLE orders ADD COLUMN place VARCHAR(20)', warehouse)
      const after = await fingerprints()
      expect(after['orders']).not.toBe(before['orders'])
      expect({ ...after, orders: '' }).toEqual({ ...before, orders: '' })
    })

    test('returns allowed values of a column: labels, checks, unique, computed and not null', async () => {
      for (const sql of MEANINGS[name]!.tickets) warehouse = await subject.change(sql, warehouse)
      const { columns, checks, indexes, uniques } = await details('tickets')
      const column = (wanted: string) => columns.find((candidate) => candidate.name === wanted)!
      expect(column('state')).toMatchObject({ nullable: false, labels: ['open', "it's done", 'closed'] })
      expect(column('prio')).toMatchObject({ nullable: true, labels: ['1', '2', '3'] })
      expect(column('id').nullable).toBe(false)
      expect(column('gross')).toMatchObject({ generated: expect.stringContaining('net'), default: undefined })
      expect(checks!.map((check) => check.columns)).toHaveLength(2)
      expect(checks).toContainEqual({ columns: ['net'], expression: expect.stringMatching(/net\W* >= \(?0/) })
      expect(checks).toContainEqual({ columns: ['starts', 'ends'], expression: expect.stringMatching(/starts\W* < /) })
      const unique = [...uniques!, ...indexes.filter((index) => index.unique).map((index) => index.columns)]
      expect(unique).toContainEqual(['code'])
    })

    test('a table that does not exist is not found', async () => {
      const [table] = await warehouse.tables()
      expect((await failure(warehouse.describe({ ...table!, name: 'nowhere' }))).code).toBe('not_found')
    })
  })

  describe(`${name}: the values of a table`, () => {
    test('are described alike by every engine, regardless of type names', async () => {
      for (const sql of [...MEANINGS[name]!.lab, labRows(name)]) warehouse = await subject.change(sql, warehouse)
      const config = z.looseObject(databaseFields).parse({ name: 'w', type: name, include: ['*.lab'] })
      const redact = async (text: string) => ({ text, count: 0 })
      const more = { templates: openLiquidTemplates(), overrides: new Map(), redact }
      const source = openDatabaseSource({ config, warehouse, ...more })
      const { items } = await source.list()
      const { documents } = await source.fetch(items.find(({ title }) => title.endsWith('.lab'))!)
      const { text } = documents.find((document) => document.name === 'columns.md')!
      const told = (column: string): string | undefined =>
        text
          .split('\n')
          .find((line) => line.startsWith(`| ${column} |`))
          ?.split(' | ')[4]
      expect(told('state')).toBe('`open` 75%, `closed` 25%, `never` 0')
      expect(told('day_de')).toBe("text `DD.MM.YYYY` 01.01.2024 … 31.10.2024; `''` 3%")
      expect(told('sent_at')).toBe('`epoch seconds` 1700000000 … 1703369600 (2023-11-14 … 2023-12-23)')
      expect(told('flag')).toBe('`N` 75%, `Y` 25%')
      expect(told('status')).toBe('`0` 50%, `1` 25%, `2` 25%')
      expect(told('doc')).toBe('`{n: 0…39, channel: "app"/"web"}`')
      expect(told('words')).toBe('`["a b"/"c"]`')
      expect(told('note')).toMatch(/^`''` 5%, `N\/A` 5%, .* 34 in all; `N\/A` for missing$/)
      // SQLite stores a whole number as one, regardless of the type.
      expect(told('price')).toBe(name === 'sqlite' ? '37 … 76' : '37.00 … 76.00')
      expect(text.split('\n').find((line) => line.startsWith('| note |'))).toContain('| 10% |')
    })
  })

  describe(`${name}: queries`, () => {
    test('rows are returned as requested, numbers as numbers, missing values as null', async () => {
      const result = await query('SELECT id, amount, note FROM orders WHERE id IN (3, 4) ORDER BY id')
      expect(result.columns.map((column) => column.name)).toEqual(['id', 'amount', 'note'])
      expect(result.rows).toEqual([
        [3, 3.75, null],
        [4, 5, 'gift'],
      ])
      expect(result.truncated).toBe(false)
    })

    test('two columns of the same name are both kept, and a result without rows has its columns', async () => {
      const result = await query('SELECT u.id, o.id FROM users u JOIN orders o ON o.user_id = u.id WHERE o.id = 1')
      expect(result.columns.map((column) => column.name)).toEqual(['id', 'id'])
      expect(result.rows).toEqual([[2, 1]])
      expect(await query('SELECT id, email FROM users WHERE id < 0')).toMatchObject({
        columns: [{ name: 'id' }, { name: 'email' }],
        rows: [],
        truncated: false,
      })
    })

    test('an integer too large for a number is not rounded', async () => {
      expect((await query('SELECT 9007199254740993 AS big')).rows).toEqual([[9007199254740993n]])
    })

    test('the row limit truncates, and reports it only if something was cut', async () => {
      expect(await query('SELECT id FROM users', { rows: 10 })).toMatchObject({ truncated: true, rows: { length: 10 } })
      expect(await query('SELECT id FROM users', { rows: 25 })).toMatchObject({
        truncated: false,
        rows: { length: 25 },
      })
    })

    test('the byte limit truncates a wide result, without waiting for the rest', async () => {
      const result = await query(subject.manyRowsSql, { rows: 1_000_000, bytes: 2_000 })
      expect(result.truncated).toBe(true)
      expect(result.rows.length).toBeLessThan(300)
      await untilIdle()
    })

    test('a statement that runs too long is stopped at the engine', async () => {
      const error = await failure(query(subject.slowSql, { milliseconds: 300 }))
      expect(error).toMatchObject({ code: 'unavailable', details: { reason: 'timeout' } })
      await untilIdle()
    })

    test('stopping a statement stops it at the engine', async () => {
      const stopping = new AbortController()
      const running = failure(query(subject.slowSql, {}, stopping.signal))
      setTimeout(() => stopping.abort(), 300)
      expect(await running).toMatchObject({ code: 'stopped' })
      await untilIdle()
    })

    test('a stop before the engine has the statement is not lost', async () => {
      const stopping = new AbortController()
      const running = failure(query(subject.slowSql, {}, stopping.signal))
      stopping.abort()
      expect(await running).toMatchObject({ code: 'stopped' })
      await untilIdle()
    })

    test('a statement stopped before it began never begins', async () => {
      expect(await failure(query('SELECT 1', {}, AbortSignal.abort()))).toMatchObject({ code: 'stopped' })
    })

    test('many concurrent statements each get their own answer', async () => {
      const numbers = Array.from({ length: 24 }, (_, i) => i)
      const answers = await Promise.all(numbers.map((n) => query(`SELECT ${n}`)))
      expect(answers.map((answer) => answer.rows[0]![0])).toEqual(numbers)
    })

    test.each([
      'DELETE FROM orders',
      'DROP TABLE orders',
      "INSERT INTO users VALUES (99, 'x', 'y')",
      'CREATE TABLE made (a INTEGER)',
      'SELECT 1; DELETE FROM orders',
    ])('the engine itself refuses to run %s', async (sql) => {
      expect((await failure(query(sql))).code).toBe('invalid_input')
      expect((await query('SELECT (SELECT count(*) FROM orders), (SELECT count(*) FROM users)')).rows).toEqual([
        [60, 25],
      ])
    })

    test('the engine message about a mistake is passed on', async () => {
      const error = await failure(query('SELECT nothing_of_the_kind FROM users'))
      expect(error.code).toBe('invalid_input')
      expect(error.message).toContain('nothing_of_the_kind')
    })

    test('values are bound by the driver, whatever they look like', async () => {
      const bound = (sql: string, values: readonly (string | number)[]) => {
        const { placeholder } = warehouse.dialect.spelling
        let at = 0
        return warehouse.query(
          sql.replaceAll('?', () => placeholder!(++at)),
          LIMITS,
          undefined,
          values,
        )
      }
      expect(
        (await bound('SELECT id, amount FROM orders WHERE note = ? AND id < ? ORDER BY id', ['gift', 5])).rows,
      ).toEqual([
        [2, 2.5],
        [4, 5],
      ])
      const day = name === 'sqlite' ? "date('2026-05-02')" : "CAST('2026-05-02' AS DATE)"
      expect(
        (await bound(`SELECT count(*) FROM users WHERE ${day} >= ? AND ${day} < ?`, ['2026-05-02', '2026-05-03'])).rows,
      ).toEqual([[25]])
      expect((await bound('SELECT count(*) FROM orders WHERE amount > ?', [4.5])).rows).toEqual(
        (await query('SELECT count(*) FROM orders WHERE amount > 4.5')).rows,
      )
      for (const attack of ATTACKS) {
        expect((await bound('SELECT count(*) FROM orders WHERE note = ?', [attack])).rows).toEqual([[0]])
        expect(
          (await bound('SELECT count(*) FROM orders WHERE note <> ? AND note = ?', [attack, 'gift'])).rows,
        ).toEqual((await query("SELECT count(*) FROM orders WHERE note = 'gift'")).rows)
      }
      expect((await query('SELECT (SELECT count(*) FROM orders), (SELECT count(*) FROM users)')).rows).toEqual([
        [60, 25],
      ])
    })

    test('a bound statement that the gate has read is the one that runs, and is read as a value alone', async () => {
      const { placeholder } = warehouse.dialect.spelling
      const read = await warehouse.parse(`SELECT id FROM orders WHERE note = ${placeholder!(1)}`)
      expect(read).toMatchObject({ error: undefined, statements: [{ kind: 'query', effects: [], externals: [] }] })
      expect(read.statements[0]!.scope.stars).toEqual([])
      expect(
        (await failure(warehouse.query(`SELECT ${placeholder!(1)}; DELETE FROM orders`, LIMITS, undefined, ['x'])))
          .code,
      ).toBe('invalid_input')
      expect(
        (await failure(warehouse.query(`SELECT id FROM ${placeholder!(1)}`, LIMITS, undefined, ['orders']))).code,
      ).toBe('invalid_input')
    })

    test('the history contains earlier statements, if the engine keeps one', async () => {
      await query('SELECT max(amount) AS remembered FROM orders WHERE note IS NOT NULL')
      const history = await warehouse.history(100)
      expect(history.some((past) => /remembered/i.test(past.sql) && past.times > 0)).toBe(subject.keepsHistory)
      expect((await warehouse.history(1)).length).toBeLessThanOrEqual(1)
    })
  })
}

const ATTACKS = [
  "' OR '1'='1",
  "gift' OR 1=1 --",
  "x'; DELETE FROM orders; --",
  "\\' OR 1=1 -- ",
  '" OR ""="',
  "gift' UNION SELECT password FROM users --",
  '$1 ? :name %s {{x}}',
  '1; DROP TABLE users',
  "' || (SELECT password FROM users LIMIT 1) || '",
  '${process.exit(1)}',
  "bf' OR 1=1 /*",
]

/** Forty rows in a form every dialect accepts; DuckDB and PostgreSQL write a list their own way. */
function labRows(name: string): string {
  const list = { duckdb: "['a b', 'c']", postgres: `'{"a b",c}'` }[name] ?? `'["a b", "c"]'`
  const rows = Array.from({ length: 40 }, (_, i) => {
    const day = `${String((i % 31) + 1).padStart(2, '0')}.${i === 30 ? '10' : String((i % 9) + 1).padStart(2, '0')}.2024`
    const note = i % 20 === 0 ? "''" : i % 20 === 1 ? "'N/A'" : i % 10 === 5 ? 'NULL' : `'said ${i}!'`
    const doc = JSON.stringify({ n: i, channel: i % 2 === 0 ? 'web' : 'app' })
    return `(${i}, '${i % 4 === 0 ? 'closed' : 'open'}', '${i === 7 ? '' : day}', ${1_700_000_000 + i * 86_400}, ${37 + i}, '${i % 4 === 0 ? 'Y' : 'N'}', ${note}, '${doc}', ${i % 2 === 0 ? 0 : 1 + ((i >> 1) % 2)}, ${list})`
  })
  return `INSERT INTO lab VALUES ${rows.join(', ')}`
}
