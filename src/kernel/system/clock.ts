import { getRandomValues, randomUUID } from 'node:crypto'
import type { Clock } from '../ports/clock.ts'

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

export const systemClock: Clock = {
  now: () => new Date(),
  uuid: () => randomUUID(),
  ulid: () => ulid(Date.now(), getRandomValues(new Uint8Array(16))),
}

/** 48 bits of time and 80 random bits, five bits a character. */
function ulid(milliseconds: number, random: Uint8Array): string {
  let time = ''
  for (let i = 0, rest = milliseconds; i < 10; i++, rest = Math.floor(rest / 32)) time = CROCKFORD[rest % 32]! + time
  return time + Array.from(random, (byte) => CROCKFORD[byte % 32]!).join('')
}
