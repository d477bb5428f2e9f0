import { expect, test } from 'vitest'
import { callText, resultText, sqlOfCall } from './call-sql.ts'

test('a statement is extracted, even if its end was truncated', () => {
  const sql = 'SELECT "a"\nFROM t'
  const input = JSON.stringify({ database: 'shop', sql })
  expect(sqlOfCall(input)).toBe(sql)
  expect(sqlOfCall(`${input.slice(0, -5)}…`)).toBe('SELECT "a"\nFRO…')
  expect(sqlOfCall('{"path":"a.md"}')).toBeUndefined()
  expect(sqlOfCall('{"note":"x","text":"\\"sql\\": no"}')).toBeUndefined()
  expect(sqlOfCall('')).toBeUndefined()
})

test('invalid JSON is shown unchanged, and an envelope is removed', () => {
  expect(callText('{"a":1}')).toBe('{\n  "a": 1\n}')
  expect(callText('{"a":')).toBe('{"a":')
  expect(resultText('<ken-context trust="x">\n5 rows\n</ken-context>')).toBe('5 rows')
})
