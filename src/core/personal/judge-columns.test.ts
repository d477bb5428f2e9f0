import { expect, test } from 'vitest'
import { judgeColumns } from './judge-columns.ts'

const judge = (table: string, column: string, values: readonly (string | number)[], type = 'VARCHAR') => {
  const found = judgeColumns(
    { name: table, columns: [{ name: column, type }] },
    values.map((value) => [value]),
  )
  return found.columns[0]?.kind ?? (found.traced.length > 0 ? 'traced' : undefined)
}

test.each([
  ['names, of which some are known', ['Maria Gonzalez', 'Xqz Brt', 'Jonas Lind', 'Oo Pp'], 'name'],
  ['names turned round', ['Gonzalez, Maria', 'Lind, Jonas', 'Ferraro, Giulia'], 'name'],
  ['mobile numbers without a plus', ['4915112345678', '4917612345679', '4916012345670'], 'phone'],
  ['national ids of nine digits', ['111222333', '123456782', '100000009'], 'national id'],
  ['an e-mail among other things', ['none', 'n/a', 'zed@example.com', 'open', 'shut', 'x y'], 'traced'],
  ['lists of e-mails', ['["a@example.com","b@example.com"]'], 'e-mail'],
  [
    'sentences that name people',
    ['Gave it to Maria Gonzalez on the same day', 'Jonas Lind asked for a new one', 'no one was there at all today'],
    'personal text',
  ],
  ['numbers of orders', ['2026001122', '2026001123', '2026001124'], undefined],
  [
    'numbers of which one looks like a card',
    ['4111111111111111', '4111111111111112', '4111111111111113', '4111111111111114'],
    undefined,
  ],
  ['towns that are called like people', ['Charlotte', 'Berlin', 'Lyon', 'Santiago', 'Kraków'], undefined],
])('%s', (_what, values, kind) => {
  expect(judge('t', 'c1', values)).toBe(kind)
})

test('a name is believed until the values say otherwise', () => {
  expect(judge('customers', 'name', [])).toBe('name')
  expect(judge('customers', 'name', ['Acme GmbH', 'Contoso Ltd', 'Fabrikam Inc'])).toBeUndefined()
  expect(judge('x', 'mail', ['letter', 'parcel'])).toBeUndefined()
  expect(judge('x', 'phone', ['ios', 'android'])).toBeUndefined()
  expect(judge('x', 'email', [true as unknown as string], 'BOOLEAN')).toBeUndefined()
  expect(judge('x', 'last_login', ['2024-01-01 10:00:00'], 'TIMESTAMP')).toBeUndefined()
})

test('what belongs to a person is personal in a table with a key of one', () => {
  const columns = ['employee_id', 'salary', 'amount'].map((name) => ({ name, type: 'INTEGER' }))
  expect(judgeColumns({ name: 'payments', columns }, []).columns).toEqual([{ name: 'salary', kind: 'pay' }])
})

test('dates beside people that lie in the years of births are births', () => {
  const columns = [
    { name: 'c1', type: 'VARCHAR' },
    { name: 'c2', type: 'DATE' },
    { name: 'c3', type: 'DATE' },
  ]
  const rows = [
    ['zed@example.com', '1961-02-03', '2021-02-03'],
    ['ann@example.com', '1984-12-24', '1999-02-03'],
    ['kim@example.com', '1999-07-01', '1985-02-03'],
  ]
  expect(judgeColumns({ name: 't', columns }, rows).columns.map(({ name }) => name)).toEqual(['c1', 'c2'])
})
