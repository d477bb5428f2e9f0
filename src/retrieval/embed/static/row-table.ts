import { addRow, BLOCK, compileRowKernel, newMemory } from './kernel.ts'

/** Rows of signed bytes with a scale each, in one memory. */
export interface RowTable {
  /** The sum of some rows, each times its scale and its weight (default 1), in order. */
  sum(rows: readonly number[], weights?: readonly number[]): Float32Array
}

interface TableParts {
  readonly dimensions: number
  readonly scales: Float32Array
  /** Fills the memory of the rows. */
  fill(bytes: Uint8Array<ArrayBuffer>): void
  /** Adds in plain JavaScript, as a runtime without WebAssembly SIMD does. */
  readonly plain?: boolean
}

// Rows per kernel call; a chunk of a document has some hundred rows.
const LIST = 2048

export function openRowTable({ dimensions, scales, fill, plain = false }: TableParts): RowTable {
  const listAt = 4 * dimensions
  const tableAt = listAt + 8 * LIST
  const memory = newMemory(tableAt + scales.length * dimensions)
  const table = new Int8Array(memory.buffer, tableAt, scales.length * dimensions)
  fill(new Uint8Array(memory.buffer, tableAt, table.length))
  const total = new Float32Array(memory.buffer, 0, dimensions)
  const addresses = new Uint32Array(memory.buffer, listAt, 2 * LIST)
  const factors = new Float32Array(memory.buffer, listAt, 2 * LIST)
  const kernel = plain || dimensions % BLOCK !== 0 ? undefined : compileRowKernel(memory)

  return {
    sum(rows, weights) {
      total.fill(0)
      for (let from = 0; from < rows.length; from += LIST) {
        const count = Math.min(LIST, rows.length - from)
        for (let i = 0; i < count; i++) {
          const row = rows[from + i]!
          addresses[2 * i] = tableAt + row * dimensions
          factors[2 * i + 1] = weights === undefined ? scales[row]! : scales[row]! * weights[from + i]!
        }
        if (kernel !== undefined) kernel(listAt, count, 0, dimensions)
        else
          for (let i = 0; i < count; i++) {
            const start = addresses[2 * i]! - tableAt
            addRow(total, table.subarray(start, start + dimensions), factors[2 * i + 1]!)
          }
      }
      return total.slice()
    },
  }
}
