import { expect, test } from 'vitest'
import { ageOf, dated } from './age.ts'
import { PLAIN, screenView } from './view.ts'

const NOW = new Date('2026-03-15T01:30:00Z')

test.each([
  ['2026-03-15', 'today'],
  ['2026-03-14', 'yesterday'],
  ['2026-03-12', '3 days ago'],
  ['2026-03-01', '2 weeks ago'],
  ['2026-01-01', '2 months ago'],
  ['2025-03-15', '11 months ago'],
  ['2023-03-01', '3 years ago'],
  ['2026-03-16', '2026-03-16'],
  ['2026-03-15T01:29:40Z', 'just now'],
  ['2026-03-15T01:29:00.000Z', '1 minute ago'],
  ['2026-03-15T00:00:00Z', '1 hour ago'],
  ['2026-03-14T23:30:00Z', '2 hours ago'],
  ['2026-03-13T23:30:00Z', 'yesterday'],
  ['2027-01-01T00:00:00Z', '2027-01-01T00:00:00Z'],
  ['not a time', 'not a time'],
  ['', ''],
])('%s is %s', (recorded, age) => expect(ageOf(recorded, NOW)).toBe(age))

test('shows an age only to a person at a terminal', () => {
  const view = (columns: number | undefined) => screenView({ columns, now: NOW, hasColour: false, verbose: false })
  expect(dated('2026-03-12', view(80))).toBe('3 days ago')
  expect(dated('2026-03-12', view(undefined))).toBe('2026-03-12')
  expect(dated('2026-03-12', PLAIN)).toBe('2026-03-12')
})
