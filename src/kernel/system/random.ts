import { randomBytes, randomInt } from 'node:crypto'
import type { Chance } from '../ports/random.ts'

/** Chance of this machine's operating system. */
export const systemChance: Chance = {
  bytes: (length) => randomBytes(length),
  digits: (count) => Array.from({ length: count }, () => randomInt(10)).join(''),
}
