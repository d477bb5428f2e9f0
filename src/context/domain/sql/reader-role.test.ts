import { expect, test } from 'vitest'
import { DIALECTS } from '../../../../test/sql-dialects.ts'

const quote = (name: string): string => `"${name}"`
const tables = [
  { database: 'd', schema: 's', name: 'people', columns: ['id', 'city'], hidden: ['email'] },
  { database: 'd', schema: 's', name: 'orders', columns: ['id', 'total'], hidden: [] },
]

test.each(Object.values(DIALECTS))(
  '$name: the role grants no hidden column, or explains why there is none',
  (dialect) => {
    const role = dialect.role({ tables, quote })
    const said = 'sql' in role ? role.sql.join('\n') : role.instead
    expect(said).not.toContain('email')
    expect(said.length).toBeGreaterThan(20)
    if ('sql' in role) expect(said).toMatch(/"id", "city"/)
  },
)

test('a table without hidden columns is granted whole, any other by column', () => {
  expect(DIALECTS.postgres.role({ tables, quote })).toEqual({
    sql: [
      "CREATE ROLE ken_reader LOGIN PASSWORD '…' NOSUPERUSER NOCREATEDB NOCREATEROLE",
      'ALTER ROLE ken_reader SET default_transaction_read_only = on',
      'GRANT USAGE ON SCHEMA "s" TO ken_reader',
      'GRANT SELECT ("id", "city") ON "s"."people" TO ken_reader',
      'GRANT SELECT ON "s"."orders" TO ken_reader',
    ],
  })
})

test('a table with only hidden columns is not granted', () => {
  const closed = { database: 'd', schema: 's', name: 'passwords', columns: [], hidden: ['hash'] }
  for (const dialect of Object.values(DIALECTS)) {
    const role = dialect.role({ tables: [...tables, closed], quote })
    expect('sql' in role ? role.sql.join('\n') : role.instead).not.toContain('passwords')
  }
})
