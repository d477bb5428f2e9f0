import { expect, test } from 'vitest'
import { judgeColumns } from './judge-columns.ts'
import { maskCell } from './mask-cell.ts'

type Column = readonly [name: string, type: string, ...values: readonly (string | number)[]]

/** The kinds detected in a table with these columns. */
function kindsOf(table: string, ...columns: readonly Column[]): Readonly<Record<string, string>> {
  const rows = Array.from({ length: Math.max(...columns.map((column) => column.length)) - 2 }, (_, i) =>
    columns.map((column) => column[i + 2] ?? null),
  )
  const found = judgeColumns({ name: table, columns: columns.map(([name, type]) => ({ name, type })) }, rows)
  return Object.fromEntries(found.columns.map(({ name, kind }) => [name, kind]))
}

const UNKNOWN = [
  'Sinje Schluntstroh',
  'Ottokar Fiebzinski',
  'Veit Grötzwald',
  'Lioba Prüskmair',
  'Xaver Quöllhorst',
  'Zita Umpfenbrink',
] as const
const MAILS = UNKNOWN.map((_, i) => `a${i}@example.org`)

test('detects unlisted names in a table about people, whatever the column name', () => {
  expect(kindsOf('t_44', ['f_01', 'text', ...UNKNOWN], ['f_02', 'text', ...MAILS])).toEqual({
    f_01: 'name',
    f_02: 'e-mail',
  })
  expect(kindsOf('kunden', ['f_01', 'text', ...UNKNOWN])).toEqual({ f_01: 'name' })
})

test('treats capitalised words in a table about things as titles', () => {
  expect(
    kindsOf('products', [
      'title',
      'text',
      'Blue Widget',
      'Red Lamp',
      'Oak Table',
      'Steel Chair',
      'Glass Vase',
      'Wool Rug',
    ]),
  ).toEqual({})
})

test('treats repeated values in a table about people as a category', () => {
  const team = UNKNOWN.map((_, i) => (i % 2 === 0 ? 'Human Resources' : 'Data Platform'))
  expect(kindsOf('employees', ['unit', 'text', ...team, ...team], ['email', 'text', ...MAILS])).toEqual({
    email: 'e-mail',
  })
})

test('a rare e-mail address does not make a column personal, but an address in every fifth value does', () => {
  const others = ['solid oak', 'three colours', 'fits shelves', 'made here', 'no screws', 'dark grey', 'very light']
  expect(kindsOf('parts', ['info', 'text', ...others, 'red', 'blue', ...MAILS.slice(0, 1)])).toEqual({})
  expect(kindsOf('parts', ['info', 'text', ...others, 'red', ...MAILS.slice(0, 2)])).toEqual({ info: 'e-mail' })
})

test('masks everything but codes under a meaningless column name in a table about people', () => {
  const odd = UNKNOWN.map((_, i) => `qu-${i}knoerz hagel`)
  expect(
    kindsOf('kunden', ['f_07', 'text', ...odd], ['f_08', 'text', 'A-1', 'A-2', 'A-3', 'A-4', 'A-5', 'A-6']),
  ).toEqual({ f_07: 'private' })
})

test('masks the name column of customers if it contains people, not if it contains only companies', () => {
  expect(
    kindsOf('customers', ['name', 'text', ...UNKNOWN, 'Holz Union 3 GmbH', 'Licht AG', 'Metall 4 KG', 'Acme Inc']),
  ).toEqual({ name: 'name' })
  expect(kindsOf('customers', ['name', 'text', 'Holz Union 3 GmbH', 'Licht AG', 'Metall 4 KG', 'Acme Inc'])).toEqual({})
})

test('masks signers, logins and pay', () => {
  expect(kindsOf('shipments', ['signed_by', 'text', ...UNKNOWN])).toEqual({ signed_by: 'name' })
  const logins = ['qknoerz', 'bzwirn55', 'nibroem', 'sischlunt', 'ufiebz', 'xquoll', 'zumpf']
  expect(kindsOf('prot', ['usr', 'text', ...logins], ['tab', 'text', 'a', 'b'])).toEqual({ usr: 'username' })
  expect(kindsOf('salaries', ['id', 'integer', 1, 2], ['gross_per_year', 'numeric(12,2)', 51000.5, 62000.25])).toEqual({
    gross_per_year: 'pay',
  })
})

test('the column comment explains a meaningless column name', () => {
  const { columns } = judgeColumns(
    { name: 'pers', columns: [{ name: 'f_05', type: 'numeric(12,2)', comment: 'Jahresgehalt' }] },
    [[51000.5]],
  )
  expect(columns).toEqual([{ name: 'f_05', kind: 'pay' }])
})

test('masks free text in a table with a person key, but not in a table of things', () => {
  const said = UNKNOWN.map((name) => `please call back ${name} on Monday`)
  expect(kindsOf('calls', ['customer_id', 'integer', 1, 2, 3, 4, 5, 6], ['note', 'text', ...said])).toEqual({
    note: 'personal text',
  })
  expect(
    kindsOf('parts', ['note', 'text', 'made of solid oak', 'comes in three colours', 'fits all our shelves']),
  ).toEqual({})
})

test('masks a person in a JSON document by the key of the value', () => {
  expect(maskCell('{"person":"Sinje Schluntstroh","model":"Blue Widget"}', { subject: 'company', except: [] })).toBe(
    '{"person":"[name]","model":"Blue Widget"}',
  )
})

test('treats dates over many years as dates of birth only if they are old enough for an adult', () => {
  const among = (...dates: readonly string[]) =>
    kindsOf('t_44', ['f_01', 'text', ...MAILS], ['f_02', 'date', ...dates])['f_02']
  expect(among('1951-03-02', '1964-11-30', '1979-02-14', '1988-07-01', '1999-09-09', '2004-01-20')).toBe('birth')
  expect(among('1990-03-02', '1994-11-30', '1999-02-14', '2002-07-01', '2009-09-09', '2011-01-20')).toBeUndefined()
  expect(among('1851-03-02', '1864-11-30', '1879-02-14', '1888-07-01', '1899-09-09', '1904-01-20')).toBeUndefined()
})
