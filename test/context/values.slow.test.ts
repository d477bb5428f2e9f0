import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openContextDesk, tableFolder, type ContextDesk } from './context-desk.ts'

/** The cells of one columns.md row, by column name. */
function rowOf(
  text: string,
  column: string,
): { null: string; key: string; values: string; about: string; type: string } {
  const line = text.split('\n').find((one) => one.startsWith(`| ${column} |`))
  expect(line, `${column} in ${text}`).toBeDefined()
  const [, , type, nulls, key, values, about] = line!.split(/(?<!\\)\|/).map((cell) => cell.trim())
  return { type: type!, null: nulls!, key: key!, values: values!, about: about! }
}

const manifestTable = (desk: ContextDesk, item: string): Record<string, any> =>
  desk
    .read('.ken/context-manifest.jsonl')
    .split('\n')
    .filter((line) => line.startsWith('{"source"'))
    .map((line) => JSON.parse(line) as Record<string, any>)
    .find((entry) => entry['item'] === item)!['table']

const EVENTS = `
  CREATE TYPE mood AS ENUM ('sad', 'ok', 'never');
  CREATE TABLE events (
    id INTEGER PRIMARY KEY, code VARCHAR UNIQUE, day_iso VARCHAR, day_de VARCHAR, date_key INTEGER, sent_at BIGINT,
    flag VARCHAR, state SMALLINT, note VARCHAR, price DECIMAL(10, 2), doc JSON, tags VARCHAR[],
    attrs STRUCT(colour VARCHAR, size INTEGER), currency VARCHAR, how mood, nothing VARCHAR, stars INTEGER,
    payload VARCHAR, CHECK (price > 0), CHECK (stars < state + 100)
  );
  INSERT INTO events SELECT i, 'SKU-' || lpad(i::VARCHAR, 5, '0'), strftime(DATE '2024-01-01' + i::INTEGER, '%Y-%m-%d'),
    CASE WHEN i = 3 THEN '' ELSE strftime(DATE '2024-01-01' + i::INTEGER, '%d.%m.%Y') END,
    strftime(DATE '2024-01-01' + i::INTEGER, '%Y%m%d')::INTEGER, 1700000000000 + i * 86400000,
    CASE WHEN i % 4 = 0 THEN 'Y' ELSE 'N' END, CASE WHEN i % 10 = 0 THEN 2 ELSE i % 2 END,
    CASE WHEN i % 10 = 0 THEN '' WHEN i % 10 = 1 THEN 'N/A' WHEN i % 10 = 2 THEN NULL ELSE 'Note | number ' || i || 'x' END,
    37 + i, '{"channel": "' || CASE WHEN i % 2 = 0 THEN 'web' ELSE 'app' END || '", "n": ' || i || '}',
    ['new', 'hot'], {'colour': 'red', 'size': i % 3}, 'EUR', CASE WHEN i % 2 = 0 THEN 'sad' ELSE 'ok' END, NULL, 1 + i % 9,
    '{"kind": "click"}'
  FROM range(100) t(i)`

describe('columns.md of a DuckDB table', () => {
  let desk: ContextDesk
  let text: string
  const path = 'databases/type=duckdb/database=lab/schema=main/table=events/columns.md'
  beforeAll(async () => {
    desk = openContextDesk()
    const instance = await DuckDBInstance.create(desk.path('lab.duckdb'))
    const connection = await instance.connect()
    for (const sql of EVENTS.split(';\n')) await connection.run(sql)
    connection.closeSync()
    instance.closeSync()
    desk.configure({ name: 'lab', databases: [{ name: 'lab', type: 'duckdb', path: 'lab.duckdb' }] })
    expect((await desk.sync()).failures).toEqual([])
    text = desk.read(path)
  })
  afterAll(() => desk.close())
  const values = (column: string): string => rowOf(text, column).values

  test('shows the row count and the date range', () => {
    expect(text).toMatch(/100 rows, data through 2024-04-09 \(day_iso\)\./)
  })

  test('dates stored as other types are shown with their format, and their range as stored', () => {
    expect(values('day_iso')).toBe('text `YYYY-MM-DD` 2024-01-01 … 2024-04-09')
    expect(values('day_de')).toBe("text `DD.MM.YYYY` 01.01.2024 … 09.04.2024; `''` 1%")
    expect(values('date_key')).toBe('`YYYYMMDD` 20240101 … 20240409')
    expect(values('sent_at')).toBe('`epoch milliseconds` 1700000000000 … 1708553600000 (2023-11-14 … 2024-02-21)')
  })

  test('codes are described by their shape, flags and states by their values, constants as such', () => {
    expect(values('code')).toBe('like `SKU-00000`')
    expect(rowOf(text, 'code').key).toBe('unique')
    expect(values('flag')).toBe('`N` 75%, `Y` 25%')
    expect(values('state')).toBe('`1` 50%, `0` 40%, `2` 10%')
    expect(values('currency')).toBe('always `EUR`')
    expect(values('stars')).toBe('1 … 9')
    expect(values('nothing')).toBe('all null')
  })

  test('NULL, the empty text and placeholders for missing values are distinguished', () => {
    expect(rowOf(text, 'note').null).toBe('10%')
    expect(values('note')).toBe(
      String.raw`72 distinct, ${'`'}Note \| number 3x${'`'}, ${'`'}Note \| number 4x${'`'}; ${'`'}''${'`'} 10%, ${'`'}N/A${'`'} for missing`,
    )
  })

  test('decimals are shown as stored', () => {
    expect(values('price')).toBe('37.00 … 136.00')
    expect(desk.read(path.replace('columns', 'profiling'))).toContain('| price | 0 | 100 | 37.00 | 136.00 |')
  })

  test('enums list their labels, including unused ones', () => {
    expect(rowOf(text, 'how')).toMatchObject({ type: 'ENUM', values: '`ok` 50%, `sad` 50%, `never` 0' })
  })

  test('JSON, structs, lists and texts that contain JSON list their keys', () => {
    expect(values('doc')).toBe('`{channel: "app"/"web", n: 0…99}`')
    expect(values('tags')).toBe('`["hot"/"new"]`')
    expect(values('attrs')).toBe('`{colour: "red", size: 0…2}`')
    expect(values('payload')).toBe('`{kind: "click"}`')
  })

  test('a CHECK is shown beside its column, one over several columns below', () => {
    expect(rowOf(text, 'price').about).toBe('check price > 0')
    expect(text).toMatch(/\nChecks:\n- `stars < \(state \+ 100\)`\n/)
  })

  test('the manifest stores the values of columns with few distinct values', () => {
    const { columns } = manifestTable(desk, 'main.events')
    const kept = Object.fromEntries(
      columns.map((column: { name: string; values?: string[] }) => [column.name, column.values?.join()]),
    )
    expect(kept).toMatchObject({ flag: 'N,Y', how: 'ok,sad,never', currency: 'EUR', code: undefined, note: undefined })
  })

  test('two syncs of the same data write the same bytes', async () => {
    const before = desk.read(path)
    await desk.sync({ force: true })
    const body = (file: string): string => file.slice(file.indexOf('# events'))
    expect(body(desk.read(path))).toBe(body(before))
  })

  test('shows values from the catalogue and the sample if there is no profiling', async () => {
    const only = { name: 'lab', type: 'duckdb', path: 'lab.duckdb', documents: ['columns'] }
    desk.configure({ name: 'lab', databases: [only] })
    await desk.sync()
    const told = desk.read(path)
    expect(rowOf(told, 'day_de').values).toBe("text `DD.MM.YYYY` 01.01.2024 … 09.04.2024; `''` 1%")
    expect(rowOf(told, 'price').values).toBe('37.00 … 136.00')
    expect(rowOf(told, 'how').values).toBe('`ok` 50%, `sad` 50%, `never` 0')
  })
})

describe('columns.md of a SQLite table, and the notes of the project', () => {
  let desk: ContextDesk
  const path = `${tableFolder('shop', 'orders')}/columns.md`
  const config = { name: 'shop', databases: [{ name: 'shop', type: 'sqlite', path: 'shop.db' }] }
  beforeAll(() => {
    desk = openContextDesk()
    desk.sqlite(
      'shop.db',
      "CREATE TABLE orders (id INTEGER PRIMARY KEY, status INTEGER, kind TEXT CHECK (kind IN ('b2b', 'b2c')), total REAL, day DATE, untyped, country TEXT)",
      'WITH RECURSIVE t(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM t WHERE i < 49) INSERT INTO orders ' +
        "SELECT i, i % 3, CASE WHEN i % 5 = 0 THEN 'b2b' ELSE 'b2c' END, i * 1.5, strftime('%d.%m.%Y', '2024-01-01', '+' || i || ' days'), 'word ' || i, 'DE' FROM t",
    )
    desk.configure(config)
  })
  afterAll(() => desk.close())

  test('a DATE that is not a date, a column without a type and a key that is never null are shown unchanged', async () => {
    await desk.sync()
    const text = desk.read(path)
    expect(rowOf(text, 'id').null).toBe('no')
    expect(rowOf(text, 'kind').values).toBe('`b2c` 80%, `b2b` 20%')
    expect(rowOf(text, 'day').values).toBe('text `DD.MM.YYYY` 01.01.2024 … 19.02.2024')
    expect(rowOf(text, 'untyped').values).toBe('unique, like `word 0…`')
    expect(text).toContain('data through 2024-02-19 (day)')
  })

  test('semantics add units, synonyms, meanings and metrics, and changes to them are compiled', async () => {
    desk.write(
      'semantics/sales.yaml',
      `dimensions:
  - name: state
    table: orders
    column: status
    description: Where the order stands | in its life.
    synonyms: [Zustand]
    values: { 0: open, 1: paid, 2: "sent | back" }
  - { name: country, description: 'Where it goes', values: [DE, AT] }
metrics:
  - name: revenue
    source: { table: main.orders, column: total, aggregation: sum }
    synonyms: Umsatz
    unit: EUR
    filters: status = 1
    dimensions: [state, country]
`,
    )
    expect((await desk.sync()).sources).toMatchObject([{ written: 1 }])
    const text = desk.read(path)
    expect(rowOf(text, 'status').values).toBe(
      String.raw`${'`'}0${'`'} open 34%, ${'`'}1${'`'} paid 34%, ${'`'}2${'`'} sent \| back 32%`,
    )
    expect(rowOf(text, 'status').about).toBe(String.raw`Where the order stands \| in its life. · also state, Zustand`)
    expect(rowOf(text, 'total').about).toBe('metric revenue (Umsatz) = sum where status = 1, EUR')
    expect(rowOf(text, 'country')).toMatchObject({ values: '`DE` 100%, `AT` 0', about: 'Where it goes' })
    expect((await desk.sync()).due).toEqual([])
  })

  test('a dbt project of the same ken.yaml documents columns, by schema and name', async () => {
    const column = (name: string, more: object) => ({ name, ...more })
    const manifest = {
      nodes: {
        'model.a.orders': {
          unique_id: 'model.a.orders',
          resource_type: 'model',
          name: 'orders',
          schema: 'main',
          description: 'One row per order.',
          columns: {
            total: column('total', { description: 'Gross', meta: { unit: 'cents', synonyms: ['amount'] } }),
            KIND: column('KIND', { config: { meta: { values: { b2b: 'companies' } } } }),
            country: column('country', { description: 'ignored: semantics said it' }),
          },
        },
        'model.a.other': {
          unique_id: 'model.a.other',
          resource_type: 'model',
          name: 'orders',
          schema: 'elsewhere',
          columns: { total: column('total', { description: 'WRONG' }) },
        },
      },
    }
    desk.write('dbt/target/manifest.json', JSON.stringify(manifest))
    desk.configure({ ...config, dbt: { path: 'dbt' } })
    await desk.sync()
    const text = desk.read(path)
    expect(text).toContain('> One row per order.')
    expect(rowOf(text, 'total').about).toBe(
      'Gross · unit cents · also amount · metric revenue (Umsatz) = sum where status = 1, EUR',
    )
    expect(rowOf(text, 'kind').values).toBe('`b2c` 80%, `b2b` companies 20%')
    expect(rowOf(text, 'country').about).toBe('Where it goes')
    expect(text).not.toContain('WRONG')
  })

  test('invalid notes, or an invalid manifest, affect nothing else', async () => {
    desk.write(
      'semantics/sales.yaml',
      'dimensions: [{ name: status, table: orders, values: 7, unit: [x], synonyms: {} }]\n',
    )
    desk.write('dbt/target/manifest.json', '{"nodes": 1}')
    await desk.sync()
    expect(rowOf(desk.read(path), 'status').values).toBe('`0` 34%, `1` 34%, `2` 32%')
  })
})

describe('withheld values, and values that imitate generated text', () => {
  test('no file contains a value of a withheld column, but its gaps are shown', async () => {
    const desk = openContextDesk()
    desk.sqlite(
      'shop.db',
      "CREATE TABLE users (id INTEGER PRIMARY KEY, password TEXT CHECK (password IN ('hunter2', 'letmein')) DEFAULT 'hunter2', pwd INTEGER, api_key TEXT)",
      `INSERT INTO users VALUES (1, 'hunter2', 20240131, '{"hunter2": "letmein"}'), (2, 'letmein', 20240201, NULL), (3, NULL, 20240202, NULL)`,
    )
    desk.configure({ name: 'shop', databases: [{ name: 'shop', type: 'sqlite', path: 'shop.db' }] })
    expect((await desk.sync()).failures).toEqual([])
    const text = desk.read(`${tableFolder('shop', 'users')}/columns.md`)
    expect(rowOf(text, 'password')).toMatchObject({ null: '33%', values: 'unique', about: '' })
    expect(rowOf(text, 'pwd').values).toBe('')
    const files = Object.entries(desk.files()).filter(([path]) => !path.endsWith('preview.md'))
    const all = [...files.map(([, file]) => file), desk.read('.ken/context-manifest.jsonl')].join('\n')
    for (const value of ['hunter2', 'letmein', '20240131', '20240202', '2024-01-31']) expect(all).not.toContain(value)
    await desk.close()
  })

  test('a value, a project comment or a view cannot forge a row, a heading or the end of a code block', async () => {
    const desk = openContextDesk()
    const evil = '`x` |\r| forged | TEXT | no |  |  |\n\n# Forged `\u2028## Forged'
    desk.sqlite(
      'shop.db',
      `CREATE TABLE t (a TEXT, "b\n# Forged" TEXT)`,
      `INSERT INTO t VALUES ('${evil}', 'x'), ('${evil}', 'x'), ('y', 'x')`,
      `CREATE VIEW v AS SELECT 'x\n\`\`\`\n# Forged' AS a`,
    )
    desk.write(
      'semantics/s.yaml',
      JSON.stringify({
        dimensions: [{ name: 'a', table: 't', description: evil, unit: evil, synonyms: [evil], values: { y: evil } }],
      }),
    )
    desk.configure({ name: 'shop', databases: [{ name: 'shop', type: 'sqlite', path: 'shop.db' }] })
    expect((await desk.sync()).failures).toEqual([])
    const table = desk.read(`${tableFolder('shop', 't')}/columns.md`)
    const view = desk.read(`${tableFolder('shop', 'v')}/columns.md`)
    expect(table.split(/[\n\r\u2028]/).filter((line) => /^(?:#|\| forged)/.test(line))).toEqual([
      '# t',
      '## Columns (2)',
    ])
    expect(view).toContain('````sql')
    await desk.close()
  })

  test('a table of 300 columns has 300 short lines', async () => {
    const desk = openContextDesk()
    const names = Array.from({ length: 300 }, (_, i) => `c${i}`)
    desk.sqlite(
      'shop.db',
      `CREATE TABLE wide (${names.map((name) => `${name} TEXT`).join(', ')})`,
      ...Array.from(
        { length: 12 },
        (_, row) => `INSERT INTO wide VALUES (${names.map((name) => `'${name} says ${row} and more'`).join(', ')})`,
      ),
    )
    desk.configure({ name: 'shop', databases: [{ name: 'shop', type: 'sqlite', path: 'shop.db' }] })
    expect((await desk.sync()).failures).toEqual([])
    const rows = desk
      .read(`${tableFolder('shop', 'wide')}/columns.md`)
      .split('\n')
      .filter((line) => line.startsWith('| c'))
    expect(rows).toHaveLength(301)
    expect(Math.max(...rows.map((line) => line.length))).toBeLessThan(120)
    await desk.close()
  })
})
