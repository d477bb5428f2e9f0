import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cosine, dequantize, quantize } from '../domain/ranking/vector.ts'
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

  test('a row that does not exist cannot be replaced', () => {
    const scan = filled(16, vectors(20, 16), plain)
    const other = vectors(1, 16, 99)[0]!
    expect(() => scan.set(20, other)).toThrow('vector 20 not found')
  })

  test('wrong lengths are refused', () => {
    const scan = openVectorScan(16, { plain })
    expect(() => scan.add(new Int8Array(15), Float32Array.of(1))).toThrow('16 bytes, not 15')
    expect(() => scan.top(quantize(new Float32Array(8)), 1)).toThrow('8 dimensions, the scan 16')
  })
})

test('both kernels return the same rows and the same scores, whatever the dimensions and the filter', () => {
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
