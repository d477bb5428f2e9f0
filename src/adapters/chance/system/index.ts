import { randomBytes, randomInt } from 'node:crypto'
import type { Chance } from '../../../ports/chance.ts'

export const systemChance: Chance = {
  bytes: (length) => randomBytes(length),
  digits: (count) => Array.from({ length: count }, () => randomInt(10)).join(''),
}
