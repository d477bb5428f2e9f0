import { describe, expect, it } from 'vitest'
import { nextSort, orderOf } from './grid-order.ts'

const columns = [
  { name: 'city', type: 'VARCHAR' },
  { name: 'revenue', type: 'BIGINT' },
]
const rows = [
  ['Oslo', 10],
  ['Bern', null],
  ['Cork', '9007199254740993'],
  ['Aalen', 9],
] as const

describe('the order of a grid', () => {
  it('compares numbers as numbers, even if they are text, and puts null last in both directions', () => {
    expect(orderOf(rows, columns, { column: 1, direction: 'ascending' })).toEqual([3, 0, 2, 1])
    expect(orderOf(rows, columns, { column: 1, direction: 'descending' })).toEqual([2, 0, 3, 1])
  })
  it('compares texts as in a dictionary', () => {
    const texts = [['item 10'], ['item 9'], ['Item 1']]
    expect(orderOf(texts, [{ name: 'a', type: 'VARCHAR' }], { column: 0, direction: 'ascending' })).toEqual([2, 1, 0])
  })
  it('keeps equal rows in their order', () => {
    const same = [['a'], ['a'], ['a']]
    expect(orderOf(same, [{ name: 'a', type: 'VARCHAR' }], { column: 0, direction: 'descending' })).toEqual([0, 1, 2])
  })
  it('cycles through ascending, descending and the query order', () => {
    const up = nextSort(undefined, 1)
    const down = nextSort(up, 1)
    expect([up?.direction, down?.direction, nextSort(down, 1)]).toEqual(['ascending', 'descending', undefined])
    expect(nextSort(down, 0)).toEqual({ column: 0, direction: 'ascending' })
  })
})
