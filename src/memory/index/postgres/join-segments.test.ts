import fc from 'fast-check'
import { expect, test } from 'vitest'
import { groupsToJoin } from './join-segments.ts'

/** Sizes of segments after all due joins, and the number of chunks written. */
function joined(sizes: readonly number[]): { sizes: number[]; written: number } {
  const groups = groupsToJoin(sizes.map((chunks, number) => ({ number, chunks })))
  const first = new Map(groups.map((group) => [group[0]!, group]))
  const others = new Set(groups.flatMap((group) => group.slice(1)))
  const sum = (group: readonly number[]) => group.reduce((all, number) => all + sizes[number]!, 0)
  return {
    sizes: sizes.flatMap((size, number) =>
      others.has(number) ? [] : [first.has(number) ? sum(first.get(number)!) : size],
    ),
    written: groups.reduce((all, group) => all + sum(group), 0),
  }
}

test('after ten thousand writes of one chunk there are few segments, and each chunk is written a few times', () => {
  let sizes: number[] = []
  let written = 0
  for (let i = 0; i < 10_000; i++) {
    const step = joined([...sizes, 1])
    sizes = step.sizes
    written += step.written
  }
  expect(sizes.reduce((sum, one) => sum + one, 0)).toBe(10_000)
  expect(sizes.length).toBeLessThan(45)
  expect(written / 10_000).toBeLessThan(6)
})

test('joins neighbours up to the segment limit, and none twice', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 5_000 })), (sizes) => {
      const groups = groupsToJoin(sizes.map((chunks, number) => ({ number, chunks })))
      expect(new Set(groups.flat()).size).toBe(groups.flat().length)
      for (const group of groups) {
        expect(group).toEqual(group.map((_, i) => group[0]! + i))
        expect(group.reduce((sum, number) => sum + sizes[number]!, 0)).toBeLessThanOrEqual(4096)
      }
    }),
  )
})
