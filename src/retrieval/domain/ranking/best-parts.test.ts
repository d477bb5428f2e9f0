import { expect, test } from 'vitest'
import { furtherParts, rowsOfFound } from './best-parts.ts'

// Two documents: the rows 0 to 3 and 4 to 8.
const rows = {
  size: 9,
  documents: 2,
  ownerOf: Uint32Array.of(0, 0, 0, 0, 1, 1, 1, 1, 1),
  standing: Uint8Array.of(1, 1),
}
const found = [
  { row: 1, score: 1 },
  { row: 4, score: 0.5 },
]
const coverage = Float32Array.of(0.8, 1, 0.1, 0.9, 0.5, 0.4, 0.4, 0.4, 0.72)
const parts = (more: Partial<Parameters<typeof furtherParts>[2]> = {}) =>
  furtherParts(rows, found, { by: 'words', weight: 1, coverage, cosines: undefined, ...more })

test('a document has at most its best further parts, and only parts close to the best part of the answer', () => {
  expect(parts()).toEqual([[3, 0], [8]])
  expect(parts({ coverage: Float32Array.of(1, 1, 1, 1, 0.1, 0, 0, 0, 0) })).toEqual([[0, 2, 3], []])
})

test('the first document has four further parts, and others two', () => {
  const coverage = new Float32Array(11).fill(1)
  const [first, second] = furtherParts(
    { ...rows, size: 11, ownerOf: Uint32Array.of(0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1) },
    [
      { row: 0, score: 1 },
      { row: 6, score: 1 },
    ],
    { by: 'words', weight: 1, coverage, cosines: undefined },
  )
  expect(first).toEqual([1, 2, 3, 4])
  expect(second).toEqual([7, 8])
})

test('a part as good as the shown one is added, unless both are far below the best part in the answer', () => {
  const [, second] = parts({ coverage: Float32Array.of(0, 1, 0, 0, 0.6, 0.59, 0.5, 0.1, 0.1) })
  expect(second).toEqual([5])
  expect(parts({ coverage: Float32Array.of(0, 1, 0, 0, 0.4, 0.4, 0.4, 0.1, 0.1) })).toEqual([[], []])
})

test('parts are scored by the search mode: a search by meaning ignores words, and vice versa', () => {
  const cosines = new Map([
    [1, 0.5],
    [2, 0.49],
    [4, 0.4],
  ])
  expect(parts({ by: 'meaning', cosines })).toEqual([[2], []])
  expect(parts({ by: 'words', cosines })).toEqual(parts())
})

test('returns no further parts if the query matched nothing', () => {
  expect(parts({ coverage: new Float32Array(9) })).toEqual([[], []])
  expect(rowsOfFound(rows, [{ row: 5, score: 1 }]).sort()).toEqual([4, 5, 6, 7, 8])
})
