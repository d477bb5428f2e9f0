import { randomBytes, randomInt } from 'node:crypto'
import type { Random } from '../ports/random.ts'

/** Randomness from the operating system. */
export const systemRandom: Random = {
  bytes: (length) => randomBytes(length),
  digits: (count) => Array.from({ length: count }, () => randomInt(10)).join(''),
}
