import { afterAll, describe, expect, it } from 'vitest'
import { openLiquidTemplates } from '../../src/context/adapters/liquid-templates.ts'
import { readTableFiles } from '../../src/context/domain/sources/read-table-files.ts'
import { TABLE_TEMPLATES } from '../../src/context/domain/sources/table-templates.ts'
import { openContextDesk } from './context-desk.ts'

const desk = openContextDesk()
afterAll(() => desk.close())

const ODD = [
  'a|b',
  'ends with \\',
  String.raw`\|`,
  '`tick`',
  '``',
  '<script>alert(1)</script>',
  '![x](http://e.example/p.png)',
  'x, `y` 3',
  'a\nb',
]

describe('parsing the files of a table', () => {
  it('returns the input of the built-in templates, regardless of the characters it contains', async () => {
    const templates = openLiquidTemplates()
    const columns = ODD.map((name) => ({ name, type: 'TEXT', nulls: 'no', key: '', values: '', about: name }))
    const scope = {
      table: {
        name: 't',
        kind: 'table',
        full_name: 'main.t',
        dialect: 'sqlite',
        database: 'd',
        columns,
        checks: [],
        rows: { count: 1234, exact: true },
        through: { day: '2026-11-12', column: 'at' },
        foreign_keys: [],
        indexes: [],
        partitions: [],
        primary_key: [],
      },
      preview: { columns: ODD, rows: [ODD], all: true },
      profile: {
        rows: 1234,
        columns: ODD.map((name) => ({
          name,
          nulls: 1200,
          null_percent: 12.5,
          distinct: 1000,
          min: name,
          max: '',
          mean: null,
          stddev: null,
        })),
        tops: [{ name: 'a|b', top: ODD.map((value, i) => ({ value, count: 1000 + i })) }],
        failed: [],
      },
      joins: [],
      examples: [],
      usage: {
        times: 1500,
        joins: [{ table: 'main.u', times: 3 }],
        queries: [{ times: 2, sql: 'SELECT 1\n## Examples' }],
      },
    }
    const texts = new Map<string, string>()
    for (const name of ['columns', 'how_to_use', 'preview', 'profiling'])
      texts.set(name, await templates.render({ name, text: TABLE_TEMPLATES[name]! }, scope))
    const read = readTableFiles((name) => texts.get(name))
    const shown = ODD.map((text) => text.replace('\n', ' '))
    expect(read.columns.map(({ name }) => name)).toEqual(shown)
    expect(read.columns.map(({ about }) => about)).toEqual(shown)
    expect(read.through).toEqual({ day: '2026-11-12', column: 'at' })
    expect(read.preview).toEqual({ note: 'All rows.', columns: shown, rows: [shown] })
    expect(read.profile?.columns[0]).toMatchObject({ name: 'a|b', nulls: 1200, null_percent: 12.5, distinct: 1000 })
    expect(read.profile?.columns[0]?.top.map(({ value }) => value)).toEqual(shown)
    expect(read.profile?.columns[0]?.top.at(-1)?.count).toBe(1008)
    expect(read.usage).toEqual({
      times: 1500,
      joins: [{ table: 'main.u', times: 3 }],
      queries: [{ times: 2, sql: 'SELECT 1\n## Examples' }],
    })
  })

  it('returns nothing for files of a custom template', () => {
    expect(readTableFiles(() => '# t\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n')).toMatchObject({
      columns: [],
      examples: [],
    })
    expect(readTableFiles(() => undefined)).toEqual({ columns: [], indexes: [], examples: [] })
  })

  it('combines the data of files, manifest and rules about one table', async () => {
    desk.sqlite(
      'shop.db',
      'CREATE TABLE customers (id INTEGER PRIMARY KEY, country TEXT)',
      'CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id), status TEXT)',
      "INSERT INTO customers VALUES (1, 'DE'), (2, 'FR')",
      "INSERT INTO orders VALUES (1, 1, 'paid'), (2, 2, 'paid'), (3, 2, 'new')",
    )
    desk.write('RULES.md', '# Rules\n\n- Count orders without those that are new.\n- Reordering is something else.\n')
    desk.write('dbt/dbt_project.yml', 'name: x\n')
    desk.write(
      'dbt/target/manifest.json',
      JSON.stringify({
        nodes: {
          'model.x.orders': {
            unique_id: 'model.x.orders',
            resource_type: 'model',
            name: 'orders',
            schema: 'main',
            config: { materialized: 'table' },
            depends_on: { nodes: ['source.x.raw_orders'] },
          },
          'model.x.revenue': {
            unique_id: 'model.x.revenue',
            resource_type: 'model',
            name: 'revenue',
            schema: 'main',
            depends_on: { nodes: ['model.x.orders'] },
          },
        },
        sources: {},
      }),
    )
    desk.configure({
      name: 'shop',
      databases: [{ name: 'shop', type: 'sqlite', path: 'shop.db' }],
      dbt: { path: 'dbt' },
    })
    await desk.sync()
    const facts = await desk.run('table_facts', { table: 'orders' })
    expect(facts).toMatchObject({ database: 'shop', table: 'main.orders', rows: 3, source: 'database/shop' })
    expect(facts['columns'].map((one: { name: string }) => one.name)).toEqual(['id', 'customer_id', 'status'])
    expect(facts['columns'][2].profile.top).toEqual([
      { value: 'paid', count: 2 },
      { value: 'new', count: 1 },
    ])
    expect(facts['joins']).toMatchObject([
      { direction: 'out', table: 'main.customers', columns: ['customer_id'], referenced: ['id'], declared: true },
    ])
    expect(facts['rules']).toEqual([{ line: 3, text: '- Count orders without those that are new.' }])
    expect(facts['lineage']).toMatchObject([{ source: 'dbt/dbt', made_from: ['raw_orders'], used_by: ['revenue'] }])
    expect(facts['preview'].rows).toHaveLength(3)
    const customers = await desk.run('table_facts', { table: 'customers' })
    expect(customers['joins']).toMatchObject([
      { direction: 'in', table: 'main.orders', columns: ['id'], referenced: ['customer_id'] },
    ])
    const files = await desk.run('context_files', {})
    expect(files['files'].find((one: { path: string }) => one.path === 'RULES.md')).toEqual({
      path: 'RULES.md',
      bytes: expect.any(Number),
    })
    expect(files['files'].find((one: { path: string }) => one.path.endsWith('table=orders/columns.md'))).toMatchObject({
      source: 'database/shop',
      table: 'main.orders',
      database: 'shop',
    })
    expect(files['files'].some((one: { path: string }) => /ken\.yaml|\.env/.test(one.path))).toBe(false)
  })
})
