import type { SQLInputValue } from 'node:sqlite'
import { crc32 } from 'node:zlib'

const number = new Float64Array(1)
const halves = new Uint32Array(number.buffer)

/** A checksum over the values of a row. Never 0, so that a tally of seals shows a lost row. */
export function sealOf(...values: readonly SQLInputValue[]): number {
  let seal = values.length
  for (const value of values) {
    if (typeof value === 'number') {
      number[0] = value
      seal = mix(mix(seal, halves[0]!), halves[1]!)
    } else if (value === null || typeof value === 'bigint') {
      seal = mix(seal, 0x6e756c6c)
    } else {
      seal = crc32(value as string | Uint8Array, mix(seal, value instanceof Uint8Array ? 0x626c6f62 : 0x74657874) >>> 0)
    }
  }
  return seal >>> 0 || 1
}

// Each step is reversible, so changing a single value always changes the seal.
function mix(seal: number, half: number): number {
  const product = Math.imul(seal ^ half, 0x9e3779b1)
  return product ^ (product >>> 15)
}
