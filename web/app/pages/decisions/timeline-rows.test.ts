import { expect, test } from 'vitest'
import { timelineRows } from './timeline-rows.ts'

const MONTHS = [
  { month: '2026-03', count: 2 },
  { month: '2026-02', count: 1 },
  { month: '2025-12', count: 3 },
]

test('every month has a heading, with its decisions below it', () => {
  const rows = timelineRows(MONTHS)
  expect(rows.length).toBe(9)
  const said = Array.from({ length: rows.length }, (_, row) => {
    const line = rows.at(row)
    return line.kind === 'month' ? line.month : line.at
  })
  expect(said).toEqual(['2026-03', 0, 1, '2026-02', 2, '2025-12', 3, 4, 5])
})

test('finds the line of a decision', () => {
  const rows = timelineRows(MONTHS)
  for (let place = 0; place < 6; place++) expect(rows.at(rows.rowOf(place))).toEqual({ kind: 'decision', at: place })
})

test('an empty timeline has no lines', () => expect(timelineRows([]).length).toBe(0))
