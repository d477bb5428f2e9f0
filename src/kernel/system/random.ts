import { randomBytes, randomInt } from 'node:crypto'
import type { Chance } from '../ports/random.ts'

/** Randomness from the operating system. */
export const systemChance: Chance = {
  bytes: (length) => randomBytes(length),
  digits: (count) => Array.from({ length: count }, () => randomInt(10)).join(''),
}
