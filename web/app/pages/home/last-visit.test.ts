import { expect, test } from 'vitest'
import { visitAt } from './last-visit.ts'

const NOON = Date.parse('2026-11-16T12:00:00Z')
const minutes = (count: number): number => NOON + count * 60_000

test('a first visit shows a week of news', () =>
  expect(visitAt(NOON, undefined)).toEqual({
    since: '2026-11-09T12:00:00.000Z',
    seen: '2026-11-16T12:00:00.000Z',
    isFirst: true,
  }))

test('a visit continues while the reader returns within half an hour', () => {
  const first = visitAt(NOON, undefined)
  const second = visitAt(minutes(29), JSON.stringify(first))
  expect(second).toEqual({ ...first, seen: '2026-11-16T12:29:00.000Z' })
  expect(visitAt(minutes(58), JSON.stringify(second)).since).toBe(first.since)
})

test('after half an hour a new visit starts, with the news since the last one', () => {
  const first = visitAt(NOON, undefined)
  expect(visitAt(minutes(31), JSON.stringify(first))).toMatchObject({ since: first.seen, isFirst: false })
})

test.each([
  '',
  'null',
  '[]',
  '{"since":"soon","seen":"then"}',
  '{"since":1,"seen":2}',
  '{"since":"2099-01-01","seen":"2099-01-01"}',
])('a stored value of %s is ignored', (kept) => expect(visitAt(NOON, kept).isFirst).toBe(true))
