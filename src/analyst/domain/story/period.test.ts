import { expect, test } from 'vitest'
import { readDay, readPeriod, sayPeriod, USUAL_PERIODS } from './period.ts'

// A Thursday.
const TODAY = '2026-11-19'
const of = (text: string) => {
  const found = readPeriod(text, TODAY)
  return found && [found.from, found.to, found.before]
}

test.each([
  ['today', ['2026-11-19', '2026-11-20', '2026-11-18']],
  ['Yesterday', ['2026-11-18', '2026-11-19', '2026-11-17']],
  ['this week', ['2026-11-16', '2026-11-23', '2026-11-09']],
  ['last  week', ['2026-11-09', '2026-11-16', '2026-11-02']],
  ['last 7 days', ['2026-11-12', '2026-11-19', '2026-11-05']],
  ['last month', ['2026-10-01', '2026-11-01', '2026-09-01']],
  ['last 3 months', ['2026-08-01', '2026-11-01', '2026-05-01']],
  ['last quarter', ['2026-07-01', '2026-10-01', '2026-04-01']],
  ['this year', ['2026-01-01', '2027-01-01', '2025-01-01']],
  ['2026', ['2026-01-01', '2027-01-01', '2025-01-01']],
  ['2026-05', ['2026-05-01', '2026-06-01', '2026-04-01']],
  ['2026-Q1', ['2026-01-01', '2026-04-01', '2025-10-01']],
  ['2026-W01', ['2025-12-29', '2026-01-05', '2025-12-22']],
  ['2026-W53', ['2026-12-28', '2027-01-04', '2026-12-21']],
  ['2024-02-29', ['2024-02-29', '2024-03-01', '2024-02-28']],
  ['2026-05-01..2026-05-10', ['2026-05-01', '2026-05-11', '2026-04-21']],
  ['2026-05-01 to 2026-05-01', ['2026-05-01', '2026-05-02', '2026-04-30']],
])('%s is a period with the one before', (text, expected) => {
  expect(of(text)).toEqual(expected)
})

test.each([
  '',
  'soon',
  'last 0 days',
  'last 1000 days',
  '2026-13',
  '2026-02-30',
  '2025-W53',
  '2026-05-10..2026-05-01',
  "2026' OR 1=1",
  '2026-05-01; DROP',
  '99999',
])('%j is not a period', (text) => {
  expect(of(text)).toBeUndefined()
})

test('the periods that are offered can all be read, and are shown with both ends', () => {
  expect(USUAL_PERIODS.filter((text) => of(text) === undefined)).toEqual([])
  expect(sayPeriod(readPeriod('last month', TODAY)!)).toBe('2026-10-01 to 2026-10-31')
  expect(sayPeriod(readPeriod('today', TODAY)!)).toBe('2026-11-19')
})

test('a day is a real date, or a word for one', () => {
  expect(['2026-11-01', 'today', 'yesterday', '2026-02-30', 'x'].map((text) => readDay(text, TODAY))).toEqual([
    '2026-11-01',
    '2026-11-19',
    '2026-11-18',
    undefined,
    undefined,
  ])
})
