import { cacheSlices, codesOf } from './slice-cache.ts'
import { stem } from './stem.ts'

/** Words without meaning for a decision; removed before stemming. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  'a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with'.split(
    ' ',
  ),
)

/** Nearly every proposal contains "use …": only that exact word is left out, "using" and "used" still count. */
export const CHECK_STOP_WORDS: ReadonlySet<string> = new Set([...STOP_WORDS, 'use'])

/**
 * Words that people ask with but do not search for. Documents keep them, so that a query of nothing else still matches;
 * "all words must occur" would fail on most questions otherwise.
 */
export const QUERY_STOP_WORDS: ReadonlySet<string> = new Set([
  ...STOP_WORDS,
  ...`what when where which who whom whose why how did do does done doing has have had having were been being am can could
  should would may might must shall i me my mine we us our ours you your yours he him his she her hers its them
  those about from any some also than too very just here so because while during between
  s t d m re ve ll don doesn didn isn aren wasn weren hasn haven hadn won wouldn shouldn couldn please tell`.split(
    /\s+/,
  ),
])

/** Index terms of a decision or of a query about decisions, in order, including repeats. */
export function decisionTokens(text: string, stopWords: ReadonlySet<string> = STOP_WORDS): string[] {
  const tokens: string[] = []
  const lower = text.toLowerCase()
  const codes = codesOf(lower)
  for (const { 0: word, index } of lower.matchAll(WORD)) {
    if (!stopWords.has(word)) tokens.push(stems.get(codes, index, index + word.length))
  }
  return tokens
}

const stems = cacheSlices(32_768, stem)

// Combining marks end a word here, as in the record's reference search; scores would differ otherwise.
const WORD = /[\p{L}\p{N}_]{2,}/gu
