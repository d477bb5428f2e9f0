// Consonants without those that look or sound like others or spell words (RFC 8628, 6.1): 20 to the 8th codes.
export const USER_CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const LENGTH = 8
const LARGEST_BYTE = 256 - (256 % USER_CODE_LETTERS.length)

/** Seconds between two polls of a device; each early poll adds the same number again. */
export const POLL_INTERVAL = 5
const SLOWER_BY = 5

/**
 * A user code from random bytes; undefined if there were too few, because bytes that would favour some letters are
 * skipped.
 */
export function userCodeOf(random: Uint8Array): string | undefined {
  const letters = [...random].filter((byte) => byte < LARGEST_BYTE).map((byte) => USER_CODE_LETTERS[byte % 20]!)
  return letters.length < LENGTH ? undefined : letters.slice(0, LENGTH).join('')
}

/** Accepts any case, with or without the dash. Undefined if it is not a code. */
export function readUserCode(typed: string): string | undefined {
  const letters = typed.toUpperCase().replaceAll(/[\s-]/g, '')
  return typed.length <= 40 && new RegExp(`^[${USER_CODE_LETTERS}]{${LENGTH}}$`).test(letters) ? letters : undefined
}

export const showUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

export interface PollState {
  readonly interval: number
  readonly polledAt: Date | undefined
}

/** The state after a poll: whether it was too early, and when the next one is allowed. */
export function afterPoll({ interval, polledAt }: PollState, now: Date): PollState & { readonly tooEarly: boolean } {
  const tooEarly = polledAt !== undefined && now.getTime() - polledAt.getTime() < interval * 1_000
  return { tooEarly, interval: tooEarly ? interval + SLOWER_BY : interval, polledAt: now }
}
