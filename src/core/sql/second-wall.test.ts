import { expect, test } from 'vitest'
import { SQL_DIALECTS } from './name-traits.ts'
import { secondWall } from './second-wall.ts'

const quote = (name: string): string => `"${name}"`
const tables = [
  { database: 'd', schema: 's', name: 'people', columns: ['id', 'city'], hidden: ['email'] },
  { database: 'd', schema: 's', name: 'orders', columns: ['id', 'total'], hidden: [] },
]

test.each(SQL_DIALECTS)('%s: the wall names no hidden column, or says why there is none', (dialect) => {
  const wall = secondWall(dialect, { tables, quote })
  const said = 'sql' in wall ? wall.sql.join('\n') : wall.instead
  expect(said).not.toContain('email')
  expect(said.length).toBeGreaterThan(20)
  if ('sql' in wall) expect(said).toMatch(/"id", "city"/)
})

test('a table that hides nothing is granted as a whole, another column by column', () => {
  expect(secondWall('postgres', { tables, quote })).toEqual({
    sql: [
      "CREATE ROLE ken_reader LOGIN PASSWORD '…' NOSUPERUSER NOCREATEDB NOCREATEROLE",
      'ALTER ROLE ken_reader SET default_transaction_read_only = on',
      'GRANT USAGE ON SCHEMA "s" TO ken_reader',
      'GRANT SELECT ("id", "city") ON "s"."people" TO ken_reader',
      'GRANT SELECT ON "s"."orders" TO ken_reader',
    ],
  })
})

test('a table of which every column is hidden is granted to nobody', () => {
  const closed = { database: 'd', schema: 's', name: 'passwords', columns: [], hidden: ['hash'] }
  for (const dialect of SQL_DIALECTS) {
    const wall = secondWall(dialect, { tables: [...tables, closed], quote })
    expect('sql' in wall ? wall.sql.join('\n') : wall.instead).not.toContain('passwords')
  }
})
