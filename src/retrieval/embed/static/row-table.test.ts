import { expect, test } from 'vitest'
import { openRowTable } from './row-table.ts'

// Reproducible pseudo-random numbers.
function openChance(seed: number): (below: number) => number {
  let state = seed
  return (below) => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) % below
}

const ROWS = 50

function open(dimensions: number, plain: boolean) {
  const chance = openChance(dimensions)
  const bytes = Uint8Array.from({ length: ROWS * dimensions }, () => chance(65_536) >> 8)
  const scales = Float32Array.from({ length: ROWS }, () => (1 + chance(1000)) / 77_777)
  return openRowTable({ dimensions, scales, plain, fill: (into) => into.set(bytes) })
}

test.each([32, 96, 256, 40])('the kernel adds %i dimensions exactly as plain JavaScript does', (dimensions) => {
  const [fast, plain] = [open(dimensions, false), open(dimensions, true)]
  const chance = openChance(7)
  for (const count of [0, 1, 3, 200, 2047, 2048, 2049, 5000]) {
    const rows = Array.from({ length: count }, () => chance(ROWS))
    const weights = rows.map(() => chance(100) / 33)
    expect(fast.sum(rows)).toEqual(plain.sum(rows))
    expect(fast.sum(rows, weights)).toEqual(plain.sum(rows, weights))
  }
})

test('the caller owns the returned sum', () => {
  const table = open(32, false)
  const first = table.sum([1, 2])
  const kept = first.slice()
  table.sum([3])
  expect(first).toEqual(kept)
})
