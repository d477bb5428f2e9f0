import type { Span } from './spans.ts'

type Add = (span: Span) => void

/** Names for a wallet's recovery words, in regular-expression syntax. */
export const SEED_NAMES =
  'seed|mnemonic|(?:secret|recovery|backup|wallet)[ _-]?(?:phrase|words)|wiederherstellungs(?:phrase|w(?:ö|oe)rter)|(?:phrase|frase|mots|palabras)[ _-](?:de[ _-])?(?:r[ée]cup[ée]ration|recuperaci[óo]n|semilla)'

/** Maximum distance of the words from their name, in characters. */
export const SEED_REACH = 60

/** Finds recovery words after such a name. */
export function findSeedAfter(text: string, at: number, add: Add): void {
  const run = RUN.exec(text.slice(at, at + SEED_REACH + LONGEST))
  if (run !== null && run.index <= SEED_REACH) accept(text, at + run.index, add)
}

/** Finds recovery words that stand alone between quotes. */
export function findQuotedSeeds(text: string, add: Add): void {
  for (const { index } of text.matchAll(QUOTED)) accept(text, index + 1, add)
}

const WORD = '(?<![a-z])[a-z]{3,8}(?![a-z])'
const BETWEEN = `[\\s,;|"'\`]{1,4}(?:\\d{1,2}[.):]?[ \\t]{0,2})?["'\`]?`
const RUN = new RegExp(`${WORD}(?:${BETWEEN}${WORD}){11,25}`)
const QUOTED = /["'`](?=(?:[a-z]{3,8} ){11}(?:(?:[a-z]{3,8} ){3}){0,4}[a-z]{3,8}["'`])/g
const LONGEST = 400

// Words that occur in every sentence and are not in the word list of seeds.
const COMMON = /\b(?:the|and|for|are|was|from|not|but|has|had|its|which|our|with|your|their|been|were|them|than)\b/

/** Adds the words from the first position after which no common word follows. */
function accept(text: string, at: number, add: Add): void {
  let from = at
  for (let i = 0; i < 4; i++) {
    const run = RUN.exec(text.slice(from, from + LONGEST))
    if (run === null) return
    const common = COMMON.exec(run[0])
    if (common === null) {
      const words = new Set(run[0].match(/[a-z]{3,8}/g))
      if (words.size >= 10) add([from + run.index, from + run.index + run[0].length])
      return
    }
    from += run.index + common.index + common[0].length
  }
}
