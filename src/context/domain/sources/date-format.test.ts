import { describe, expect, test } from 'vitest'
import { numberDateFormat, textDateFormat } from './date-format.ts'

describe('dates stored as text', () => {
  test.each([
    ['day', ['2024-01-31', '2023-12-01'], 'YYYY-MM-DD'],
    ['x', ['2024-01-31 10:20:30', '2023-12-01 00:00:00'], 'YYYY-MM-DD HH:MM:SS'],
    ['x', ['2024-01-31T10:20:30Z', '2023-12-01T00:00:00Z'], 'YYYY-MM-DDTHH:MM:SSZ'],
    ['x', ['2024-01-31T10:20:30.123+02:00'], 'YYYY-MM-DDTHH:MM:SS.000+00:00'],
    ['x', ['2024-01-31T10:20', '2024-01-31 10:20:30'], 'YYYY-MM-DD…'],
    ['booked_on', ['20240131'], 'YYYYMMDD'],
    ['Buchungsdatum', ['31.01.2024', '01.02.2023'], 'DD.MM.YYYY'],
    ['x', ['31/01/2024'], 'DD/MM/YYYY'],
    ['x', ['01/31/2024'], 'MM/DD/YYYY'],
    ['x', ['01/02/2024'], 'DD/MM/YYYY or MM/DD/YYYY'],
    ['x', ['', '0000-00-00', '2024-02-01'], 'YYYY-MM-DD'],
    ['month', ['2024-01', '2024-02'], 'YYYY-MM'],
    ['period', ['202401'], 'YYYYMM'],
  ])('%s with %j is %s', (name, values, format) => {
    expect(textDateFormat(name, values)?.name).toBe(format)
  })

  test.each([
    ['sku', ['20240131']],
    ['code', ['202401', '202402']],
    ['x', ['2024-13-01']],
    ['x', ['2024-01-31', 'soon']],
    ['x', ['2024-01-31 and more']],
    ['x', ['']],
    ['phone', ['12345678', '20240131']],
  ])('%s with %j has no format', (name, values) => {
    expect(textDateFormat(name, values)).toBeUndefined()
  })

  test('a format that does not sort as text is sorted by its parts and shown as stored', () => {
    const format = textDateFormat('d', ['31.01.2024'])!
    expect(format.sortKey('c')).toBe('CONCAT(CONCAT(SUBSTRING(c, 7, 4), SUBSTRING(c, 4, 2)), SUBSTRING(c, 1, 2))')
    expect(format.matches('c')).toBe("c LIKE '__.__.____'")
    expect(format.stored('20240131')).toBe('31.01.2024')
    expect(format.day('20240131')).toBe('2024-01-31')
  })
})

describe('dates stored as numbers', () => {
  test.each([
    ['created_at', [1_700_000_000, 1_600_000_000], 'epoch seconds', '2023-11-14'],
    ['eventTime', [1_700_000_000_123], 'epoch milliseconds', '2023-11-14'],
    ['ts', [1_700_000_000_123_456], 'epoch microseconds', '2023-11-14'],
    ['date_key', [20240131], 'YYYYMMDD', '2024-01-31'],
    ['period', [202401], 'YYYYMM', '2024-01'],
  ])('%s with %j is %s', (name, values, format, day) => {
    const found = numberDateFormat(name, values)
    expect(found?.name).toBe(format)
    expect(found?.day(values[0]!)).toBe(day)
  })

  test.each([
    ['amount', [1_700_000_000]],
    ['created_at', [12]],
    ['quantity', [20240131]],
    ['created_at', [1_700_000_000.5]],
    ['created_at', []],
  ])('%s with %j has no format', (name, values) => {
    expect(numberDateFormat(name, values)).toBeUndefined()
  })
})
