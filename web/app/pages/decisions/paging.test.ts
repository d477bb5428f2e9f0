import { expect, test } from 'vitest'
import { keepPages, PAGE, pagesOf, sparse } from './paging.ts'

test('returns the pages that contain a range of rows', () => {
  expect(pagesOf(0, PAGE - 1)).toEqual([0])
  expect(pagesOf(PAGE - 1, PAGE)).toEqual([0, 1])
  expect(pagesOf(-3, 2 * PAGE)).toEqual([0, 1, 2])
})

test('rows that are not loaded are undefined, and the length is the total number of rows', () => {
  const rows = sparse(100_000, new Map([[2, ['a', 'b']]]))
  expect(rows).toHaveLength(100_000)
  expect(rows[2 * PAGE + 1]).toBe('b')
  expect(rows[0]).toBeUndefined()
})

test('scrolling far keeps few pages, always including the visible ones', () => {
  let held: readonly number[] = [0]
  for (let page = 1; page < 500; page++) held = keepPages(held, [page])
  expect(held.length).toBeLessThanOrEqual(12)
  expect(held.at(-1)).toBe(499)
  expect(keepPages(held, [499])).toBe(held)
})
