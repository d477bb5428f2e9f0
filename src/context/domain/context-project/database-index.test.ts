import { expect, test } from 'vitest'
import { databaseIndex, type IndexedTable } from './database-index.ts'
import { estimateTokens } from './manifest.ts'

const table = (schema: string, name: string, comment?: string): IndexedTable => ({
  table: {
    connection: 'shop',
    database: 'shop',
    schema,
    name,
    kind: 'table',
    rows: 10,
    columns: [{ name: 'id', type: 'integer' }],
    primary_key: [],
    foreign_keys: [],
    hidden: [],
    secret: [],
    ...(comment !== undefined && { comment }),
  },
  folder: `schema=${schema}/table=${name}`,
  tokens: 100,
  changed: '2026-11-16',
})

test('a small database is listed on one page, with a line about each table', () => {
  const pages = databaseIndex(
    'shop',
    [table('main', 'orders', 'One row per order. More is said elsewhere.')],
    ['joins.md'],
  )
  expect(pages.map(({ path }) => path)).toEqual(['index.md'])
  expect(pages[0]!.text).toContain('See also [joins.md](joins.md).')
  expect(pages[0]!.text).toContain(
    '- [main.orders](schema=main/table=orders): One row per order. · 10 rows, 1 columns, 100 tokens, 2026-11-16',
  )
})

test('lists a large database by schemas, a huge schema by families, and keeps the first page short', () => {
  const tables = [
    ...Array.from({ length: 5_000 }, (_, i) => table('erp', `${'abcdefghij'[i % 10]}mod_${i}`)),
    ...Array.from({ length: 40 }, (_, i) => table('crm', `lead_${i}`)),
  ]
  const pages = databaseIndex('shop', tables, [])
  expect(pages.map(({ path }) => path).toSorted()).toEqual(['index.md', 'schema=crm/index.md', 'schema=erp/index.md'])
  const text = (path: string): string => pages.find((page) => page.path === path)!.text
  expect(estimateTokens(text('index.md'))).toBeLessThan(1_000)
  expect(text('index.md')).toContain('- [erp](schema=erp/index.md): 5,000 tables')
  expect(text('schema=erp/index.md')).toContain('- **amod…** 500 tables: ')
  expect(estimateTokens(text('schema=erp/index.md'))).toBeLessThan(2_000)
  expect(text('schema=crm/index.md')).toContain('- [lead_0](table=lead_0) ·')
})

test('third-party text cannot forge a line or a link', () => {
  const [page] = databaseIndex(
    'shop',
    [table('main', 'x](evil)', 'a\n# Heading [link](http://evil) `code` | cell')],
    [],
  )
  const lines = page!.text.split('\n').filter((line) => line.startsWith('- ') || line.startsWith('#'))
  expect(lines).toHaveLength(2)
  expect(page!.text).not.toContain('](http')
})
