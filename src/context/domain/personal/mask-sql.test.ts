import { expect, test } from 'vitest'
import { maskSql } from './mask-sql.ts'

const people = { personal: new Set(['c4']), strict: true, quotesText: false }

test.each([
  [
    "SELECT a FROM u WHERE email = 'x' AND status = 'paid'",
    "SELECT a FROM u WHERE email = '[value]' AND status = 'paid'",
  ],
  [
    "SELECT a FROM t WHERE c4 IN ('Zed', 'Ann') AND n > 3",
    "SELECT a FROM t WHERE c4 IN ('[value]', '[value]') AND n > 3",
  ],
  ["SELECT a FROM t WHERE 'Zed' = lower(last_name)", "SELECT a FROM t WHERE '[value]' = lower(last_name)"],
  [
    "SELECT a FROM t WHERE dob BETWEEN '1980-01-01' AND '1980-12-31' AND made > '2024-01-01'",
    "SELECT a FROM t WHERE dob BETWEEN '[value]' AND '[value]' AND made > '2024-01-01'",
  ],
  [
    "SELECT CASE last_name WHEN 'Q' THEN 1 WHEN 'R' THEN 2 END FROM c",
    "SELECT CASE last_name WHEN '[value]' THEN 1 WHEN '[value]' THEN 2 END FROM c",
  ],
  ['SELECT a FROM t WHERE phone = 4915112345678', "SELECT a FROM t WHERE phone = '[value]'"],
  [
    "SELECT date_trunc('month', d) FROM t -- for Zed\nWHERE r IN ('EU', 'in_progress')",
    "SELECT date_trunc('month', d) FROM t\nWHERE r IN ('EU', 'in_progress')",
  ],
  ["SELECT a FROM t WHERE x LIKE '%Zanzibar Smythe%'", "SELECT a FROM t WHERE x LIKE '[value]'"],
  ["SELECT $$Zed Q$$, E'it\\'s', 'a''b'", "SELECT '[value]', '[value]', '[value]'"],
])('masks a query history statement: %s', (sql, masked) => {
  expect(maskSql(sql, people)).toBe(masked)
})

test('a definition keeps its words but not values compared with a personal column', () => {
  const kept = { ...people, strict: false }
  const sql = "SELECT id, email, CASE WHEN total > 9 THEN 'Big Spender' END AS tier FROM c WHERE kind = 'Own Brand'"
  expect(maskSql(sql, kept)).toBe(sql)
  expect(maskSql("SELECT id FROM c WHERE full_name <> 'Test Account'", kept)).toBe(
    "SELECT id FROM c WHERE full_name <> '[value]'",
  )
  expect(maskSql("SELECT id FROM c WHERE note <> 'ask zed@example.com'", kept)).toBe(
    "SELECT id FROM c WHERE note <> 'ask [e-mail]'",
  )
})

test('masks double-quoted texts in a dialect that allows them', () => {
  expect(maskSql('SELECT a FROM t WHERE c4 = "Zed Q"', { ...people, quotesText: true })).toBe(
    "SELECT a FROM t WHERE c4 = '[value]'",
  )
  expect(maskSql('SELECT a FROM t WHERE "Odd Name" = 1', people)).toBe('SELECT a FROM t WHERE "Odd Name" = 1')
})
