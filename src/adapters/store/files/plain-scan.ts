import type { QuantizedVector } from '../../../core/ranking/vector.ts'
import type { VectorScan } from '../../../ports/vector-scan.ts'

/** An exact scan in plain JavaScript, for records of some thousand decisions. */
export function openPlainScan(dimensions: number): VectorScan {
  const rows: QuantizedVector[] = []
  return {
    dimensions,
    get size() {
      return rows.length
    },
    add(bytes, scales) {
      const first = rows.length
      scales.forEach((scale, i) => rows.push({ bytes: bytes.slice(i * dimensions, (i + 1) * dimensions), scale }))
      return first
    },
    set: (row, vector) => void (rows[row] = vector),
    top(query, k, allowed) {
      const scored = rows.flatMap((vector, row) =>
        allowed === undefined || (allowed[row >> 3]! >> (row & 7)) & 1 ? [{ row, score: dot(query, vector) }] : [],
      )
      return scored.sort((a, b) => b.score - a.score || a.row - b.row).slice(0, k)
    },
    close: () => void (rows.length = 0),
  }
}

function dot(a: QuantizedVector, b: QuantizedVector): number {
  let sum = 0
  for (let i = 0; i < a.bytes.length; i++) sum += a.bytes[i]! * b.bytes[i]!
  return sum * a.scale * b.scale
}
