import { contentWords, isNegated, sharedWords } from '../user-memory/content-words.ts'

/**
 * Share of the shorter text's content words that must match; the others may name another reason for the same choice.
 */
const LEAST_SHARED = 0.6

/** Whether two texts share most of their words, and either both or neither forbid something. */
export function isSameMatter(a: string, b: string): boolean {
  const [own, other] = [contentWords(a), contentWords(b)]
  const shared = sharedWords(own, other).length
  return (
    isNegated(a) === isNegated(b) &&
    shared > 0 &&
    shared >= LEAST_SHARED * Math.min(own.length, other.length) &&
    shared >= Math.min(2, own.length)
  )
}
