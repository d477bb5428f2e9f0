import { chmodSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { syncSources } from '../../src/context/operations/sync-sources.ts'
import { openContextDesk, tableFolder, type ContextDesk } from './context-desk.ts'

let desk: ContextDesk
const SHOP = { name: 'shop', databases: [{ name: 'shop', type: 'sqlite', path: 'shop.db' }] }
const orders = tableFolder('shop', 'orders')

beforeEach(() => {
  desk = openContextDesk()
  desk.configure(SHOP)
  desk.sqlite(
    'shop.db',
    'CREATE TABLE customers (id INTEGER PRIMARY KEY, email TEXT NOT NULL, country TEXT)',
    'CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id), total REAL)',
    "INSERT INTO customers VALUES (1, 'a@example.com', 'DE'), (2, 'b@example.com', NULL), (3, 'c@example.com', 'DE')",
    'INSERT INTO orders VALUES (1, 1, 10.5), (2, 1, 20), (3, 2, 30)',
  )
})
afterEach(() => desk.close())

test('every table becomes four documents that name their source', async () => {
  const output = await desk.sync()
  expect(output.sources).toMatchObject([{ source: 'database/shop', listed: 2, written: 2, failed: 0 }])
  const columns = desk.read(`${orders}/columns.md`)
  expect(columns).toMatch(
    /^---\ngenerated_by: ken\/3\nsource: database\/shop\nitem: main\.orders\nfetched_at: \S+\ncontent_hash: [0-9a-f]{16}\nwritten_by: source\n---\n\n# orders\n/,
  )
  expect(columns).toContain('| customer_id | INTEGER | 0% | → customers.id |')
  expect(desk.read(`${orders}/how_to_use.md`)).toContain('| rows | 3 |')
  expect(desk.read(`${orders}/preview.md`)).toContain('| 1 | 1 | 10.5 |')
  expect(desk.read(`${tableFolder('shop', 'customers')}/profiling.md`)).toMatch(/\| country \| 1 \(33\.33 %\) \| 1 \|/)
  expect(desk.read('llms.txt')).toMatch(/^# shop\n[\s\S]*\[main\.orders\]\(databases\//)
})

test('a second run writes nothing', async () => {
  await desk.sync()
  const before = desk.times()
  const again = await desk.sync()
  expect(again.sources).toMatchObject([{ written: 0, unchanged: 2 }])
  expect(desk.times()).toEqual(before)
})

test('a changed table is written again and the others are not touched', async () => {
  await desk.sync()
  const before = desk.times()
  desk.sqlite('shop.db', 'ALTER TABLE orders ADD COLUMN note TEXT')
  const output = await desk.sync()
  expect(output.due).toEqual([{ source: 'database/shop', item: 'main.orders', reason: 'changed' }])
  const after = desk.times()
  const changed = Object.keys(after).filter((path) => after[path] !== before[path] && path.startsWith('databases/'))
  expect(changed.length).toBeGreaterThan(0)
  expect(changed.filter((path) => !path.startsWith(`${orders}/`)).map((path) => path.split('/').at(-1))).toEqual([
    'index.md',
  ])
  expect(desk.read(`${orders}/columns.md`)).toContain('| note |')
})

test('--check and --dry-run write nothing, and --check exits 1 while something would change', async () => {
  const before = desk.files()
  const check = await desk.sync({ check: true })
  expect(syncSources.exit(check)).toBe(1)
  expect(syncSources.exit(await desk.sync({ dry_run: true }))).toBe(0)
  expect(desk.files()).toEqual(before)
  await desk.sync()
  expect(syncSources.exit(await desk.sync({ check: true }))).toBe(0)
})

test('a dropped table and a renamed one leave nothing behind, including folders', async () => {
  await desk.sync()
  desk.sqlite('shop.db', 'ALTER TABLE orders RENAME TO purchases')
  const output = await desk.sync()
  expect(output.removed).toEqual(['database/shop main.orders'])
  expect(desk.exists(orders)).toBe(false)
  expect(desk.exists(`${tableFolder('shop', 'purchases')}/columns.md`)).toBe(true)
})

test('removing a database from ken.yaml removes its files, and keeps hand-made ones', async () => {
  await desk.sync()
  desk.write(`${orders}/notes.md`, 'mine')
  desk.configure({ name: 'shop' })
  await desk.sync()
  expect(desk.exists(`${orders}/columns.md`)).toBe(false)
  expect(desk.read(`${orders}/notes.md`)).toBe('mine')
})

test('a hand-made file in the place of a generated one is kept and named', async () => {
  desk.write(`${orders}/columns.md`, '# my own words\n')
  const output = await desk.sync()
  expect(output.kept).toEqual([`${orders}/columns.md`])
  expect(desk.read(`${orders}/columns.md`)).toBe('# my own words\n')
  desk.sqlite('shop.db', 'DROP TABLE orders')
  await desk.sync()
  expect(desk.read(`${orders}/columns.md`)).toBe('# my own words\n')
  expect(desk.exists(`${orders}/preview.md`)).toBe(false)
})

test('a generated file that someone edited is neither replaced nor removed', async () => {
  await desk.sync()
  desk.write(`${orders}/columns.md`, `${desk.read(`${orders}/columns.md`)}\nBeware of returns.\n`)
  desk.sqlite('shop.db', 'ALTER TABLE orders ADD COLUMN note TEXT')
  expect((await desk.sync()).kept).toEqual([`${orders}/columns.md`])
  expect(desk.read(`${orders}/columns.md`)).toContain('Beware of returns.')
  desk.sqlite('shop.db', 'DROP TABLE orders')
  await desk.sync()
  expect(desk.read(`${orders}/columns.md`)).toContain('Beware of returns.')
})

test('a deleted generated file is restored', async () => {
  await desk.sync()
  rmSync(desk.path(`${orders}/preview.md`))
  expect((await desk.sync()).due).toMatchObject([{ item: 'main.orders', reason: 'missing' }])
  expect(desk.exists(`${orders}/preview.md`)).toBe(true)
})

test('a lost manifest is rebuilt without treating generated files as hand-made', async () => {
  await desk.sync()
  rmSync(desk.path('.ken/context-manifest.jsonl'))
  desk.sqlite('shop.db', 'ALTER TABLE orders ADD COLUMN note TEXT')
  const output = await desk.sync()
  expect(output.kept).toEqual([])
  expect(desk.read(`${orders}/columns.md`)).toContain('| note |')
})

test('an unavailable source keeps its old files, marked as stale, and does not stop the others', async () => {
  desk.sqlite('other.db', 'CREATE TABLE things (id INTEGER)')
  desk.configure({ name: 'shop', databases: [...SHOP.databases, { name: 'other', type: 'sqlite', path: 'other.db' }] })
  await desk.sync()
  desk.sqlite('other.db', 'CREATE TABLE more (id INTEGER)')
  rmSync(desk.path('shop.db'))
  const output = await desk.sync()
  expect(syncSources.exit(output)).toBe(1)
  expect(output.failures).toMatchObject([{ source: 'database/shop' }])
  expect(desk.read(`${orders}/columns.md`)).toMatch(/stale_since: \S+\nstale_because: ".*shop\.db/)
  expect(desk.exists(`${tableFolder('other', 'more')}/columns.md`)).toBe(true)
  expect(await desk.run('read_file', { path: `${orders}/columns.md` })).toMatchObject({
    stale: expect.stringContaining('shop.db'),
  })
})

test('the stale mark is removed when the source is available again', async () => {
  await desk.sync()
  desk.configure({ name: 'shop', databases: [{ ...SHOP.databases[0], path: 'nowhere.db' }] })
  await desk.sync()
  expect(desk.read(`${orders}/columns.md`)).toContain('stale_since')
  desk.configure(SHOP)
  expect(syncSources.exit(await desk.sync())).toBe(0)
  expect(desk.read(`${orders}/columns.md`)).not.toContain('stale')
})

test('--only selects one source, or some of its tables, and leaves the rest unchanged', async () => {
  await desk.sync({ only: ['shop:order*'] })
  expect(desk.exists(`${orders}/columns.md`)).toBe(true)
  expect(desk.exists(tableFolder('shop', 'customers'))).toBe(false)
  desk.sqlite('shop.db', 'DROP TABLE orders')
  await desk.sync({ only: ['shop:customers'] })
  expect(desk.exists(`${orders}/columns.md`)).toBe(true)
  await expect(desk.sync({ only: ['shp'] })).rejects.toThrow(/ken.yaml has no source "shp"/)
})

test('include and exclude select tables, and an excluded column appears nowhere', async () => {
  desk.configure({ name: 'shop', databases: [{ ...SHOP.databases[0], exclude: ['main.orders', '*.customers.email'] }] })
  await desk.sync()
  expect(desk.exists(orders)).toBe(false)
  expect(JSON.stringify(desk.files())).not.toMatch(/a@example\.com|email \|/)
  expect(await desk.run('execute_sql', { sql: 'SELECT email FROM customers' })).toMatchObject({
    refused: { code: 'column' },
  })
  expect(await desk.run('execute_sql', { sql: 'SELECT country FROM customers' })).toMatchObject({
    row_count: 3,
    shown: 'all',
  })
})

test('names with slashes, dots, marks and 200 characters each get a separate path', async () => {
  const names = [
    'a/b',
    'a_b',
    '..',
    'x.y',
    'Ünïcödé 表',
    'CON',
    'con',
    'a|b"c',
    'l'.repeat(200),
    `${'l'.repeat(199)}m`,
    ' spaced ',
    'line\nbreak',
  ]
  for (const name of names)
    if (name !== 'con')
      desk.sqlite('shop.db', `CREATE TABLE "${name.replaceAll('"', '""')}" (id INTEGER, "weird ""col|umn""" TEXT)`)
  const output = await desk.sync()
  expect(output.failures).toEqual([])
  const folders = Object.keys(desk.files()).filter((path) => path.endsWith('/columns.md'))
  expect(folders).toHaveLength(2 + names.length - 1)
  expect(new Set(folders.map((path) => path.toLowerCase())).size).toBe(folders.length)
  expect((await desk.sync()).due).toEqual([])
})

test('two connections to databases of the same name do not overwrite each other', async () => {
  desk.write('other/.keep', '')
  desk.sqlite('other/shop.db', 'CREATE TABLE orders (only_here INTEGER)')
  desk.configure({
    name: 'shop',
    databases: [SHOP.databases[0], { name: 'second', type: 'sqlite', path: 'other/shop.db' }],
  })
  await desk.sync()
  const written = Object.entries(desk.files()).filter(
    ([path]) => path.endsWith('columns.md') && path.includes('table=orders'),
  )
  expect(written).toHaveLength(2)
  expect(written.filter(([, text]) => text.includes('only_here'))).toHaveLength(1)
  const before = desk.times()
  await desk.sync()
  expect(desk.times()).toEqual(before)
})

test('a folder that leads out of the project through a link is not written to', async () => {
  desk.write('../outside/.keep', '')
  symlinkSync(desk.path('../outside'), desk.path('databases'))
  const output = await desk.sync()
  expect(syncSources.exit(output)).toBe(1)
  expect(output.failures[0]?.message).toContain('symbolic link')
  expect(readdirSync(desk.path('../outside'))).toEqual(['.keep'])
})

test.skipIf(process.getuid?.() === 0)('a place that cannot be written fails that table alone', async () => {
  desk.write(`${orders}/.keep`, '')
  chmodSync(desk.path(orders), 0o555)
  const output = await desk.sync()
  chmodSync(desk.path(orders), 0o755)
  expect(output.failures).toMatchObject([{ item: 'main.orders' }])
})

test('an interrupted build is finished by the next one', async () => {
  await desk.sync()
  const claimed = desk
    .read('.ken/context-manifest.jsonl')
    .split('\n')
    .find((line) => line.includes('"item":"main.orders"'))!
  desk.write(desk.claims, `${claimed.replaceAll(/"hash":"[0-9a-f]+"/g, '"hash":"0000000000000000"')}\n{"source":"data`)
  desk.write(`${orders}/.columns.md.0123456789ab.tmp`, 'half')
  const output = await desk.sync()
  expect(output.due).toMatchObject([{ item: 'main.orders', reason: 'unfinished' }])
  expect(output.kept).toEqual([])
  expect(desk.exists(`${orders}/.columns.md.0123456789ab.tmp`)).toBe(false)
  expect(desk.exists(desk.claims)).toBe(false)
  expect((await desk.sync()).due).toEqual([])
})

test('project templates replace the built-in ones and receive no secrets', async () => {
  desk.write('.env', 'DB_PASSWORD=hunter2hunter2\n')
  desk.write(
    'templates/columns.md.liquid',
    'Custom {{ table.name }}: {% for c in table.columns %}{{ c.name }} {% endfor %}{{ process.env.HOME }}{{ table.constructor }}\n',
  )
  desk.write('overview.md.liquid', '{{ project.name }} has {{ tables.size }} tables\n')
  desk.write('repos/evil/run.md.liquid', '{{ project.name }}')
  await desk.sync()
  expect(desk.read(`${orders}/columns.md`)).toMatch(/\n\nCustom orders: id customer_id total \n$/)
  expect(desk.read('overview.md')).toContain('shop has 2 tables')
  expect(desk.exists('repos/evil/run.md')).toBe(false)
})

test('a broken template is named with its line and fails only its table', async () => {
  desk.write('broken.md.liquid', '{% if %}')
  const output = await desk.sync()
  expect(output.failures).toMatchObject([
    { source: 'templates', item: 'broken.md.liquid', message: expect.stringContaining('line:1') },
  ])
  expect(desk.exists(`${orders}/columns.md`)).toBe(true)
})

test('semantics that name an unknown column are reported, with the closest match', async () => {
  desk.write(
    'semantics/shop.yaml',
    'metrics:\n  - name: revenue\n    source: { table: orders, column: totl, aggregation: sum }\n',
  )
  expect((await desk.sync()).warnings).toEqual([
    'semantics/shop.yaml: metric "revenue": "orders" has no column "totl". Did you mean "total"?',
  ])
})

test('a profile is rebuilt when it is due', async () => {
  desk.configure({ name: 'shop', databases: [{ ...SHOP.databases[0], profiling: { refresh: 'always' } }] })
  await desk.sync()
  expect((await desk.sync()).due.map(({ reason }) => reason)).toEqual(['aged', 'aged'])
})
