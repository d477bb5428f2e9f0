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

test('accepts a join by name without rows, but not a join by similarity', () => {
  expect(isBelieved(join('name'))).toBe(true)
  expect(isBelieved(join('shared', rows(0, 0)))).toBe(true)
  expect(isBelieved(join('alike'))).toBe(false)
})

test('rejects a join by name if most values are missing on the other side', () => {
  expect(isBelieved(join('name', rows(100, 97)))).toBe(true)
  expect(isBelieved(join('name', rows(100, 3)))).toBe(false)
})

test('accepts a join by similarity only if nearly all values match and one side is unique', () => {
  expect(isBelieved(join('alike', rows(100, 99)))).toBe(true)
  expect(isBelieved(join('alike', rows(100, 99, false)))).toBe(false)
  expect(isBelieved(join('alike', rows(100, 80)))).toBe(false)
})

test('rejects a join to a key by name alone if its values are not unique', () => {
  expect(isBelieved(join('key', rows(100, 100)))).toBe(true)
  expect(isBelieved(join('key', rows(100, 100, false)))).toBe(false)
})

test('a join can be reversed', () => {
  expect(turned(join('shared'))).toMatchObject({
    from: { name: 'customers' },
    column: 'id',
    to: { name: 'orders' },
    referenced: 'customer_id',
  })
})

test('the evidence text contains the share of values found, or states that nothing was measured', () => {
  expect(evidenceText(join('name', rows(1_000, 999)))).toBe('by name, n:1, 99 % of 1,000 values found')
  expect(evidenceText(join('key'))).toBe('same name as the key, not measured')
})
