import { describe, expect, it } from 'vitest'
import { joinLayout } from './join-layout.ts'

const join = (direction: 'in' | 'out', table: string, column = 'id', declared = true) => ({
  direction,
  table,
  columns: direction === 'in' ? ['id'] : [column],
  referenced: direction === 'in' ? [column] : ['id'],
  declared,
  about: 'n:1',
})

describe('the join diagram', () => {
  it('has one box per other table, declared joins first, without overlaps', () => {
    const { left, right, height, middle } = joinLayout([
      join('in', 'main.a', 'x', false),
      join('in', 'main.b'),
      join('in', 'main.a', 'y', false),
      join('out', 'main.c'),
    ])
    expect(left.map(({ table, columns }) => [table, columns])).toEqual([
      ['main.b', 'id'],
      ['main.a', 'x, y'],
    ])
    expect(left[1]!.y - left[0]!.y).toBeGreaterThanOrEqual(44)
    expect(right).toMatchObject([{ table: 'main.c', y: middle }])
    expect(height).toBe(96)
  })

  it('stays small for the hub of a warehouse, and counts the tables left out', () => {
    const { left, more } = joinLayout(Array.from({ length: 40 }, (_, i) => join('in', `main.t${i}`)))
    expect(left).toHaveLength(7)
    expect(more).toBe(33)
  })
})
