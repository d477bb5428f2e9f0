import { expect, test } from 'vitest'
import { evidenceText, isBelieved, turned, type MeasuredJoin } from './join-evidence.ts'

const table = (name: string) => ({ database: 'db', schema: 'public', name })
const join = (why: MeasuredJoin['why'], evidence?: MeasuredJoin['evidence']): MeasuredJoin => ({
  from: table('orders'),
  column: 'customer_id',
  to: table('customers'),
  referenced: 'id',
  why,
  evidence,
})
const rows = (values: number, found: number, isUniqueTo = true) => ({ values, found, isUniqueFrom: false, isUniqueTo })

test('without rows a name is believed and a likeness is not', () => {
  expect(isBelieved(join('name'))).toBe(true)
  expect(isBelieved(join('shared', rows(0, 0)))).toBe(true)
  expect(isBelieved(join('alike'))).toBe(false)
})

test('rows that are not there speak against a name', () => {
  expect(isBelieved(join('name', rows(100, 97)))).toBe(true)
  expect(isBelieved(join('name', rows(100, 3)))).toBe(false)
})

test('a likeness needs nearly all values and a side where they are unique', () => {
  expect(isBelieved(join('alike', rows(100, 99)))).toBe(true)
  expect(isBelieved(join('alike', rows(100, 99, false)))).toBe(false)
  expect(isBelieved(join('alike', rows(100, 80)))).toBe(false)
})

test('a key by name alone must be one by its rows', () => {
  expect(isBelieved(join('key', rows(100, 100)))).toBe(true)
  expect(isBelieved(join('key', rows(100, 100, false)))).toBe(false)
})

test('a join can be seen from either side', () => {
  expect(turned(join('shared'))).toMatchObject({
    from: { name: 'customers' },
    column: 'id',
    to: { name: 'orders' },
    referenced: 'customer_id',
  })
})

test('the evidence says what was found and what was not looked at', () => {
  expect(evidenceText(join('name', rows(1_000, 999)))).toBe('by name, n:1, 99 % of 1,000 values found')
  expect(evidenceText(join('key'))).toBe('same name as the key, not measured')
})
