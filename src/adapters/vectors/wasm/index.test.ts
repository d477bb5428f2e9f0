import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cosine, dequantize, quantize } from '../../../core/ranking/vector.ts'
import { openVectorScan } from './index.ts'
import { compileKernel, newMemory } from './kernel.ts'

const random = (seed: number) => () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return seed / 2_147_483_648 - 0.5
}

function vectors(count: number, dimensions: number, seed = 1) {
  const next = random(seed)
  return Array.from({ length: count }, () => quantize(Float32Array.from({ length: dimensions }, next)))
}

function filled(dimensions: number, rows: ReturnType<typeof vectors>, plain: boolean) {
  const scan = openVectorScan(dimensions, { plain })
  const bytes = new Int8Array(rows.length * dimensions)
  rows.forEach((row, i) => bytes.set(row.bytes, i * dimensions))
  scan.add(
    bytes,
    Float32Array.from(rows, (row) => row.scale),
  )
  return scan
}

const bitmap = (rows: number, isAllowed: (row: number) => boolean) => {
  const bits = new Uint8Array(Math.ceil(rows / 8))
  for (let row = 0; row < rows; row += 1) if (isAllowed(row)) bits[row >> 3]! |= 1 << (row & 7)
  return bits
}

test('this runtime runs the WebAssembly kernel', () => {
  expect(compileKernel(newMemory(1))).toBeDefined()
})

describe.each([
  { kernel: 'wasm', plain: false },
  { kernel: 'plain', plain: true },
])('vector scan, $kernel kernel', ({ plain }) => {
  test('the nearest rows come back best first with their dot product as score', () => {
    const rows = vectors(300, 256)
    const query = rows[42]!
    const scan = filled(256, rows, plain)
    const wanted = dequantize(query)
    const exact = rows
      .map((row, i) => ({ row: i, score: dequantize(row).reduce((sum, x, d) => sum + x * wanted[d]!, 0) }))
      .sort((a, b) => b.score - a.score)
    const found = scan.top(query, 5)
    expect(found.map(({ row }) => row)).toEqual(exact.slice(0, 5).map(({ row }) => row))
    expect(found[0]!.row).toBe(42)
    expect(found[4]!.score).toBeCloseTo(exact[4]!.score, 4)
  })

  test('a filter is applied before the cut, so far-away allowed rows fill the answer', () => {
    const rows = vectors(9000, 32)
    const scan = filled(32, rows, plain)
    const order = scan.top(rows[0]!, 9000).map(({ row }) => row)
    const worst = new Set(order.slice(-3))
    const found = scan.top(
      rows[0]!,
      10,
      bitmap(9000, (row) => worst.has(row)),
    )
    expect(found.map(({ row }) => row)).toEqual(order.slice(-3))
  })

  test('rows missing from a short bitmap are refused', () => {
    const scan = filled(16, vectors(20, 16), plain)
    expect(
      scan
        .top(
          vectors(1, 16, 9)[0]!,
          20,
          bitmap(8, () => true),
        )
        .every(({ row }) => row < 8),
    ).toBe(true)
  })

  test('a replaced row is found by its new content', () => {
    const scan = filled(16, vectors(20, 16), plain)
    const other = vectors(1, 16, 99)[0]!
    scan.set(7, other)
    expect(scan.top(other, 1)[0]!.row).toBe(7)
    expect(() => scan.set(20, other)).toThrow('there is no vector 20')
  })

  test('rows added over many calls keep their numbers while the buffer grows', () => {
    const rows = vectors(3000, 64)
    const scan = openVectorScan(64, { plain })
    const firsts = rows.map((row) => scan.add(row.bytes, Float32Array.of(row.scale)))
    expect(firsts).toEqual(rows.map((_, i) => i))
    expect(scan.size).toBe(3000)
    expect(scan.top(rows[2999]!, 1)[0]!.row).toBe(2999)
  })

  test('equal rows come in the order they were added', () => {
    const [row] = vectors(1, 16)
    const scan = filled(
      16,
      Array.from({ length: 10 }, () => row!),
      plain,
    )
    expect(scan.top(row!, 4).map((hit) => hit.row)).toEqual([0, 1, 2, 3])
  })

  test('an empty scan, k of 0 and a zero query give no nonsense', () => {
    const scan = openVectorScan(16, { plain })
    const zero = quantize(new Float32Array(16))
    expect(scan.top(zero, 5)).toEqual([])
    scan.add(new Int8Array(16).fill(3), Float32Array.of(0.1))
    expect(scan.top(zero, 0)).toEqual([])
    expect(scan.top(zero, 5)).toEqual([{ row: 0, score: 0 }])
  })

  test('closing empties the scan', () => {
    const scan = filled(16, vectors(20, 16), plain)
    scan.close()
    expect([scan.size, scan.top(vectors(1, 16)[0]!, 3)]).toEqual([0, []])
  })

  test('wrong lengths are refused', () => {
    const scan = openVectorScan(16, { plain })
    expect(() => scan.add(new Int8Array(15), Float32Array.of(1))).toThrow('16 bytes, not 15')
    expect(() => scan.top(quantize(new Float32Array(8)), 1)).toThrow('8 dimensions, the scan 16')
  })
})

test('both kernels give the same rows and the same scores, whatever the dimensions and the filter', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 300 }),
      fc.integer({ min: 1, max: 60 }),
      fc.nat(),
      (dimensions, count, seed) => {
        const rows = vectors(count, dimensions, seed)
        const allowed = bitmap(count, (row) => (row * 7 + seed) % 3 > 0)
        const query = vectors(1, dimensions, seed + 1)[0]!
        const [fast, plain] = [false, true].map((kernel) => filled(dimensions, rows, kernel).top(query, 7, allowed))
        expect(fast).toEqual(plain)
      },
    ),
    { numRuns: 60 },
  )
})

test('quantising keeps the direction of a vector', () => {
  const next = random(5)
  const vector = Float32Array.from({ length: 256 }, next)
  expect(cosine(vector, dequantize(quantize(vector)))).toBeGreaterThan(0.9999)
  expect(quantize(new Float32Array(4))).toEqual({ bytes: new Int8Array(4), scale: 0 })
  expect(cosine(new Float32Array(4), new Float32Array(4).fill(1))).toBe(0)
})
