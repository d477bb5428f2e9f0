import { expect, test } from 'vitest'
import { openTableLinker, type SchemaEdge } from './link-tables.ts'
import type { SchemaTable } from './schema-words.ts'

const table = (name: string, columns: string, more: Partial<SchemaTable> = {}): SchemaTable => ({
  connection: 'shop',
  schema: 'public',
  name,
  columns: columns.split(' ').map((column) => ({ name: column })),
  ...more,
})

async function linked(
  question: string,
  tables: readonly SchemaTable[],
  edges: readonly SchemaEdge[] = [],
): Promise<readonly string[]> {
  const linker = await openTableLinker(tables, { edges, knows: () => false, embed: undefined })
  return (await linker.link(question, 10)).map((one) => tables[one.table]!.name)
}

test('ranks a named table first and omits an unrelated one', async () => {
  const tables = [table('shipments', 'id carrier'), table('orders', 'id total'), table('employees', 'id hired_on')]
  expect(await linked('What is the total of all orders?', tables)).toEqual(['orders'])
})

test('finds an unnamed table that joins two others', async () => {
  const tables = [
    table('students', 'id name'),
    table('enrolments', 'sid cid'),
    table('courses', 'id title'),
    table('rooms', 'id'),
  ]
  const edges = [
    { from: 1, to: 0, weight: 1 },
    { from: 1, to: 2, weight: 1 },
  ]
  expect(await linked('Which students take which courses?', tables, edges)).toEqual([
    'students',
    'courses',
    'enrolments',
  ])
})

test('ranks a copy below its original, unless the question names the copy', async () => {
  const tables = [table('orders_backup', 'id total customer'), table('orders', 'id total customer')]
  expect((await linked('orders by customer', tables))[0]).toBe('orders')
  expect((await linked('orders in the backup by customer', tables))[0]).toBe('orders_backup')
})

test('ranks the column that contains a value from the question higher', async () => {
  const linker = await openTableLinker([table('a1', 'x'), table('a2', 'x st')], {
    edges: [],
    knows: () => false,
    embed: undefined,
  })
  const [first] = await linker.link('How many were returned?', 5, [
    { phrase: 'returned', likeness: 1, places: [{ table: 1, column: 1, value: 'returned' }] },
  ])
  expect(first).toMatchObject({ table: 1 })
  expect(first!.columns[1]).toBeGreaterThan(first!.columns[0]!)
})

test('matches words of comments, even in another language', async () => {
  const tables = [table('zahl', 'betr dt'), table('kd', 'nr', { comment: 'Kundenstamm' })]
  expect(await linked('Wie viele Einträge hat der Kundenstamm?', tables)).toEqual(['kd'])
})

test('prefers tables of one database for a question', async () => {
  const tables = [
    table('networks', 'id name', { connection: 'nova' }),
    table('networks', 'id name', { connection: 'neutron' }),
    table('subnets', 'id cidr network_id', { connection: 'neutron' }),
    table('subnetpools', 'id prefix', { connection: 'neutron' }),
  ]
  const linker = await openTableLinker(tables, { edges: [], knows: () => false, embed: undefined })
  const found = await linker.link('Subnets and their networks', 10)
  expect(tables[found.find((one) => tables[one.table]!.name === 'networks')!.table]!.connection).toBe('neutron')
})

test('a question without a significant word finds nothing', async () => {
  expect(await linked('What is it?', [table('orders', 'id')])).toEqual([])
})
