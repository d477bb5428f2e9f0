import { expect, test } from 'vitest'
import { judgeColumns } from './judge-columns.ts'
import { maskCell } from './mask-cell.ts'

type Column = readonly [name: string, type: string, ...values: readonly (string | number)[]]

/** The kinds that a table of some columns is found to have. */
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

test('names that no list has are names in a table about people, whatever their column is called', () => {
  expect(kindsOf('t_44', ['f_01', 'text', ...UNKNOWN], ['f_02', 'text', ...MAILS])).toEqual({
    f_01: 'name',
    f_02: 'e-mail',
  })
  expect(kindsOf('kunden', ['f_01', 'text', ...UNKNOWN])).toEqual({ f_01: 'name' })
})

test('the same words are titles in a table about things', () => {
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

test('what comes again and again in a table about people is a category', () => {
  const team = UNKNOWN.map((_, i) => (i % 2 === 0 ? 'Human Resources' : 'Data Platform'))
  expect(kindsOf('employees', ['unit', 'text', ...team, ...team], ['email', 'text', ...MAILS])).toEqual({
    email: 'e-mail',
  })
})

test('an e-mail address now and then does not make a column personal; where every fifth value is one, it is', () => {
  const others = ['solid oak', 'three colours', 'fits shelves', 'made here', 'no screws', 'dark grey', 'very light']
  expect(kindsOf('parts', ['info', 'text', ...others, 'red', 'blue', ...MAILS.slice(0, 1)])).toEqual({})
  expect(kindsOf('parts', ['info', 'text', ...others, 'red', ...MAILS.slice(0, 2)])).toEqual({ info: 'e-mail' })
})

test('under a name that says nothing only codes are shown', () => {
  const odd = UNKNOWN.map((_, i) => `qu-${i}knoerz hagel`)
  expect(
    kindsOf('kunden', ['f_07', 'text', ...odd], ['f_08', 'text', 'A-1', 'A-2', 'A-3', 'A-4', 'A-5', 'A-6']),
  ).toEqual({ f_07: 'private' })
})

test('customers are people and companies at once, and the column is masked', () => {
  expect(
    kindsOf('customers', ['name', 'text', ...UNKNOWN, 'Holz Union 3 GmbH', 'Licht AG', 'Metall 4 KG', 'Acme Inc']),
  ).toEqual({ name: 'name' })
  expect(kindsOf('customers', ['name', 'text', 'Holz Union 3 GmbH', 'Licht AG', 'Metall 4 KG', 'Acme Inc'])).toEqual({})
})

test('who signed, who logged in and what somebody earns are masked', () => {
  expect(kindsOf('shipments', ['signed_by', 'text', ...UNKNOWN])).toEqual({ signed_by: 'name' })
  const logins = ['qknoerz', 'bzwirn55', 'nibroem', 'sischlunt', 'ufiebz', 'xquoll', 'zumpf']
  expect(kindsOf('prot', ['usr', 'text', ...logins], ['tab', 'text', 'a', 'b'])).toEqual({ usr: 'username' })
  expect(kindsOf('salaries', ['id', 'integer', 1, 2], ['gross_per_year', 'numeric(12,2)', 51000.5, 62000.25])).toEqual({
    gross_per_year: 'pay',
  })
})

test('a comment says what a bad name does not', () => {
  const { columns } = judgeColumns(
    { name: 'pers', columns: [{ name: 'f_05', type: 'numeric(12,2)', comment: 'Jahresgehalt' }] },
    [[51000.5]],
  )
  expect(columns).toEqual([{ name: 'f_05', kind: 'pay' }])
})

test('what people write is masked whole beside a key of a person, and shown in a table of things', () => {
  const said = UNKNOWN.map((name) => `please call back ${name} on Monday`)
  expect(kindsOf('calls', ['customer_id', 'integer', 1, 2, 3, 4, 5, 6], ['note', 'text', ...said])).toEqual({
    note: 'personal text',
  })
  expect(
    kindsOf('parts', ['note', 'text', 'made of solid oak', 'comes in three colours', 'fits all our shelves']),
  ).toEqual({})
})

test('a person inside of a document is masked by the key that names one', () => {
  expect(maskCell('{"person":"Sinje Schluntstroh","model":"Blue Widget"}', { subject: 'company', except: [] })).toBe(
    '{"person":"[name]","model":"Blue Widget"}',
  )
})
