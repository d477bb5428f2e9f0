import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eachPosting, headerAt, packPostings } from './posting-bytes.ts'

test('consecutive lists are read back as they were packed, and most postings take one byte', () => {
  const list = fc.array(fc.tuple(fc.nat(200_000), fc.integer({ min: 1, max: 70_000 })), { maxLength: 50 })
  fc.assert(
    fc.property(fc.array(list, { maxLength: 4 }), (lists) => {
      const sorted = lists.map((one) => [...new Map(one)].sort(([a], [b]) => a - b))
      const packed = sorted.map((one, i) =>
        packPostings({ places: one.map(([place]) => place), counts: one.map(([, count]) => count) }, i),
      )
      const bytes = Uint8Array.from(packed.flatMap((one) => [...one]))
      let at = 0
      sorted.forEach((one, i) => {
        expect(headerAt(bytes, at)).toEqual({ chunks: one.length, documents: i })
        const found: [number, number][] = []
        at = eachPosting(bytes, at, (place, count) => found.push([place, count]))
        expect(found).toEqual(one)
      })
      expect(at).toBe(bytes.length)
    }),
  )
  const places = Array.from({ length: 1_000 }, (_, i) => i * 3)
  expect(packPostings({ places, counts: places.map(() => 1) }, 1_000)).toHaveLength(1_006)
})
