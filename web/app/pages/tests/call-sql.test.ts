import { expect, test } from 'vitest'
import { callFields, glanceOf, resultText, sqlOfCall } from './call-sql.ts'

test('a statement is extracted, even if its end was truncated', () => {
  const sql = 'SELECT "a"\nFROM t'
  const input = JSON.stringify({ database: 'shop', sql })
  expect(sqlOfCall(input)).toBe(sql)
  expect(sqlOfCall(`${input.slice(0, -5)}…`)).toBe('SELECT "a"\nFRO…')
  expect(sqlOfCall('{"path":"a.md"}')).toBeUndefined()
  expect(sqlOfCall('{"note":"x","text":"\\"sql\\": no"}')).toBeUndefined()
  expect(sqlOfCall('')).toBeUndefined()
})

test('an input is one line of its statement, or of its short fields', () => {
  expect(glanceOf(JSON.stringify({ database: 'shop', sql: 'SELECT 1\n  FROM t' }))).toBe('SELECT 1 FROM t')
  expect(glanceOf(JSON.stringify({ kind: 'line', y: ['a'], title: 'Revenue' }))).toBe('kind: line · title: Revenue')
  expect(glanceOf('{"kind":"li…')).toBe('{"kind":"li…')
})

test('truncated input has no fields, and an envelope is removed', () => {
  expect(callFields('{"a":1}')).toEqual({ a: 1 })
  expect(callFields('{"a":')).toBeUndefined()
  expect(resultText('<ken-context trust="x">\n5 rows\n</ken-context>')).toBe('5 rows')
})
