import { afterEach, beforeEach, expect, test } from 'vitest'
import { openContextDesk, type ContextDesk } from './context-desk.ts'
import { KEY, serveMetabase, type MetabaseServer } from './metabase-server.ts'

let desk: ContextDesk
let web: MetabaseServer
beforeEach(async () => {
  desk = openContextDesk({ METABASE_KEY: KEY })
  web = await serveMetabase()
  configure()
})
afterEach(async () => {
  await web.close()
  await desk.close()
})

const configure = (more: object = {}): void =>
  desk.configure({ name: 'shop', metabase: { url: web.url, key: '${METABASE_KEY}', ...more } })
const read = (path: string): string => desk.read(`docs/metabase/metabase/${path}`)
const pages = (): string[] =>
  Object.keys(desk.files())
    .filter((path) => path.startsWith('docs/metabase/'))
    .map((path) => path.slice('docs/metabase/metabase/'.length))
    .sort()
const body = (path: string): string => read(path).replace(/^---\n[\s\S]*?\n---\n\s*/, '')

test('questions show their query by tables and columns of the database; SQL is kept unchanged', async () => {
  const output = await desk.sync()
  expect(output.failures).toEqual([])
  expect(pages()).toEqual(['questions/monthly-revenue.md', 'questions/orders-by-hand.md', 'tables/public.orders.md'])
  expect(body('questions/monthly-revenue.md')).toBe(`# Monthly revenue

A verified Metabase question in Finance / Monthly. <${web.url}/question/10>

What the board looks at.

- From: public.orders
- Join: left public.products on orders.product_id = products.id
- Where: products.category in ('Widget', 'Gadget') and orders.created_at in the last 12 months
- Summarized: sum(orders.total) as "Revenue"
- By: orders.created_at by month
- Sorted by: sum(orders.total) as "Revenue" descending

Then:

- Where: Revenue > 10
- Limit: 5
`)
  expect(body('questions/orders-by-hand.md')).toContain(
    '```sql\nSELECT * FROM public.orders\nWHERE status = {{status}} AND {{when}}\n```\n\nParameters: status (Status, text), when (When, orders.created_at)',
  )
  expect(body('tables/public.orders.md')).toContain(
    '| total | In euros, with tax. |\n| product_id | refers to public.products.id |',
  )
  expect(body('tables/public.orders.md')).toContain(
    '- Large orders: `orders.total > 100`. Those that are checked by hand.',
  )
  expect(body('tables/public.orders.md')).toContain('- Net revenue: `sum(orders.total - orders.tax)`')
  expect(JSON.stringify(desk.files())).not.toContain(KEY)
})

test('models, metrics and dashboards have their own pages; a question saved in a dashboard is part of it', async () => {
  web.cards.set(12, {
    id: 12,
    name: 'Clean orders',
    type: 'model',
    collection_id: 1,
    dataset_query: { type: 'query', database: 1, query: { 'source-table': 5, filter: ['segment', 1] } },
    result_metadata: [{ name: 'total', display_name: 'Total', base_type: 'type/Float', description: 'In euros.' }],
  })
  web.cards.set(13, {
    id: 13,
    name: 'Margin',
    type: 'metric',
    collection_id: 1,
    dataset_query: { 'lib/type': 'mbql/query', stages: [{ 'source-card': 12, aggregation: [['measure', {}, 3]] }] },
  })
  web.cards.set(14, {
    id: 14,
    name: 'Only here',
    type: 'question',
    dashboard_id: 20,
    dataset_query: { type: 'query', query: { 'source-table': 'card__12', aggregation: [['count']] } },
  })
  web.dashboards.set(20, {
    id: 20,
    name: 'Board',
    description: 'Every Monday.',
    collection_id: 1,
    parameters: [{ name: 'Month', type: 'date/month-year' }],
    tabs: [
      { id: 1, name: 'Money' },
      { id: 2, name: 'More' },
    ],
    dashcards: [
      { id: 2, dashboard_tab_id: 2, row: 0, col: 0, card_id: 14, card: web.cards.get(14) },
      { id: 1, dashboard_tab_id: 1, row: 1, col: 0, card_id: 10, card: web.cards.get(10) },
      { id: 3, dashboard_tab_id: 1, row: 0, col: 0, visualization_settings: { text: 'Read this first' } },
    ],
  })
  expect((await desk.sync()).failures).toEqual([])
  expect(body('models/clean-orders.md')).toContain('- From: public.orders\n- Where: Large orders')
  expect(body('models/clean-orders.md')).toContain('| total | Float | In euros. |')
  expect(body('metrics/margin.md')).toContain('- From: question "Clean orders"\n- Summarized: Net revenue')
  expect(body('dashboards/board.md')).toContain(
    'Filters: Month (date/month-year)\n\n## Cards\n\n- Money: Read this first\n- Money: Monthly revenue\n- More: Only here\n\n## Only here\n\n- From: question "Clean orders"\n- Summarized: count(*)',
  )
  expect(pages()).not.toContain('questions/only-here.md')
})

test('unchanged items are not fetched again, and deleted ones are removed', async () => {
  await desk.sync()
  const asked = web.requests.length
  await desk.sync()
  expect(web.requests.slice(asked).filter((request) => request.includes('/api/card/'))).toEqual([])
  web.cards.get(11)!['updated_at'] = '2026-02-02T00:00:00Z'
  web.cards.delete(10)
  const output = await desk.sync()
  expect(output.due.map(({ item }) => item)).toEqual(['Orders by hand'])
  expect(pages()).toEqual(['questions/orders-by-hand.md', 'tables/public.orders.md'])
})

test('personal collections and the trash are skipped; collections can be selected, with all below them', async () => {
  for (const [id, collection] of [
    [30, 3],
    [31, 4],
    [32, 7],
    [33, 1],
  ] as const)
    web.cards.set(id, { id, name: `Card ${id}`, collection_id: collection, dataset_query: {} })
  configure({ collections: ['Finance'] })
  expect((await desk.sync()).failures).toEqual([])
  const finance = ['questions/card-33.md', 'questions/monthly-revenue.md', 'tables/public.orders.md']
  expect(pages()).toEqual(finance)
  configure({ collections: [1] })
  await desk.sync()
  expect(pages()).toEqual(finance)
  configure()
  await desk.sync()
  expect(pages()).toEqual([...finance, 'questions/orders-by-hand.md'].sort())
  configure({ collections: ['Sales'] })
  expect((await desk.sync()).failures[0]?.message).toContain('Metabase has no collection "Sales"')
})

test('names are fetched one by one if a database has too many tables for one answer', async () => {
  web.instead.set('/api/database/1/metadata', () => ({ body: 'x'.repeat(11 * 1024 * 1024) }))
  web.instead.set('/api/table/5', () => ({ body: { id: 5, schema: 'public', name: 'orders' } }))
  web.instead.set('/api/field/51', () => ({
    body: { id: 51, name: 'total', table: { schema: 'public', name: 'orders' } },
  }))
  const output = await desk.sync()
  expect(output.skipped).toMatchObject([{ item: 'database Shop' }])
  expect(body('questions/monthly-revenue.md')).toContain('- From: public.orders')
  expect(body('questions/monthly-revenue.md')).toContain('sum(orders.total)')
  expect(body('questions/monthly-revenue.md')).toContain('field 61')
})

test('an export yields the same pages offline; settings, connections and column values are not opened', async () => {
  const meta = (model: string, id: string) => `serdes/meta: [{ model: ${model}, id: ${id} }]\n`
  const files = {
    'settings.yaml': 'smtp-password: hunter2-hunter2\n',
    'collections/main/finance.yaml': `name: Finance\nentity_id: col1\n${meta('Collection', 'col1')}`,
    'collections/main/finance/monthly.yaml': `name: Monthly\nentity_id: col2\nparent_id: col1\n${meta('Collection', 'col2')}`,
    'collections/main/finance/monthly/revenue.yaml': `name: Revenue by month
entity_id: card1
collection_id: col2
type: question
dataset_query:
  lib/type: mbql/query
  database: Shop
  stages:
  - source-table: [Shop, public, orders]
    filters: [[segment, {}, seg1]]
    aggregation: [[sum, {}, [field, {}, [Shop, public, orders, total]]]]
    breakout: [[field, { temporal-unit: month }, [Shop, public, orders, created_at]]]
${meta('Card', 'card1')}`,
    'collections/main/old.yaml': `name: Old\nentity_id: card2\narchived: true\n${meta('Card', 'card2')}`,
    'collections/main/board.yaml': `name: Board\nentity_id: dash1\ndashcards: [{ card_id: card1, row: 0, col: 0 }]\n${meta('Dashboard', 'dash1')}`,
    'databases/shop/shop.yaml': `name: Shop\ndetails: { password: hunter2-hunter2 }\n${meta('Database', 'Shop')}`,
    'databases/shop/schemas/public/tables/orders/orders.yaml': `name: orders\nschema: public\ndescription: One row per order.\n${meta('Table', 'orders')}`,
    'databases/shop/schemas/public/tables/orders/fields/total.yaml': `name: total\ntable_id: [Shop, public, orders]\ndescription: In euros.\n${meta('Field', 'total')}`,
    'databases/shop/schemas/public/tables/orders/fields/user.yaml': `name: user_id\ntable_id: [Shop, public, orders]\nfk_target_field_id: [Shop, public, users, id]\n${meta('Field', 'user_id')}`,
    'databases/shop/schemas/public/tables/orders/fields/total___fieldvalues.yaml': 'values: [ada@example.com]\n',
    'databases/shop/schemas/public/tables/orders/segments/paid.yaml': `name: Paid
entity_id: seg1
table_id: [Shop, public, orders]
definition: { stages: [{ source-table: [Shop, public, orders], filters: [["=", {}, [field, {}, [Shop, public, orders, status]], paid]] }] }
${meta('Segment', 'seg1')}`,
  }
  for (const [path, text] of Object.entries(files)) desk.write(`../export/${path}`, text)
  desk.configure({ name: 'shop', metabase: { path: '../export' } })
  const output = await desk.sync()
  expect([output.failures, output.skipped]).toEqual([[], []])
  expect(pages()).toEqual(['dashboards/board.md', 'questions/revenue-by-month.md', 'tables/public.orders.md'])
  expect(body('questions/revenue-by-month.md')).toBe(`# Revenue by month

A Metabase question in Finance / Monthly.

- From: public.orders
- Where: Paid
- Summarized: sum(orders.total)
- By: orders.created_at by month
`)
  expect(body('dashboards/board.md')).toContain('- Revenue by month')
  expect(body('tables/public.orders.md')).toContain('| total | In euros. |\n| user_id | refers to public.users.id |')
  expect(body('tables/public.orders.md')).toContain("- Paid: `orders.status = 'paid'`")
  expect(JSON.stringify(desk.files())).not.toMatch(/hunter2|ada@example/)
})

test('an address without a key is reported before anything is fetched', async () => {
  desk.configure({ name: 'shop', metabase: { url: web.url } })
  expect((await desk.sync()).failures[0]?.message).toContain('needs an API key')
  expect(web.requests).toEqual([])
})
