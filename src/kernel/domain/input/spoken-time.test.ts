import { expect, test } from 'vitest'
import { readAge, readTime } from './spoken-time.ts'

// NOW is a Sunday.
const NOW = Date.parse('2026-11-15T12:00:00Z')
const day = (from: string, to = from) => ({
  from: Date.parse(`${from}T00:00:00.000Z`),
  to: Date.parse(`${to}T23:59:59.999Z`),
})
const at = (iso: string) => ({ from: Date.parse(iso), to: Date.parse(iso) })

test.each([
  ['7d', at('2026-11-08T12:00:00Z')],
  ['7 days', at('2026-11-08T12:00:00Z')],
  ['7 days ago', at('2026-11-08T12:00:00Z')],
  ['last 7 days', at('2026-11-08T12:00:00Z')],
  ['a week ago', at('2026-11-08T12:00:00Z')],
  ['24h', at('2026-11-14T12:00:00Z')],
  ['30 minutes', at('2026-11-15T11:30:00Z')],
  ['2w', at('2026-11-01T12:00:00Z')],
  ['6m', at('2026-05-19T12:00:00Z')],
  ['now', at('2026-11-15T12:00:00Z')],
  ['Yesterday', day('2026-11-14')],
  ['today', day('2026-11-15')],
  ['last week', day('2026-11-02', '2026-11-08')],
  ['this week', day('2026-11-09', '2026-11-15')],
  ['last month', day('2026-10-01', '2026-10-31')],
  ['last year', day('2025-01-01', '2025-12-31')],
  ['Friday', day('2026-11-13')],
  ['last Sunday', day('2026-11-08')],
  ['2026-01-31', day('2026-01-31')],
  ['2026/1/31', day('2026-01-31')],
  ['2026-02', day('2026-02-01', '2026-02-28')],
  ['3 Nov 2026', day('2026-11-03')],
  ['November 3rd, 2026', day('2026-11-03')],
  ['Nov 2026', day('2026-11-01', '2026-11-30')],
  ['2026-01-31T10:00:00Z', at('2026-01-31T10:00:00Z')],
  ['2026-01-31T10:00:00+02:00', at('2026-01-31T08:00:00Z')],
  ['2026-01-31 10:00', at('2026-01-31T10:00:00Z')],
  ['1763208000', at('2025-11-15T12:00:00Z')],
])('%s', (text, span) => expect(readTime(text, NOW)).toEqual(span))

test.each([
  '',
  'soon',
  '01/02/2026',
  '7',
  '2026-13-45',
  '2026-02-30',
  '5 parsecs',
  '3 Nov 4 2026',
  'constructor',
  '12',
])('"%s" is not a time, or is ambiguous', (text) => expect(readTime(text, NOW)).toBeUndefined())

test('parses a hostile text in little time', () => {
  expect(readTime('9'.repeat(1_000_000), NOW)).toBeUndefined()
  expect(readAge(`last ${' '.repeat(1_000_000)}`)).toBeUndefined()
  expect(readTime(`${'a'.repeat(500_000)} ${'1'.repeat(500_000)}`, NOW)).toBeUndefined()
})
