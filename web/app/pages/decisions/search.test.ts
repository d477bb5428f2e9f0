import { expect, test } from 'vitest'
import { comparedPair, filterInput, picked, readSearch } from './search.ts'

test('a URL defines the shown state, and invalid parts are ignored', () => {
  expect(
    readSearch({
      view: 'graph',
      q: 12,
      status: 'all',
      type: 'x',
      since: '2026-03',
      until: 'soon',
      pick: [3, 'y', 5, 7],
    }),
  ).toEqual({
    view: 'graph',
    q: '12',
    status: 'all',
    since: '2026-03',
    pick: [3, 5, 7],
  })
  expect(readSearch({ view: 'list', q: '  ' })).toEqual({})
})

test('filters are converted to the input of the operations', () => {
  expect(filterInput({})).toEqual({})
  expect(filterInput({ status: 'superseded', trust: 'approved', asOf: '2026-01-01' })).toEqual({
    status: 'superseded',
    trusted: 'approved',
    as_of: '2026-01-01',
  })
  expect(filterInput({ status: 'all', file: 'src' })).toEqual({ include_superseded: true, file: 'src' })
})

test('two decisions can be selected; a third replaces the first', () => {
  expect(picked([], 3)).toEqual([3])
  expect(picked([3, 4], 3)).toEqual([4])
  expect(picked([3, 4], 5)).toEqual([3, 4, 5])
  const many = Array.from({ length: 20 }, (_, at) => at)
  expect(picked(many, 20)).toEqual([...many.slice(1), 20])
})

test('a question about exactly two decisions names the pair to compare', () => {
  expect(comparedPair('D012 uses X, D007 rejects X. D012 is newer. Which holds?')).toEqual([12, 7])
  expect(comparedPair('Does D012 still hold?')).toBeUndefined()
  expect(comparedPair('D1, D2 and D3 differ.')).toBeUndefined()
})
