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
