import { expect, test } from 'vitest'
import { openIdentifierWords } from './identifier-words.ts'
import { inferJoins, type JoinableTable } from './infer-joins.ts'

const table = (name: string, columns: string, more: Partial<JoinableTable> = {}): JoinableTable => ({
  database: 'db',
  schema: 'public',
  name,
  isView: false,
  columns: columns.split(', ').map((column) => {
    const [title = '', type = 'integer'] = column.split(' ')
    return { name: title, type }
  }),
  primaryKey: [],
  foreignKeys: [],
  indexes: [],
  ...more,
})

function joinsOf(...tables: readonly JoinableTable[]): readonly string[] {
  const words = openIdentifierWords(
    tables.flatMap((one) => [one.name, ...one.columns.map(({ name }) => name)]),
    () => false,
  )
  return inferJoins(tables, words).map(
    ({ from, column, to, referenced, why }) => `${from.name}.${column} → ${to.name}.${referenced} ${why}`,
  )
}

const customers = table('customers', 'id, name text', { primaryKey: ['id'] })

test('a key with a role or a number, or without its last word, is confirmed by rows', () => {
  const team = table('team', 'team_api_id, long_name text', { primaryKey: ['team_api_id'] })
  const match = table('match', 'id, home_team_api_id, away_team_api_id, home_goal_api_id', { primaryKey: ['id'] })
  const atom = table('atom', 'atom_id text, element text', { primaryKey: ['atom_id'] })
  const bond = table('linked', 'atom_id text, atom_id2 text', {})
  const school = table('school_list', 'campus_code text', { primaryKey: ['campus_code'] })
  const score = table('score', 'campus text, points', {})
  expect(joinsOf(team, match, atom, bond, school, score)).toEqual([
    'linked.atom_id → atom.atom_id name',
    'match.home_team_api_id → team.team_api_id alike',
    'match.away_team_api_id → team.team_api_id alike',
    'linked.atom_id2 → atom.atom_id alike',
    'score.campus → school_list.campus_code alike',
  ])
})

test('a column named after a table refers to the key of that table, in any role', () => {
  const orders = table('orders', 'id, customer_id, billing_address_id, shipping_address_id', { primaryKey: ['id'] })
  const addresses = table('addresses', 'id, city text', { primaryKey: ['id'] })
  expect(joinsOf(orders, customers, addresses)).toEqual([
    'orders.customer_id → customers.id name',
    'orders.billing_address_id → addresses.id name',
    'orders.shipping_address_id → addresses.id name',
  ])
})

test('recognises an abbreviation of a table name', () => {
  expect(joinsOf(table('orders', 'id, cust_id', { primaryKey: ['id'] }), customers)).toEqual([
    'orders.cust_id → customers.id name',
  ])
})

test('recognises a table by its name without the common prefix', () => {
  const floors = table('fac_floor', 'floor_key text, building_key text')
  const buildings = table('fac_building', 'fac_building_key text, height integer')
  expect(joinsOf(floors, buildings)).toContain('fac_floor.building_key → fac_building.fac_building_key name')
})

test('infers neither declared joins nor joins between two tables that refer to a third', () => {
  const key = { columns: ['customer_id'], references: customers, referenced: ['id'] }
  const orders = table('orders', 'id, customer_id', { primaryKey: ['id'], foreignKeys: [key] })
  const reviews = table('reviews', 'id, customer_id', { primaryKey: ['id'] })
  expect(joinsOf(orders, customers, reviews)).toEqual(['reviews.customer_id → customers.id name'])
})

test('columns that every table has do not imply a join', () => {
  expect(
    joinsOf(
      table('shoes', 'id, name text, status text, created_at timestamp, type integer'),
      table('taxes', 'id, name text, status text, created_at timestamp, type integer'),
    ),
  ).toEqual([])
})

test('a key that several tables share without an owner is marked as shared', () => {
  expect(joinsOf(table('sales', 'campaign_code text'), table('clicks', 'campaign_code text'))).toEqual([
    'sales.campaign_code → clicks.campaign_code shared',
  ])
})

test('joins neither a number to a text nor anything to a view', () => {
  expect(joinsOf(table('orders', 'customer_id text'), customers)).toEqual([])
  expect(joinsOf(table('orders', 'customer_id'), { ...customers, isView: true })).toEqual([])
})

test('finds a parent in the same table', () => {
  expect(joinsOf(table('categories', 'id, parent_category_id', { primaryKey: ['id'] }))).toEqual([
    'categories.parent_category_id → categories.id name',
  ])
})

test('prefers a table in the same schema, and leaves the choice between other schemas to the rows', () => {
  const elsewhere = { ...customers, schema: 'crm' }
  const orders = table('orders', 'id, customer_id', { primaryKey: ['id'] })
  expect(joinsOf(orders, customers, elsewhere)).toContain('orders.customer_id → customers.id name')
  expect(joinsOf(orders, elsewhere, { ...customers, schema: 'old' })).toEqual([
    'orders.customer_id → customers.id alike',
    'orders.customer_id → customers.id alike',
  ])
})
