import { describe, expect, test } from 'vitest'
import { readCubeModel } from './cube-model.ts'
import { cubePages } from './cube-pages.ts'

const pagesOf = (files: Record<string, string>) => {
  const read = cubePages(readCubeModel(Object.entries(files).map(([path, text]) => ({ path, text }))))
  return { ...read, text: new Map(read.pages.map(({ folder, title, text }) => [`${folder}/${title}`, text])) }
}

const YAML = `
cubes:
  - name: orders
    sql_table: public."orders"
    title: Orders of the shop
    description: One row per order.
    meta: { ai_context: Test orders have status x. }
    joins:
      - { name: customers, relationship: many_to_one, sql: "{CUBE}.customer_id = {customers.id}" }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: false }
      - { name: state, sql: "{CUBE}.order_state", type: string, description: "open | paid" }
      - name: size
        type: string
        case: { when: [{ sql: "{CUBE}.total > 100", label: large }], else: { label: small } }
    measures:
      - { name: count, type: count }
      - { name: revenue, sql: "{CUBE}.total / 100.0", type: sum, format: currency, filters: [{ sql: "{state} = 'paid'" }] }
      - { name: recent, sql: total, type: sum, rolling_window: { trailing: 7 day } }
      - { name: per_order, sql: "1.0 * {revenue} / {count}", type: number, meta: { synonyms: [AOV] } }
    segments:
      - { name: paid, sql: "{CUBE}.order_state = 'paid'" }
    pre_aggregations:
      - { name: daily, measures: [CUBE.revenue], dimensions: [state], time_dimension: CUBE.created_at, granularity: day }
  - name: customers
    sql: SELECT * FROM crm.people
    dimensions: [{ name: id, sql: person_id, type: number, primary_key: true }]
views:
  - name: sales
    description: For everyone.
    cubes:
      - { join_path: orders, includes: [revenue, { name: state, alias: status }] }
      - { join_path: orders.customers, includes: '*', excludes: [email], prefix: true }
`

const JS = `
import { x } from './x' // cube('not', {})
const table = 'orders'
/* cube(\`neither\`, {}) */
cube(\`orders\`, {
  sqlTable: \`public."orders"\`,
  title: 'Orders of the shop',
  description: "One row per order.",
  meta: { ai_context: \`Test orders have status x.\` },
  joins: { customers: { relationship: \`many_to_one\`, sql: \`\${CUBE}.customer_id = \${customers.id}\` } },
  dimensions: {
    id: { sql: \`id\`, type: \`number\`, primaryKey: true, public: false },
    state: { sql: \`\${CUBE}.order_state\`, type: 'string', description: 'open | paid' },
    size: { type: \`string\`, case: { when: [{ sql: \`\${CUBE}.total > 100\`, label: \`large\` }], else: { label: \`small\` } } },
  },
  measures: {
    count: { type: \`count\` },
    revenue: { sql: \`\${CUBE}.total / 100.0\`, type: \`sum\`, format: \`currency\`, filters: [{ sql: \`\${state} = 'paid'\` }] },
    recent: { sql: \`total\`, type: \`sum\`, rollingWindow: { trailing: \`7 day\` } },
    per_order: { sql: \`1.0 * \${revenue} / \${count}\`, type: \`number\`, meta: { synonyms: ['AOV'] } },
  },
  segments: { paid: { sql: \`\${CUBE}.order_state = 'paid'\` } },
  preAggregations: { daily: { measures: [CUBE.revenue], dimensions: [state], timeDimension: CUBE.created_at, granularity: \`day\` } },
});
cube('customers', { sql: \`SELECT * FROM crm.people\`, dimensions: { id: { sql: \`person_id\`, type: 'number', primaryKey: true } } })
view('sales', {
  description: 'For everyone.',
  cubes: [
    { join_path: orders, includes: [\`revenue\`, { name: 'state', alias: 'status' }] },
    { join_path: orders.customers, includes: \`*\`, excludes: ['email'], prefix: true },
  ],
})
`

describe('a Cube model', () => {
  test('has database names of tables and columns, joins, measures, segments and their meanings', () => {
    const { text, skipped } = pagesOf({ 'orders.yml': YAML })
    expect(skipped).toEqual([])
    expect(text.get('cubes/orders')).toBe(String.raw`# orders

A cube of public.orders, shown as "Orders of the shop".

One row per order.

Test orders have status x.

## Joins

- customers, many to one, on ${'`public.orders.customer_id = crm.people.person_id`'}

## Dimensions

| dimension | type | SQL | about |
| --- | --- | --- | --- |
| id | number, primary key, private | id |  |
| state | string | order_state | open \| paid |
| size | string | large when total > 100, else small |  |

## Measures

| measure | type | SQL | about |
| --- | --- | --- | --- |
| count | count |  |  |
| revenue | sum | total / 100.0 | only where state = 'paid'; format currency |
| recent | sum | total | rolling window: trailing 7 day |
| per_order | number | 1.0 * revenue / count | also called AOV |

## Segments

| segment | SQL |
| --- | --- |
| paid | order_state = 'paid' |

## Pre-aggregations

- daily: revenue, state by created_at, day
`)
    expect(text.get('cubes/customers')).toContain('A cube of crm.people.')
    expect(text.get('views/sales')).toContain(
      '- `orders` (public.orders): revenue, state as status\n- `orders.customers` (crm.people): all members without email, with the prefix customers_',
    )
  })

  test('gives the same result in JavaScript, which is parsed but not run', () => {
    const [yaml, js] = [pagesOf({ 'orders.yml': YAML }), pagesOf({ 'orders.js': JS })]
    expect(js.skipped).toEqual([])
    expect(js.text).toEqual(yaml.text)
  })

  test('values known only at run time are named and skipped, and the rest is kept', () => {
    const { text, skipped } = pagesOf({
      'a.js': `
const { a } = require('./a')
cube('orders', {
  sql: (FILTER_PARAMS) => \`SELECT \${FILTER_PARAMS.orders.at.filter('x')}\`,
  ...shared,
  measures: { total: { type: 'sum', sql: 'a' + b }, other: make({ a: [1, '}'] }), plain: { type: 'count' }, ['x' + 1]: {}, go() { return \`\${\`}\`}\` } },
})
for (const t of tables) cube(t.name, { sql: 'x' })
cube(name(), {})
asyncModule(async () => { cube('inside', {}) })
`,
      'b.yml': 'cubes:\n{% for x in y %}\n  - name: x\n{% endfor %}\n',
      'c.yml': 'services: { db: {} }\n',
      'd.js': "cube('broken', { a: 'x",
    })
    expect([...text.keys()]).toEqual(['cubes/orders'])
    expect(text.get('cubes/orders')).toContain('| plain | count |')
    expect(skipped.map(({ title, reason }) => `${title}: ${reason}`)).toEqual([
      'a.js: what line 8, 9, 10 makes is known only when it runs, and Ken runs nothing',
      expect.stringMatching(/^a\.js: orders: sql, …, measures\.total\.sql, measures\.other, measures…, measures\.go/),
      'b.yml: it is a template, and Ken runs none',
      'd.js: line 1: a quote is not closed',
    ])
  })

  test('follows YAML anchors and merge keys like Cube, and rejects an alias bomb', () => {
    const bomb = Array.from({ length: 20 }, (_, i) => `x${i + 1}: &a${i + 1} [*a${i}, *a${i}]`).join('\n')
    const { text, skipped } = pagesOf({
      'a.yml': 'cubes:\n  - name: a\n    measures:\n      - &n { name: n, type: count }\n      - { <<: *n, name: m }\n',
      'b.yml': `cubes: []\nx0: &a0 [1]\n${bomb}\n`,
    })
    expect(text.get('cubes/a')).toContain('| n | count |\n| m | count |')
    expect(skipped).toEqual([{ title: 'b.yml', reason: expect.stringContaining('aliases stand for too much') }])
  })

  test('treats names such as __proto__ like any other', () => {
    const { text } = pagesOf({
      'a.js': "cube('constructor', { measures: { __proto__: { type: 'count' }, toString: { type: 'sum' } } })",
    })
    expect(text.get('cubes/constructor')).toContain('| __proto__ | count |')
  })
})
