import { foldLetters } from '../../kernel/domain/text/fold.ts'

/** A text as it is searched: in one case, and without accents. */
export const foldedText = (text: string): string => foldLetters(text).toLowerCase()

// Each is looked for in all texts; nobody remembers more of a chat.
const MOST_WORDS = 12

/** The words that somebody looks for. */
export const searchWords = (text: string): readonly string[] => [
  ...new Set(foldedText(text).trim().split(/\s+/).slice(0, MOST_WORDS)),
]
