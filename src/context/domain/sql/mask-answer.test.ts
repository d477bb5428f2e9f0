import { loadModule, parseSync } from 'libpg-query'
import { beforeAll, describe, expect, test } from 'vitest'
import { fromPostgresTree } from '../../warehouse/postgres/from-postgres-tree.ts'
import { MASK, maskAnswer, type MaskedAnswer } from './mask-answer.ts'
import type { Cell } from './query.ts'

const USERS = {
  database: 'd',
  schema: 'public',
  name: 'users',
  columns: ['id', 'email', 'note', 'password'],
  hidden: [],
  secret: ['note'],
}

beforeAll(() => loadModule())

/** Masks one row; its columns get their names and types from the row. */
function mask(sql: string, row: Readonly<Record<string, Cell>>): MaskedAnswer {
  const { statements } = fromPostgresTree(parseSync(sql), sql, { searchPath: ['public'], ownFunctions: [] })
  const columns = Object.entries(row).map(([name, cell]) => ({ name, type: typeof cell }))
  return maskAnswer({ columns, rows: [Object.values(row)], truncated: false }, statements[0]!, [USERS])
}
const shown = (sql: string, row: Readonly<Record<string, Cell>>): readonly Cell[] => mask(sql, row).result.rows[0]!

describe('result of a statement that reads a secret column', () => {
  test('shows columns unchanged, except those with a secret name', () => {
    expect(
      shown('SELECT id, email, note, password FROM users', { id: 1, email: 'a', note: 'b', password: 'c' }),
    ).toEqual([1, 'a', 'b', MASK])
    expect(shown('SELECT * FROM users', { id: 1, email: 'a', note: 'b', password: 'c' })).toEqual([1, 'a', 'b', MASK])
  })

  test('masks text that may be computed', () => {
    expect(shown('SELECT email, left(note, 3) AS start FROM users', { email: 'a', start: 'b' })).toEqual(['a', MASK])
  })

  test.each([
    ['a common table', 'WITH users AS (SELECT left(password, 2) AS email FROM users) SELECT email FROM users'],
    [
      'a recursive common table',
      'WITH RECURSIVE users AS (SELECT left(password, 2) AS email FROM public.users) SELECT email FROM users',
    ],
    ['a derived table', 'SELECT email FROM (SELECT left(password, 2) AS email FROM users) users'],
    ['renamed columns', 'SELECT email FROM users AS u(id, name, note, email)'],
    ['a set operation', 'SELECT email FROM users UNION ALL SELECT left(password, 2) FROM users'],
  ])('masks a column that %s introduced under the name of another', (_what, sql) => {
    expect(shown(sql, { email: 'hu' })).toEqual([MASK])
  })

  test('masks every text of a statement with a subquery, because only a plain SELECT is followed', () => {
    const sql = "SELECT id, email FROM users WHERE id IN (SELECT id FROM users WHERE password > 'm')"
    expect(shown(sql, { id: 1, email: 'a' })).toEqual([1, MASK])
    expect(shown("SELECT id, email FROM users WHERE password > 'm'", { id: 1, email: 'a' })).toEqual([1, 'a'])
  })

  test('masks nothing and adds no note if there is no value', () => {
    const sql = 'SELECT ascii(password) AS first, left(password, 2) AS start FROM users'
    expect(mask(sql, { first: null, start: '' })).toMatchObject({ result: { rows: [[null, '']] }, notes: [] })
    expect(mask(sql, { first: 104, start: 'hu' })).toMatchObject({
      result: { rows: [[MASK, MASK]] },
      notes: [expect.stringContaining('public.users.password')],
    })
  })

  test('shows counts of whole values, but no number that could derive from part of a text', () => {
    expect(shown('SELECT count(password) AS n FROM users', { n: 3 })).toEqual([3])
    expect(shown('SELECT length(password) AS n FROM users', { n: 3 })).toEqual([MASK])
  })
})

test('the result of a statement without secret columns is shown unchanged', () => {
  expect(mask('SELECT left(email, 3) AS start FROM users', { start: 'a@b' })).toMatchObject({
    result: { rows: [['a@b']] },
    notes: [],
  })
})

describe('personal columns that are masked in results', () => {
  const PEOPLE = {
    ...USERS,
    name: 'people',
    columns: ['id', 'born', 'pay', 'city'],
    secret: [],
    personal: ['born', 'pay'],
  }
  const cells = (sql: string, row: Readonly<Record<string, Cell>>): readonly Cell[] => {
    const { statements } = fromPostgresTree(parseSync(sql), sql, { searchPath: ['public'], ownFunctions: [] })
    const columns = Object.entries(row).map(([name]) => ({ name, type: 'integer' }))
    const result = { columns, rows: [Object.values(row)], truncated: false }
    return maskAnswer(result, statements[0]!, [PEOPLE, USERS]).result.rows[0]!
  }

  test.each([
    'SELECT pay FROM people',
    'SELECT pay + 0 AS id FROM people',
    'SELECT coalesce(pay, 0) AS id FROM people',
    'SELECT round(people."pay") AS id FROM people',
    'SELECT max(p.pay) AS id FROM people p GROUP BY p.id',
    'SELECT sum(pay) OVER (PARTITION BY id) AS id FROM people',
    'SELECT id FROM users UNION ALL SELECT pay FROM people',
    'WITH c AS (SELECT pay AS id FROM people) SELECT id FROM c',
    'WITH c(id) AS (SELECT pay FROM people) SELECT id FROM c',
    'SELECT id FROM (SELECT pay AS id FROM people) t',
    'SELECT (SELECT pay FROM people WHERE people.id = users.id) AS id FROM users',
    'SELECT t.id FROM people AS t(n, b, id, c)',
    'SELECT u.id FROM people, LATERAL (SELECT pay AS id) u',
    'SELECT u.id FROM people, LATERAL (VALUES (pay)) u(id)',
    'SELECT g AS id FROM people, generate_series(pay, pay) g',
    "SELECT date_trunc('year', born) AS id FROM people",
    'SELECT extract(year FROM born) AS id FROM people',
    'SELECT pay > 1000 AS id FROM people',
    'SELECT count(*) + max(pay) AS id FROM people',
    `SELECT U&"!0070ay" UESCAPE '!' + 0 AS id FROM people`,
    'SELECT row(people.*) AS id FROM people',
    'SELECT to_json(people) AS id FROM people',
    'SELECT to_json(p) AS id FROM people p',
    'TABLE people',
  ])('are not carried into the result by %s', (sql) => {
    expect(cells(sql, { id: 41_000 })).toEqual([MASK])
  })

  test.each([
    'SELECT count(*) AS n FROM people WHERE pay > 1000',
    'SELECT count(DISTINCT pay) AS n FROM people',
    "SELECT count(pay) FILTER (WHERE born > '1990-01-01') AS n FROM people",
    'SELECT id + 1 AS n FROM people WHERE pay > 1000',
    'SELECT count(*) AS people FROM people p WHERE p.pay > 1000',
    'SELECT sum(id) AS n FROM users WHERE id IN (SELECT id FROM people WHERE pay > 1000)',
    'WITH rich AS (SELECT id FROM people WHERE pay > 1000) SELECT count(*) AS n FROM rich',
  ])('are counted and filtered by: %s', (sql) => {
    expect(cells(sql, { n: 3 })).toEqual([3])
  })
})
