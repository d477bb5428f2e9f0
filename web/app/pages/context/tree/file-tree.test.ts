import { describe, expect, it } from 'vitest'
import { buildTree, type TreeFile } from './file-tree.ts'
import { leadingTo, treeRows } from './tree-rows.ts'
import { treeDeed, typedAhead } from './use-tree.ts'

const TABLES = 'databases/type=duckdb/database=shop/schema=main'
const table = (name: string): readonly TreeFile[] =>
  ['columns', 'preview'].map((file) => ({
    path: `${TABLES}/table=${name}/${file}.md`,
    bytes: 1,
    table: `main.${name}`,
    database: 'shop',
  }))
const FILES: readonly TreeFile[] = [
  { path: 'RULES.md', bytes: 1 },
  { path: 'databases/type=duckdb/database=shop/joins.md', bytes: 1 },
  ...table('orders'),
  ...table('customers'),
  { path: 'docs/table=notes/own.md', bytes: 1 },
  { path: 'repos/.gitkeep', bytes: 0 },
  { path: '.gitignore', bytes: 0 },
]
const tree = buildTree(FILES)
const labels = (open: readonly string[], words = '') =>
  treeRows(tree, new Set(open), words).map(({ node, level }) => `${level} ${node.label}`)

describe('the files of a context as a tree', () => {
  it('joins folders with a single child, and recognises compiled tables', () => {
    expect(labels([])).toEqual(['1 databases / duckdb / shop', '1 docs / notes', '1 RULES.md'])
    const inside = labels(['databases/type=duckdb/database=shop', TABLES])
    expect(inside).toEqual([
      '1 databases / duckdb / shop',
      '2 main',
      '3 customers',
      '3 orders',
      '2 joins.md',
      '1 docs / notes',
      '1 RULES.md',
    ])
  })

  it('links a table to its page, and not a folder of that name', () => {
    const nodes = treeRows(tree, new Set(['databases/type=duckdb/database=shop', TABLES])).map(({ node }) => node)
    expect(nodes.find(({ label }) => label === 'orders')).toMatchObject({
      kind: 'table',
      table: { database: 'shop', table: 'main.orders' },
    })
    expect(nodes.find(({ label }) => label === 'docs / notes')?.kind).toBe('folder')
  })

  it('finds files by parts of a path, and opens their parent folders', () => {
    expect(labels([], 'ord')).toEqual(['1 databases / duckdb / shop', '2 main', '3 orders'])
    expect(labels([], 'shop joins')).toEqual(['1 databases / duckdb / shop', '2 joins.md'])
    expect(labels([], 'nothing')).toEqual([])
    expect(leadingTo(tree, `${TABLES}/table=orders/columns.md`)).toEqual([
      'databases/type=duckdb/database=shop',
      TABLES,
      `${TABLES}/table=orders`,
    ])
  })

  it('supports the standard keys of a tree', () => {
    const rows = treeRows(tree, new Set(['databases/type=duckdb/database=shop']))
    expect(treeDeed('ArrowRight', rows, 0, 10)).toEqual({ kind: 'move', to: 1 })
    expect(treeDeed('ArrowRight', rows, 1, 10)).toEqual({ kind: 'open', at: 1 })
    expect(treeDeed('ArrowLeft', rows, 1, 10)).toEqual({ kind: 'move', to: 0 })
    expect(treeDeed('ArrowLeft', rows, 0, 10)).toEqual({ kind: 'close', at: 0 })
    expect(treeDeed('End', rows, 0, 10)).toEqual({ kind: 'move', to: rows.length - 1 })
    expect(treeDeed('ArrowDown', rows, rows.length - 1, 10)).toEqual({ kind: 'move', to: rows.length - 1 })
    expect(treeDeed('x', rows, 0, 10)).toBeUndefined()
  })

  it('jumps to the next name with the typed prefix, and wraps around', () => {
    const rows = treeRows(tree, new Set(['databases/type=duckdb/database=shop', TABLES]))
    const at = (name: string) => rows.findIndex(({ node }) => node.label === name)
    expect(typedAhead(rows, 0, 'o')).toBe(at('orders'))
    expect(typedAhead(rows, at('orders'), 'or')).toBe(at('orders'))
    expect(typedAhead(rows, at('RULES.md'), 'd')).toBe(0)
    expect(typedAhead(rows, 0, 'zz')).toBeUndefined()
  })
})
