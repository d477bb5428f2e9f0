import { expect, test } from 'vitest'
import { readTableDdl } from './table-ddl.ts'

test('reads checks and computed columns from a CREATE TABLE despite strings, names and comments', () => {
  const { checks, generated } = readTableDdl(`CREATE TABLE "a (b" (
    id INTEGER PRIMARY KEY, -- CHECK (no)
    "check" TEXT DEFAULT 'CHECK (1)' CHECK ("check" IN ('a)', 'b')),
    net DECIMAL(10, 2), [gross price] REAL GENERATED ALWAYS AS (net * 1.19) STORED,
    \`half\` REAL AS (net / 2),
    CONSTRAINT positive CHECK (net > 0 AND (net < 10)), CHECK (length("check") > 1)
  ) STRICT`)
  expect(checks).toEqual([`"check" IN ('a)', 'b')`, 'net > 0 AND (net < 10)', 'length("check") > 1'])
  expect([...generated]).toEqual([
    ['gross price', 'net * 1.19'],
    ['half', 'net / 2'],
  ])
})

test('returns nothing for a text that is not a table or ends early, without throwing', () => {
  for (const sql of [
    '',
    'CREATE VIRTUAL TABLE t USING fts5(body)',
    "CREATE TABLE t (a CHECK (b = 'x",
    '(((((',
    'CHECK (',
  ])
    expect(readTableDdl(sql).generated.size).toBe(0)
})
