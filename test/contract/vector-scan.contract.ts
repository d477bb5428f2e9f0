import { describe, expect, test } from 'vitest'
import { dequantize, quantize, type QuantizedVector } from '../../src/retrieval/domain/ranking/vector.ts'
import type { VectorScan } from '../../src/retrieval/ports/vector-scan.ts'

export function describeVectorScan(name: string, open: (dimensions: number) => VectorScan): void {
  const filled = (dimensions: number, rows: readonly QuantizedVector[]): VectorScan => {
    const scan = open(dimensions)
    const bytes = new Int8Array(rows.length * dimensions)
    rows.forEach((row, i) => bytes.set(row.bytes, i * dimensions))
    scan.add(
      bytes,
      Float32Array.from(rows, (row) => row.scale),
    )
    return scan
  }

  describe(`vector scan: ${name}`, () => {
    test('the nearest rows are returned best first with their dot product as score', () => {
      const rows = vectors(300, 256)
      const query = rows[42]!
      const wanted = dequantize(query)
      const exact = rows
        .map((row, i) => ({ row: i, score: dequantize(row).reduce((sum, x, d) => sum + x * wanted[d]!, 0) }))
        .sort((a, b) => b.score - a.score)
      const found = filled(256, rows).top(query, 5)
      expect(found.map(({ row }) => row)).toEqual(exact.slice(0, 5).map(({ row }) => row))
      expect(found[0]!.row).toBe(42)
      for (const [i, { score }] of found.entries()) expect(score).toBeCloseTo(exact[i]!.score, 4)
    })

    test('a filter is applied before the limit, so far-away allowed rows fill the answer', () => {
      const rows = vectors(9000, 32)
      const scan = filled(32, rows)
      const order = scan.top(rows[0]!, 9000).map(({ row }) => row)
      const worst = new Set(order.slice(-3))
      const found = scan.top(
        rows[0]!,
        10,
        bitmap(9000, (row) => worst.has(row)),
      )
      expect(found.map(({ row }) => row)).toEqual(order.slice(-3))
    })

    test('every allowed row has the same score as among the nearest rows', () => {
      const rows = vectors(5000, 32)
      const scan = filled(32, rows)
      const allowed = bitmap(5000, (row) => row % 3 === 0)
      const scores = scan.scores(rows[0]!, allowed)
      const found = scan.top(rows[0]!, 5000, allowed)
      expect(found).toHaveLength(1667)
      expect(found.every(({ row, score }) => scores[row] === Math.fround(score))).toBe(true)
      expect(scores.filter((score) => score > -Infinity)).toHaveLength(1667)
      expect(Array.from(found, ({ row }) => row)).toEqual(
        found.toSorted((a, b) => b.score - a.score || a.row - b.row).map(({ row }) => row),
      )
    })

    test('rows added over many calls are numbered from 0 in order', () => {
      const rows = vectors(3000, 64)
      const scan = open(64)
      expect([scan.dimensions, scan.size]).toEqual([64, 0])
      const firsts = rows.map((row) => scan.add(row.bytes, Float32Array.of(row.scale)))
      expect(firsts).toEqual(rows.map((_, i) => i))
      expect(scan.size).toBe(3000)
      expect(scan.top(rows[2999]!, 1)[0]!.row).toBe(2999)
    })

    test('added rows stay unchanged if the source bytes change', () => {
      const [row] = vectors(1, 16) as [QuantizedVector]
      const scan = open(16)
      const bytes = row.bytes.slice()
      scan.add(bytes, Float32Array.of(row.scale))
      const before = scan.top(row, 1)
      bytes.fill(0)
      expect(scan.top(row, 1)).toEqual(before)
    })

    test('a replaced row is found by its new content', () => {
      const scan = filled(16, vectors(20, 16))
      const other = vectors(1, 16, 99)[0]!
      scan.set(7, other)
      expect(scan.top(other, 1)[0]!.row).toBe(7)
      expect(scan.size).toBe(20)
    })

    test('equal rows are returned in the order they were added', () => {
      const [row] = vectors(1, 16) as [QuantizedVector]
      const scan = filled(
        16,
        Array.from({ length: 10 }, () => row),
      )
      expect(scan.top(row, 4).map((hit) => hit.row)).toEqual([0, 1, 2, 3])
    })

    test('an empty scan, k of 0 and a zero query return valid results', () => {
      const scan = open(16)
      const zero = quantize(new Float32Array(16))
      expect(scan.top(zero, 5)).toEqual([])
      scan.add(new Int8Array(16).fill(3), Float32Array.of(0.1))
      expect(scan.top(zero, 0)).toEqual([])
      expect(scan.top(zero, 5)).toEqual([{ row: 0, score: 0 }])
    })

    test('closing empties the scan', () => {
      const scan = filled(16, vectors(20, 16))
      scan.close()
      expect([scan.size, scan.top(vectors(1, 16)[0]!, 3)]).toEqual([0, []])
    })
  })
}

function vectors(count: number, dimensions: number, seed = 1): QuantizedVector[] {
  const next = (): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed / 2_147_483_648 - 0.5
  }
  return Array.from({ length: count }, () => quantize(Float32Array.from({ length: dimensions }, next)))
}

function bitmap(rows: number, isAllowed: (row: number) => boolean): Uint8Array {
  const bits = new Uint8Array(Math.ceil(rows / 8))
  for (let row = 0; row < rows; row += 1) if (isAllowed(row)) bits[row >> 3]! |= 1 << (row & 7)
  return bits
}
